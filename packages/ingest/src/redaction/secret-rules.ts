// Finds secrets in a text by rules of our own.
import { literally, madeOnce } from '@causantic/domain';
import { FORM, SIGNS_OF_FORMS, WORDS_OF_FORMS } from './secret-forms.js';
import type { SecretRange } from './secret-range.js';
import {
  isBareSecret,
  isBasicAuth,
  isChosen,
  isGivenSecret,
  isNoSecret,
  isPassphrase,
  isQuotedSecret,
  isRandom,
  isSaid,
  isSetting,
} from './secret-values.js';
import { nextToken, serviceTokens } from './service-tokens.js';

const KEY_END = '-----END (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----';
const KEY_LINE = '(?:[A-Za-z0-9+/=]{16,}|(?:Proc-Type|DEK-Info|Version|Comment): ?[^\\n\\\\]*)';
const KEY_LINE_BREAK = '(?:[\\s"\'+>|,]|\\\\{1,4}[nr]|\\d+[→:|])*';

/** Up to its end, or, where that is cut off, as far as lines look like a key's: what only mentions a key goes on as text. */
export const PRIVATE_KEY = new RegExp(
  `-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:(?:(?!-----BEGIN)[\\s\\S]){0,10000}?${KEY_END}|(?:${KEY_LINE_BREAK}${KEY_LINE})*(?:\\s*[A-Za-z0-9+/=]+$)?)`,
  'g',
);

/** What follows a command, over lines that are continued, up to where the next one begins. */
const REST_OF_COMMAND = '(?:(?!&&)[^\\n;|\\\\]|\\\\(?:\\r\\n|[\\s\\S])){0,300}?';

/** What stands before an argument of a command, as far as where that begins. */
const EARLIER_IN_COMMAND = '(?:[^\\n;|&]|(?<!&)&(?!&)|\\\\\\r?\\n){0,500}';

/** Where a command ends, or what quotes it: in a sentence, another word follows. */
const END_OF_COMMAND = '(?=["\'`)]|\\s*(?:$|[\\n;|&>)]))';

/** The same, or where an option, a redirection or a remark follows. */
const END_OF_ARGUMENT = `(?:${END_OF_COMMAND}|["']? +(?:[-#]|\\d>))`;

/** Single letters, as of htpasswd: the password stands in the command with `b`, and no file with `n`. */
const OPTIONS = '(?:-\\w{1,5} ){0,4}';

const PULUMI_OPTIONS =
  '(?: -{1,2}(?:(?:stack|s|cwd|C|config-file|type)[ =][^\\s`]{1,100}|(?:secret|path|non-interactive)\\b)){0,6}';

/** Between two words of a file that may have been shown with line numbers. */
const NEXT_WORD = '\\s+(?:\\d+[→:|]?\\s*)?';

/** What a password is called by people who write other languages. */
const PASSWORD_WORD =
  '(?:passwort|kennwort|mot de passe|contrase(?:ñ|n\\u0303)a|(?<![dr]e)senha|has[łl]o|пароль|parola|[şs]ifre|mật khẩu|密[码碼]|口令|パスワード|暗証番号|비밀번호|비번|암호|授[权權][码碼]|كلمة (?:المرور|السر)|סיסמה|รหัสผ่าน|पासवर्ड)';

/** What a token or a key is called by them. */
const TOKEN_WORD = '(?:token|토큰|トークン|令牌|токен|jeton|密[钥鑰]|秘[钥鑰]|金[钥鑰]|api ?キー|api ?키)';

/** Between a name, its sign and its value, which may stand in a column of their own. */
const GAP = '(?:[ \\t]{0,40}|\\s{0,3})';

/** What a page calls the field of a password. */
const ON_A_PAGE = `(?:password|passphrase|${PASSWORD_WORD})`;

/** Around a value on keyboards of other languages; what follows a value there without a blank is no part of it. */
const WIDE_SIGNS =
  '\\s"\'`,;<>(){}\\[\\]\\\\«»“”„\\u0E00-\\u0E7F\\u3000-\\u9FFF\\uAC00-\\uD7AF\\uFF00-\\uFFEF';

/** A name that holds a secret, at the end of an identifier: `API_KEY`, `db.password`, `clientSecret`. */
const SECRET_NAME =
  '(?:api[ _-]?key|secret(?:[ _-]?(?:key(?:[ _-]?base)?|access[ _-]?key))?|(?:access|auth|refresh|session|id|api|bot|private|security)[ _-]?token|(?<=[_-])pass|passwords?|passwd|pwd|passphrase|private[ _-]?key|(?:access|account|admin|application|auth|encryption|master|pre-?shared|signing|subscription)[ _-]?key|client[ _-]?key[ _-]?data|client[ _-]?secret|authtoken|credentials?|\\bpsk|\\bsshpass(?==))';

const PASSWORD = new RegExp(`pass|assw|assphrase|secret|pwd|\\bpw|identified\\s|${PASSWORD_WORD}`, 'i');
const COMMAND =
  /curl|mysql|mariadb| login|twine|mongo|redis-cli|sqlcmd|\bbcp\b|mosquitto_|zip\b|ldap|7z|smbclient|nmcli|rabbitmqctl|useradd|usermod|openssl|passwd|net use|SecureString|from-literal|<<<|\s-a|--auth|lftp|xfreerdp|sqlplus|wpa_passphrase|keyvault|put-parameter|secretsmanager|vault kv|cargo login|wandb login|config set|composer|ngrok|ssh-keygen|sudo -S|plink|\| ?ssh |secrets? |env add|-stdin|sshpass/i;
const LOGIN_IN_URL = /:\/\/[^\s/]{1,304}@/;
const PORT = /:(?:\d{4,5}|\*):/;

interface SecretRule {
  kind: string;
  /** What all that it finds has, and most texts have not: it is only tried where that stands. */
  needs?: RegExp;
  pattern: RegExp;
  isSecret?: (secret: string) => boolean;
}

/** `- **Value**: ` on the line below a name */
const BELOW =
  '\\n[ \\t>*•-]{0,12}(?:value|valor|valore|valeur|wert|значение|값|值|値)\\*{0,2}[ \\t]?[:：]\\*{0,2}[ \\t]{0,3}';
const VALUE_BELOW = new RegExp(BELOW, 'i');

function valueBelow(name: string): RegExp {
  return new RegExp(`${name}[\`*]{0,3}[ \\t]{0,3}\\r?${BELOW}[\`"']?([^\\s\`"'<[(][^\\s\`"'<]{7,199})`, 'gi');
}

/**
 * What the preset does not look for: keys too short for its check, tokens in headers and assignments,
 * passwords in URLs of any scheme. The group is the secret where there is one, else the whole match.
 */
const OWN_RULES: readonly SecretRule[] = [
  {
    kind: 'assignment',
    pattern: new RegExp(
      `(?:${PASSWORD_WORD}\\*{0,2}${GAP}[:=：＝]|(?:password|passwd|secret|api[_-]?key|${TOKEN_WORD})\\*{0,2}\\s{0,3}[：＝])\\*{0,2}${GAP}["'\`«“„「『]?([^${WIDE_SIGNS}]{8,200})`,
      'gi',
    ),
    isSecret: isBareSecret,
  },
  // The first part is bounded, or a text of nothing but beginnings would be looked through from each of them.
  {
    kind: 'jwt',
    needs: FORM,
    pattern: /\beyJ[\w-]{8,5000}\.(?:eyJ[\w-]{8,}\.[\w-]{8,}|[\w-]{0,1000}(?:\.[\w-]{8,}){3})/g,
  },
  { kind: 'bearer', pattern: /\b(?:bearer|Bearer|BEARER)\s+((?=[\w.~+/-]*\d)[\w.~+/-]{20,}={0,2})/g },
  // `| Password | value |`, where a row begins
  {
    kind: 'password',
    needs: PASSWORD,
    pattern: new RegExp(
      `(?:^|\\n)[ \\t>+\\d→-]{0,20}\\|[ *]{0,4}[^|\\n*]{0,40}(?:password|passphrase|${PASSWORD_WORD})\\*{0,2} {0,40}\\| {0,3}["'\`*]{0,3}((?=\\S{0,100}\\d)(?=\\S{0,100}[A-Za-z])[^\\s"'\`*|<>()]{6,100})["'\`*]{0,3} {0,80}\\|`,
      'gi',
    ),
    isSecret: isSaid,
  },
  // Of a login, behind its name: `ada@example.org / value`, `ada@example.org, password value`
  {
    kind: 'password',
    pattern: new RegExp(
      `@[\\w-]{1,60}(?:\\.[\\w-]{1,60}){1,4}(?!\\) Password: ?\\r?\\n)["'\`*)]{0,4}(?:\\s{1,3}/\\s{1,3}|[\\s,;(]{1,5}(?:(?:and|with) )?(?:pass(?:word)?|pwd?|${PASSWORD_WORD})["'\`*]{0,3}(?:\\s{0,3}[:=]\\s{0,3}|\\s{1,3}))["'\`*]{0,3}((?=\\S{0,63}\\d)(?=\\S{0,63}[A-Za-z])(?!@|\\S{1,64}@[\\w-]{1,60}\\.\\w)[^\\s"'\`*<>(){}[\\],;|/]{6,64})`,
      'gi',
    ),
    isSecret: isSaid,
  },
  // `{ user: 'ada', pass: 'value' }`, as what sends mail is given it
  {
    kind: 'password',
    needs: PASSWORD,
    pattern:
      /\b(?:user(?:name)?|e?mail|login)\\{0,3}["']?\s{0,3}:\s{0,3}[^,\n]{1,120},\s{0,40}\\{0,3}["']?pass\\{0,3}["']?\s{0,3}:\s{0,3}\\{0,3}["'](?:([^"'$\\<\n]{4,200})\\{0,3}["']|([^\s"'$\\<]{4,200}))/g,
    isSecret: isGivenSecret,
  },
  // What a script of expect's answers.
  {
    kind: 'command',
    needs: PASSWORD,
    pattern: /(?:assword|assphrase)[^"\n]{0,20}"\s{1,20}(?:\{\s{1,40})?send (?:-- )?"([^"\\$\n]{4,200})/g,
  },
  {
    kind: 'authorization',
    pattern:
      /\bauthorization\\{0,3}["']?\s{0,3}[:=]\s{0,3}\\{0,3}["']?(?:(?:token|bot|apikey|key) )?((?=[\w.~+/-]*\d)[\w.~+/-]{20,}={0,2})/gi,
  },
  {
    kind: 'basicauth',
    pattern: /\b(?:basic|Basic|BASIC) +([A-Za-z0-9+/]{16,}={0,2})(?![\w+/])/g,
    isSecret: isBasicAuth,
  },
  {
    kind: 'basicauth',
    pattern: /\bauthorization\W{1,8}basic +([A-Za-z0-9+/]{6,15}={0,2})(?![\w+/])/gi,
    isSecret: isBasicAuth,
  },
  {
    kind: 'url-password',
    needs: LOGIN_IN_URL,
    pattern: /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@"'`<>]{0,100}:([^\s/"'`<>]{3,200})@[\w[]/gi,
    // In `${USER:-me}:${PASSWORD}@` the first colon stands within a reference.
    isSecret: (value) => !/^pass(?:word|wd)?$|\$\{/i.test(value),
  },
  { kind: 'url-token', needs: LOGIN_IN_URL, pattern: /\bhttps?:\/\/((?=[\w-]*\d)[\w-]{20,200})@[\w[]/gi },
  {
    kind: 'curl',
    needs: COMMAND,
    pattern: new RegExp(
      `\\bcurl\\b${REST_OF_COMMAND}\\s(?:-[a-zA-Z]{0,5}u|-U|--user|--proxy-user)[ =]?(?:\\\\{0,3}["'][^\\s:"'$<\\\\]{1,64}:([^\\n"'$<\\\\]{4,200})|[^\\s:"'$<]{1,64}:([^\\s"'$<]{4,200}))`,
      'g',
    ),
  },
  {
    kind: 'command',
    needs: COMMAND,
    pattern: new RegExp(
      `\\b(?:(?:mysql|mariadb)(?:-?(?:dump|admin|import|show|check))?\\b${REST_OF_COMMAND}\\s-p(?!\\d+:|rint)["']?([^\\s"'$<\\\\]{3,200})|(?:(?:docker|podman|az|oc|oras|skopeo|helm registry) login|twine upload|mongo(?:sh|dump|restore|export|import)?)\\b${REST_OF_COMMAND}\\s-p[ =]?["']?(?!-|\\d+:)([^\\s"'$<]{4,200})|redis-cli\\b${REST_OF_COMMAND}\\s-a +["']?(?!-)([^\\s"'$<]{4,200}))`,
      'g',
    ),
  },
  {
    kind: 'command',
    needs: COMMAND,
    pattern: new RegExp(
      `\\b(?:(?:sqlcmd|bcp|mosquitto_(?:pub|sub)|(?:un)?zip)\\b${REST_OF_COMMAND}\\s-P ?["']?(?!-)([^\\s"'$<]{4,200})|ldap(?:search|add|modify|delete|passwd|whoami)\\b${REST_OF_COMMAND}\\s-w ?["']?(?!-)([^\\s"'$<]{4,200})|7z[az]? \\w\\b${REST_OF_COMMAND}\\s-p["']?([^\\s"'$<]{4,200})|smbclient\\b${REST_OF_COMMAND}\\s-U ?["']?[^\\s%"']{1,64}%([^\\s"'$<]{4,200}))`,
      'g',
    ),
  },
  {
    kind: 'command',
    needs: COMMAND,
    pattern: new RegExp(
      `\\b(?:(?:mysqladmin|nmcli)\\b${REST_OF_COMMAND}\\spassword +["']?([^\\s"'$<-][^\\s"'$<]{3,200})|rabbitmqctl (?:add_user|change_password) \\S{1,64} ["']?([^\\s"'$<]{4,200})|gh secret set\\b${REST_OF_COMMAND}\\s(?:-b|--body)[ =]?["']?(?!-)([^\\s"'$<]{4,200}))`,
      'g',
    ),
  },
  // A user's password, or what `openssl passwd` is to hash.
  {
    kind: 'command',
    needs: COMMAND,
    pattern: new RegExp(
      `\\b(?:(?:useradd|usermod)\\b${REST_OF_COMMAND}\\s(?:-[a-zA-Z]{0,5}p|--password)[ =]["']?(?!-|(?:option|flag|switch|hash)\\b)([^\\s"'\`$<]{4,200})["']?(?= +[\\w"'$-])|openssl passwd(?: -(?:(?:salt|in|rand|writerand|provider) \\S{1,200}|(?!salt|in\\b|rand|writerand|provider)\\w{1,20})){0,6} (?:["']([^\\s"'$<]{4,200})["']|(?<!passwd )([^\\s"'\`$<>()|;&-][^\\s"'\`$<>()|;&]{3,200})${END_OF_COMMAND}))`,
      'g',
    ),
    isSecret: isGivenSecret,
  },
  // `net use Z: \\host\share PASSWORD /user:ada`, or with the password behind the user
  {
    kind: 'command',
    needs: COMMAND,
    pattern: new RegExp(
      `\\bnet use\\b(?: [a-z*]:?)?(?: \\\\{2,8}\\S{1,200} ["']?([^\\s"'\`/*%$<-][^\\s"'\`$<%]{3,200})["']?(?= [^\\n]{0,100}/user:)|[^\\n|;&]{0,200}? /user:[^\\s"'\`]{1,100} ["']?([^\\s"'\`/*%$<-][^\\s"'\`$<%]{3,200})(?:${END_OF_COMMAND}|["']? /))`,
      'gi',
    ),
    isSecret: isGivenSecret,
  },
  {
    kind: 'command',
    needs: COMMAND,
    pattern: /\bnet user [^\s/*"']{1,64} ["']?(?![/*])([^\s"'$<]{6,200})/gi,
    isSecret: isBareSecret,
  },
  {
    kind: 'command',
    needs: COMMAND,
    pattern:
      /\bConvertTo-SecureString\b[^\n|;"']{0,60}["']([^"'\n$]{4,200})["']|(?:[=(;{"'\n]|^|\b(?:echo|Write-Output))[ \t]{0,3}["']([^"'\n$]{4,200})["']\s{0,3}\|\s{0,3}ConvertTo-SecureString\b/gi,
  },
  {
    kind: 'command',
    needs: COMMAND,
    pattern: new RegExp(
      `--from-literal(?<=\\bcreate secret\\b${EARLIER_IN_COMMAND})[ =]["']?[\\w.-]{1,100}=([^\\s"'$<]{4,200})`,
      'g',
    ),
  },
  // `supabase secrets set TILL=value SHOP=value`, and as Fly, Doppler and others have it.
  {
    kind: 'command',
    needs: /\bsecrets (?:set|import)\b/,
    pattern: new RegExp(
      `\\s["']?\\w{1,100}=(?<=\\bsecrets (?:set|import)\\b${EARLIER_IN_COMMAND})["']?([^\\s"'\`$<]{4,2000})`,
      'g',
    ),
  },
  // `doppler secrets set TILL value`
  {
    kind: 'command',
    needs: /\bdoppler secrets set\b/,
    pattern: new RegExp(
      `\\bdoppler secrets set(?: -{1,2}[\\w-]{1,20}[ =][^\\s\`-][^\\s\`]{0,100}| --\\w[\\w-]{0,20}){0,4} ["']?[A-Z][A-Z0-9_]{0,100}["']? ["']?(?!-)([^\\s"'\`$<]{4,2000})${END_OF_ARGUMENT}`,
      'g',
    ),
  },
  // Without a value, it asks for one.
  {
    kind: 'command',
    needs: COMMAND,
    pattern: new RegExp(
      `\\bpulumi config set(?=(?:(?!&&)[^\\n\`]){0,400} --secret\\b)${PULUMI_OPTIONS} (?!-)["']?[\\w:.[\\]-]{1,100}["']?${PULUMI_OPTIONS} (?!-)["']?([^\\s"'\`$<]{4,2000})${END_OF_ARGUMENT}`,
      'g',
    ),
  },
  {
    kind: 'command',
    needs: COMMAND,
    pattern: new RegExp(
      `\\bcomposer config\\b${REST_OF_COMMAND}\\s(?:http-basic|bearer|\\w{1,20}-(?:oauth|token))\\.[^\\s\`]{1,100} (?:(?!-)[^\\s\`]{1,100} )?["']?(?!-)([^\\s"'\`$<]{4,200})${END_OF_ARGUMENT}`,
      'g',
    ),
  },
  // `kaggle.json`
  {
    kind: 'assignment',
    pattern:
      /"username\\{0,3}"\s{0,3}:\s{0,3}\\{0,3}"[^"\n]{1,64}",\s{0,9}\\{0,3}"key\\{0,3}"\s{0,3}:\s{0,3}\\{0,3}"([a-f\d]{32})\b/g,
  },
  {
    kind: 'command',
    needs: COMMAND,
    pattern:
      /\b(?:sudo -S|chpasswd|passwd --stdin|openssl passwd|secret (?:set|put)|doppler secrets set)\b[^\n|;<]{0,80}<<< ?["']?([^\s"'$<]{4,200})/g,
  },
  { kind: 'aws', pattern: /secret_?access_?key[\s|]{1,9}([A-Za-z0-9/+]{40})(?![\w/+])/gi },
  {
    kind: 'command',
    needs: PASSWORD,
    pattern:
      /\s-(?:pass(?:in|out)?\s{1,3}["']?pass:|(?:src|dest)?(?:store|key)pass\s{1,3}["']?)([^\s"'$<]{4,200})/g,
  },
  {
    kind: 'command',
    needs: COMMAND,
    pattern: new RegExp(
      `\\b(?:(?:https?|xhs?)\\b(?!:)${REST_OF_COMMAND}\\s(?:-a|--auth)[ =]?\\\\{0,3}["']?[^\\s:"'$<]{1,64}:(?!\\d{1,5}\\b)([^\\s"'$<]{4,200})|lftp\\b${REST_OF_COMMAND}\\s-u ?["']?[^\\s,"']{1,64},([^\\s"'$<]{4,200})|xfreerdp\\b${REST_OF_COMMAND}\\s/p:["']?([^\\s"'$<]{4,200})|sqlplus\\b${REST_OF_COMMAND}\\s["']?[^\\s/"'-]{1,64}/([^\\s/"'$<@]{4,200})@|wpa_passphrase \\S{1,64} ["']?([^\\s"'$<]{8,64}))`,
      'g',
    ),
  },
  {
    kind: 'command',
    needs: COMMAND,
    pattern: new RegExp(
      `\\b(?:(?:keyvault secret set|ssm put-parameter\\b(?=[^\\n]{0,300}SecureString))\\b${REST_OF_COMMAND}\\s--value[ =]["']?([^\\s"'$<{]{4,4000})|secretsmanager\\b${REST_OF_COMMAND}\\s--secret-string[ =]["']?(?!file:)([^\\s"'$<{]{4,4000})|vault kv (?:put|patch)\\b${REST_OF_COMMAND}\\s[\\w.-]{1,100}=(?!@)["']?([^\\s"'$<]{4,4000})|(?:cargo login|wandb login|npm config set \\S{0,200}:_authToken|ngrok (?:config add-)?authtoken) ["']?([\\w.-]{20,200}))`,
      'g',
    ),
  },
  // What Gradle, fish and Windows write without a sign between name and value,
  {
    kind: 'assignment',
    pattern:
      /\b(?:(?:store|key)Password\s{1,3}(?=["'])|(?:set -\w{1,4}|setx)\s{1,3}\w{0,60}(?:PASSWORD|SECRET|TOKEN|API_?KEY)\s{1,3})\\{0,3}["']?([^\s"'$<\\]{4,200})/g,
    isSecret: isQuotedSecret,
  },
  // and what others have by its place: `auth=("ada", "value")`, a default of Terraform's, a key of Laravel's.
  {
    kind: 'password',
    pattern:
      /\b(?:auth\s{0,3}=\s{0,3}\(|HTTP(?:Basic|Digest)Auth\()\s{0,3}\\{0,3}["'][^\s"'\\]{1,64}\\{0,3}["'],\s{0,3}\\{0,3}["']([^\s"'$\\]{4,200})\\{0,3}["']\s{0,3}\)/g,
    isSecret: isQuotedSecret,
  },
  {
    kind: 'assignment',
    pattern:
      /\bvariable\s{1,3}"\w{0,60}(?:password|secret|token|api_?key)"\s{0,3}\{[^}]{0,300}?\bdefault\s{0,9}=\s{0,3}"([^"\n$]{5,500})"/g,
    isSecret: isQuotedSecret,
  },
  // A private key as JSON has it; of another object, `d` says nothing.
  {
    kind: 'privatekey',
    pattern:
      /"(?:d|p|q|dp|dq|qi|k)\\{0,3}"\s{0,3}:\s{0,3}\\{0,3}"([\w-]{40,1500})(?:(?=[^{}]{0,4000}"kty)|(?<="kty\\{0,3}"[^{}]{0,4000}))/g,
  },
  // As WhatsApp's libraries keep one.
  {
    kind: 'privatekey',
    needs: /"private\\{0,3}"/,
    pattern:
      /"private\\{0,3}"\s{0,3}:\s{0,3}\{\s{0,40}\\{0,3}"type\\{0,3}"\s{0,3}:\s{0,3}\\{0,3}"Buffer\\{0,3}",\s{0,40}\\{0,3}"data\\{0,3}"\s{0,3}:\s{0,3}\\{0,3}"([A-Za-z0-9+/]{40,}={0,2})/g,
  },
  { kind: 'assignment', pattern: /\bAPP_KEY\s{0,3}[:=]\s{0,3}["']?base64:([A-Za-z0-9+/]{40,100}={0,2})/g },
  {
    kind: 'mnemonic',
    pattern:
      /\b(?:mnemonic|(?:seed|recovery)[ _-]?phrase)\b[^\n]{0,20}?\b((?:[a-z]{3,8} ){11}(?:(?:[a-z]{3,8} ){3}|(?:[a-z]{3,8} ){6}|(?:[a-z]{3,8} ){12})?[a-z]{3,8})\b/gi,
  },
  {
    kind: 'docker',
    pattern: /dockerconfigjson\\{0,3}["']?\s{0,3}:\s{0,3}\\{0,3}["']?(eyJ[A-Za-z0-9+/]{20,}={0,2})/g,
  },
  {
    kind: 'command',
    needs: COMMAND,
    pattern: new RegExp(`\\bssh-keygen\\b${REST_OF_COMMAND}\\s-[NP] ?["']?(?!-)([^\\s"'$<]{5,200})`, 'g'),
  },
  {
    kind: 'password',
    needs: PASSWORD,
    pattern:
      /\b(?:(?:password|passphrase|passwort)(?:(?:\s{1,3}(?:for|of|on|to|für)\s[^\n.,;:|"'`]{1,40}?)?\s{1,3}(?:is|ist|was):?|['’]s)|pw(?:\s{1,3}(?:is|ist|was):?|:))\s{1,3}["'`*]{0,3}((?=\S{0,100}\d)(?=\S{0,100}[A-Za-z])[^\s"'`*<>(){}[\],;]{6,100})/gi,
    isSecret: isSaid,
  },
  // `set the password to Tr0ub4dor!`
  {
    kind: 'password',
    needs: PASSWORD,
    pattern:
      /\b(?:set|chang|reset|updat)[a-z]{0,5}\s[^\n]{0,40}?\bpassword\s{1,3}to\s{1,3}["'`*]{0,3}((?=\S{0,63}\d)(?=\S{0,63}[A-Za-z])[^\s"'`*<>(){}[\],;|\\/]{8,64})/gi,
    isSecret: (value) => isSaid(value) && (isRandom(value) || /[!@#$%^&*?~]/.test(value)),
  },
  // `Mail__Pass=abcd efgh ijkl mnop`, as Google makes them for an app
  {
    kind: 'password',
    needs: PASSWORD,
    pattern:
      /pass(?:word)?["']?\s{0,3}[:=]\s{0,3}["'`]?([a-z]{4}(?: [a-z]{4}){3})(?=["'`,;]{0,2}\s{0,3}(?:\n|$))/gi,
    isSecret: isPassphrase,
  },
  // What a script takes where a variable has no value: `${DB_PASSWORD:-Tr0ub4dor!}`
  {
    kind: 'assignment',
    pattern: /\$\{\w{0,60}(?:PASSWORD|PASSWD|_PASS|SECRET|TOKEN|API_?KEY):?-([^\s"'`{}$]{6,200})\}/gi,
    isSecret: isBareSecret,
  },
  // `user ada pass Tr0ub4dor3x`, `the login pass Tr0ub4dor!`
  {
    kind: 'password',
    needs: PASSWORD,
    pattern:
      /\b(?:user(?:name)?|log-?in)(?:\s{1,3}(?!(?:can|could|may|might|must|should|to|will|would)\s)[\w.@-]{1,64})?[\s,]{1,3}(?:and )?pass(?:word)?\s{1,3}["'`]?((?=\S{0,63}\d)(?=\S{0,63}[A-Za-z])[^\s"'`*<>(){}[\],;|\\/]{8,64})/gi,
    isSecret: (value) => isRandom(value) || /[!@#$%^&*?~]/.test(value),
  },
  // Where nothing stands between words: `密码Tr0ub4dor3x`, `密码是Tr0ub4dor3x`.
  {
    kind: 'password',
    needs: PASSWORD,
    pattern: new RegExp(
      `(?:密[码碼]|授[权權][码碼]|口令|パスワード|비밀번호|비번)[是为為は는은]?\\s{0,3}["'\`]{0,3}((?=[!-~]{0,100}\\d)(?=[!-~]{0,100}[A-Za-z])[^${WIDE_SIGNS}]{8,100})`,
      'g',
    ),
    isSecret: isSaid,
  },
  // What mail services of China give a program instead of the password: letters alone, of which it has sixteen.
  {
    kind: 'password',
    needs: PASSWORD,
    pattern: /授[权權][码碼][是为為：:\s]{0,4}["'`]?([a-z]{16})(?![\w])/g,
  },
  // In a sentence, where a sign among letters and digits tells it from a name: "your password `Tr0ub4dor!`"
  {
    kind: 'password',
    needs: PASSWORD,
    pattern:
      /\b[Pp]assword\s{1,3}\*{0,2}`((?=[^`\n]{0,63}\d)(?=[^`\n]{0,63}[A-Za-z])(?=[^`\n]{0,63}[!@#%^&*?~])[^\s`"'<>(){}[\]$:;,|\\/]{8,64})`/g,
    isSecret: isSaid,
  },
  // The same in other languages: `пароль Tr0ub4dor3x`, "a senha `Tr0ub4dor!`"
  {
    kind: 'password',
    needs: PASSWORD,
    pattern: new RegExp(
      `${PASSWORD_WORD}[ \\t]{1,3}\\*{0,2}["'\`]?((?=\\S{0,63}\\d)(?=\\S{0,63}[A-Za-z])(?!\\S{1,64}@[\\w-]{1,60}\\.\\w)[^${WIDE_SIGNS}:|/]{8,64})`,
      'gi',
    ),
    isSecret: isChosen,
  },
  // What PuTTY's programs are given: `plink -pw Tr0ub4dor3x`,
  {
    kind: 'command',
    needs: PASSWORD,
    pattern: /\s-pw\s{1,3}\\{0,3}["']?([^\s"'`$<\\]{6,200})/g,
    // "the -pw option"
    isSecret: (value) => isGivenSecret(value) && /[\d!@#%^&~]/.test(value),
  },
  // what scripts of PowerShell, PHP and expect keep: `$pass = 'Tr0ub4dor3x'`, `set password "Tr0ub4dor3x"`,
  {
    kind: 'password',
    needs: PASSWORD,
    pattern:
      /(?:\$(?:pass|pw)\s{0,3}=|\bset (?:password|passwd|pass|pw))\s{0,3}\\{0,3}["']([^\s"'$\\]{6,200})/g,
    isSecret: isQuotedSecret,
  },
  // what is told of a setting, between backticks: "`TILL_KEY` is set to `value`", "с ключом `value`",
  {
    kind: 'token',
    pattern:
      /(?:`[A-Z][A-Z0-9_]{0,60}(?:KEY|TOKEN|SECRET|PASSWORD)`[^`\n]{1,100}\b(?:value|to|is|was|key) `([\w+/-]{20,200}={0,2})|[Кк]люч(?:ом|а|у|е)? `([A-Za-z\d]{24,200}))(?![\w(.-])/g,
    isSecret: isRandom,
  },
  // what is told of a key in words, in hexadecimal digits, which are no commit's, no checksum and no id,
  {
    kind: 'token',
    pattern:
      /api[ _-]?key\b[^\n.:=|"'`]{0,80}(?<!\b(?:sha-?\d{1,3}|md5|digest|hash|checksum|\w*id)) ([\da-f]{32}|[\da-f]{48}|[\da-f]{64})(?![\w-])/gi,
    isSecret: isRandom,
  },
  // and what a setting is where there is none: `os.getenv("TILL_TOKEN", "value")`.
  {
    kind: 'token',
    pattern:
      /\(\s{0,3}\\{0,3}["'][\w.-]{0,60}token\\{0,3}["'],\s{0,3}\\{0,3}["']([\w+/.~-]{20,2000}={0,2})/gi,
    isSecret: isRandom,
  },
  // `Credentials: ada / value`
  {
    kind: 'password',
    pattern:
      /(?:\bcredentials?|\blog-?in|\bssh|账[号户]密码|帳號密碼)["'`*)]{0,4}\s{0,3}[:：]\*{0,2}\s{0,3}["'`]?[^\s"'`/:：]{1,64}["'`]?\s{1,3}\/\s{1,3}["'`]?((?=\S{0,63}\d)(?=\S{0,63}[A-Za-z])[^\s"'`*<>(){}[\],;|/]{6,64})/gi,
    isSecret: isSaid,
  },
  // A product's licence is as long as a key, a text's a few words.
  {
    kind: 'token',
    pattern: /\blicen[sc]e(?:[ _-]?key)?\\{0,3}["']?\s{0,3}[:=]\s{0,3}\\{0,3}["'`]([\w+/=-]{40,2000})/gi,
    isSecret: isRandom,
  },
  // A short one, which is not told from code but where the line or the sentence ends behind it.
  {
    kind: 'password',
    needs: PASSWORD,
    pattern:
      /(?:password|passwd)(?:\*{0,2}\s{0,3}:\*{0,2}\s{1,3}|=)((?=[^\s\d]{0,7}\d)(?=[^\sA-Za-z]{0,7}[A-Za-z])[\w!@#%^&+-]{6,7})(?=[.!]?(?:\s|$))/gi,
    isSecret: isSaid,
  },
  // `echo PASSWORD | docker login --password-stdin`, and `echo USER:PASSWORD | chpasswd`; some ask for it twice.
  {
    kind: 'command',
    needs: COMMAND,
    pattern: new RegExp(
      `\\b(?:echo|printf|yes)(?: -[neE]{1,3}| ["']?%s(?:\\\\n)?["']?)? {1,3}\\\\{0,3}["']?(?:[\\w.-]{1,64}:)?(([^\\s"'$<|:\\\\]{4,200})(?:\\\\{1,2}n[^\\s"'$<|\\\\]{4,200}|["']?; ?echo ["']?\\2){0,9})(?:\\\\{1,2}n)?\\\\{0,3}["']?\\)? {0,3}\\| {0,3}(?:sudo )?(?:\\S{0,100}passwd\\b|openssl passwd [^\\n|]{0,60}-stdin\\b|[^\\n|;&]{0,200}\\bsudo -S|(?:gh|wrangler|docker|podman) secret (?:set|put|create)\\b|doppler secrets set\\b|gcloud secrets (?:create|versions add)\\b|vercel env add\\b|[^\\n|]{1,300}--password-stdin)`,
      'g',
    ),
  },
  // `echo PASSWORD | plink ada@till`: what is sent to another machine may be a command as well.
  {
    kind: 'command',
    needs: COMMAND,
    pattern:
      /\b(?:echo|printf)(?: -[neE]{1,3})? {1,3}\\{0,3}["']?([^\s"'$<|:;\\]{6,200})(?:\\{1,2}n)?\\{0,3}["']? {0,3}\| {0,3}(?:\S{0,100}[\\/])?(?:plink|ssh)(?:\.exe)?["']? /g,
    isSecret: isChosen,
  },
  {
    kind: 'command',
    needs: COMMAND,
    pattern: new RegExp(
      `\\bhtpasswd (?=${OPTIONS}-\\w{0,4}b)(?:(?=${OPTIONS}-\\w{0,4}n)${OPTIONS}|${OPTIONS}[^\\s-]\\S{0,200} )[^\\s-]\\S{0,64} ["']?([^\\s"'$<>|&;-][^\\s"'$<>|&;]{3,200})`,
      'g',
    ),
  },
  // What a browser's tools type: `getByLabel('Password').fill('value')`, `fill('#password', 'value')`,
  {
    kind: 'password',
    needs: PASSWORD,
    pattern: new RegExp(
      `${ON_A_PAGE}[^\\n]{0,60}?\\)\\.(?:fill|type|pressSequentially|send_?keys)\\(\\s{0,3}["'\`]([^\\s"'\`]{6,200})|\\.(?:fill|type)\\(\\s{0,3}["'\`][^\\n]{0,80}?${ON_A_PAGE}[^\\n]{0,20}?["'\`],\\s{0,3}["'\`]([^\\s"'\`]{6,200})`,
      'gi',
    ),
    isSecret: isQuotedSecret,
  },
  // and show of a page: `textbox "Password" [ref=e7]: value`.
  {
    kind: 'password',
    needs: PASSWORD,
    pattern: new RegExp(
      `\\btextbox ["'][^"'\\n]{0,40}${ON_A_PAGE}[^"'\\n]{0,40}["'](?: \\[[^\\]\\n]{1,40}\\]){0,8}(?:: | value=)["']?([^\\s"']{6,200})`,
      'gi',
    ),
    isSecret: (value) => isSetting(value) || isQuotedSecret(value),
  },
  // SQL's `WITH PASSWORD 'value'`, `USER ada PASSWORD 'value'` and `IDENTIFIED BY 'value'`
  {
    kind: 'password',
    needs: PASSWORD,
    pattern:
      /\b(?:(?:with|encrypted|login|(?:user|role)\s{1,3}\S{1,64})\s{1,3}password|(?:create|alter)\s{1,3}(?:user|role|login)\s[^;'\n]{1,200}?\spassword\s{0,3}=?|set\s{1,3}password\s{0,3}(?:for\s{1,3}\S{1,64}\s{0,3})?=(?:\s{0,3}password\()?|update\s{1,3}\S{1,64}\s{1,3}set\s[^;]{0,200}?(?:password|passwd|pwd)["`\]\\]{0,4}\s{0,3}=|identified\s{1,3}(?:with\s{1,3}\S{1,60}\s{1,3})?by)\s{0,3}(?:N(?='))?\\{0,3}['"]([^\s'"$\\]{4,200})/gi,
    isSecret: isGivenSecret,
  },
  {
    kind: 'password',
    needs: PASSWORD,
    pattern:
      /\b(?:create|alter)\s{1,3}user\s{1,3}\S{1,64}\s{1,3}identified\s{1,3}by\s{1,3}([\w#]{4,64})(?=\s{0,3};|\s{1,20}(?:account|default|quota|temporary|profile)\b)/gi,
    isSecret: isGivenSecret,
  },
  // What Terraform's outputs say of themselves.
  {
    kind: 'terraform',
    pattern:
      /"value"\s{0,3}:\s{0,3}"((?:[^"\\\n]|\\.){4,4000})"(?=,\s{0,40}"type"[^{}]{1,100}?,\s{0,40}"sensitive"\s{0,3}:\s{0,3}true)|"sensitive"\s{0,3}:\s{0,3}true,\s{0,40}"type"[^{}]{1,100}?,\s{0,40}"value"\s{0,3}:\s{0,3}"((?:[^"\\\n]|\\.){4,4000})"/g,
  },
  {
    kind: 'sshpass',
    needs: COMMAND,
    pattern: /\bsshpass(?:\s+-p\s*["']?|["'],\s{0,20}["']-p["'],\s{0,20}["'])([^\s"'$<]{4,200})/g,
  },
  {
    kind: 'netrc',
    needs: PASSWORD,
    pattern: new RegExp(
      `\\bmachine\\s+\\S{1,200}${NEXT_WORD}login\\s+\\S{1,100}${NEXT_WORD}password\\s+([^\\s$<]{4,200})|\\bmachine\\s+\\S{1,200}\\.\\S{1,200}${NEXT_WORD}password\\s+([^\\s$<]{4,200})${NEXT_WORD}login\\b|\\blogin\\s+\\S{1,64}\\s+password\\s+(?=[^\\s$<]*[^\\sa-zA-Z.,;:()])([^\\s$<]{4,200})`,
      'g',
    ),
  },
  {
    kind: 'pgpass',
    needs: PORT,
    pattern:
      /(?<![^\s"'→])(?:\*|localhost|[\w-]{1,64}(?:\.[\w-]{1,64}){1,6}):(?:\d{4,5}|\*):[\w*-]{1,64}:[\w.*@-]{1,64}:([^\s"'$<:]{3,200})(?![^\s"'])/g,
  },
  {
    kind: 'postgres',
    needs: PASSWORD,
    pattern:
      /\b(?:host|user|dbname)=[^\s,]{1,100}\s(?:\w{1,30}=[^\s,]{1,100}\s){0,6}password=([^\s"'$<,()]{4,200})/g,
    isSecret: isGivenSecret,
  },
  // `Server=db;User Id=ada;Password=value`
  {
    kind: 'connection',
    needs: PASSWORD,
    pattern:
      /\b(?:server|data source|host|user id|uid|username) ?=[^;=\n"']{1,100};(?:[^;=\n"']{1,40}=[^;=\n"']{0,100};){0,8} ?(?:password|pwd) ?= ?([^;\s"'$<{]{4,200})/gi,
    isSecret: isGivenSecret,
  },
  // Of a system's users, in its files and in databases: they can be guessed from.
  {
    kind: 'password-hash',
    pattern:
      /\$([156]\$(?:rounds=\d{1,9}\$)?[\w./]{1,16}\$[\w./]{22,86}|apr1\$[\w./]{1,8}\$[\w./]{22}|g?y\$[\w./]{2,10}\$[\w./]{8,64}\$[\w./]{43}|2[abxy]\\{0,3}\$\d\d\\{0,3}\$[\w./]{53}|argon2(?:id|i|d)\$v=\d{1,3}\$[mtp=,\d]{5,40}\$[\w+/]{8,64}\$[\w+/]{16,})/g,
  },
  {
    kind: 'npm',
    pattern: /(?<![\w.])_auth\s{0,3}=\s{0,3}["']?([A-Za-z0-9+/]{8,}={0,2})/g,
    isSecret: isBasicAuth,
  },
  // `FERNET_KEY=value`: much is called a key, so it has to look random.
  {
    kind: 'assignment',
    pattern:
      /\b(?![A-Z0-9_]*(?:PUBLI|CACHE|HASH))[A-Z][A-Z0-9_]{1,60}_KEY=["']?([\w+/-]{24,200}={0,2})(?![\w.(/=-])/g,
    isSecret: isRandom,
  },
  // What Bundler is given for a host, `BUNDLE_GEMS__EXAMPLE__ORG=ada:value`
  {
    kind: 'bundler',
    pattern: /\bBUNDLE_\w{1,80}__[A-Z]{2,10}["']?\s{0,3}[:=]\s{0,3}["']?[^\s:"'$]{1,64}:([^\s"'$<]{4,200})/g,
  },
  { kind: 'docker', pattern: /"auth\\{0,3}"\s{0,3}:\s{0,3}\\{0,3}"([A-Za-z0-9+/]{16,}={0,2})/g },
  {
    kind: 'xml',
    pattern: /<(?:password|passphrase|secret|api-?key|(?:auth|access)?-?token)>([^<>\s$]{6,5000})<\//gi,
  },
  // In attributes, objects, and lists of YAML: `name="password" value="…"`, `"name": "password", "value": "…"`. What code
  // gives is a name: `write(key: 'token', value: token)`.
  {
    kind: 'assignment',
    pattern: new RegExp(
      `\\b(?:key|name)\\\\{0,3}["']?(?:=|:\\s{0,3})\\\\{0,3}["']?[\\w.:-]{0,60}${SECRET_NAME}\\\\{0,3}["']?(?:[,\\s]|\\\\{1,2}n){1,40}\\\\{0,3}["']?value\\\\{0,3}["']?(?:=|:\\s{0,3})(?:\\\\{0,3}["']([^"'\\\\\\n]{6,200})\\\\{0,3}["']|(?![a-z_.]+[),;])(?:\\\\{0,3}["'])?([^\\s"'\\\\{[]{6,200}))`,
      'gi',
    ),
    isSecret: isQuotedSecret,
  },
  // What a person is told to type into a page of settings: "- **Name**: `TILL_SECRET`", and its value on the line below.
  { kind: 'assignment', needs: VALUE_BELOW, pattern: valueBelow(SECRET_NAME), isSecret: isQuotedSecret },
  // In lists and in code much is called a token or a key.
  { kind: 'assignment', needs: VALUE_BELOW, pattern: valueBelow('(?:token|_key)'), isSecret: isRandom },
  // These may stand behind anything, such as `%3D` in a URL.
  { kind: 'aws', needs: FORM, pattern: /(?:AKIA|ASIA)[A-Z0-9]{16}\b/g },
  { kind: 'anthropic', needs: FORM, pattern: /sk-ant-[\w-]{24,}/g },
  { kind: 'openai', needs: FORM, pattern: /\bsk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{32,}/g },
  { kind: 'stripe', needs: FORM, pattern: /\b(?:sk|rk|whsec)_(?:live_|test_)?[A-Za-z0-9]{20,}/g },
  // Read off a picture, its second letter may be another.
  { kind: 'google', needs: FORM, pattern: /\b(?:AIza[\w-]{35}|A[l1]zaSy[\w-]{33})/g },
  { kind: 'google-oauth', needs: FORM, pattern: /\b1\/\/0[\w-]{40,}/g },
  { kind: 'authorization', needs: FORM, pattern: /\bSSWS +([\w-]{30,})/g },
  { kind: 'google-oauth', needs: FORM, pattern: /\b(?:ya29\.[\w-]{20,}|GOCSPX-[\w-]{20,})/g },
  {
    kind: 'gitlab',
    needs: FORM,
    pattern: /\bgl(?:pat|rt|dt|ptt|cbt|ft|soat|agent|imt|oas)-[\w-]{20,}/g,
  },
  { kind: 'huggingface', needs: FORM, pattern: /\bhf_[A-Za-z0-9]{30,}/g },
  { kind: 'github', needs: FORM, pattern: /(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\w{50,})/g },
  {
    kind: 'webhook',
    needs: FORM,
    pattern:
      /\b(?:hooks\.slack\.com\/(?:services|workflows|triggers)\/|discord(?:app)?\.com\/api\/webhooks\/|webhook\.office\.com\/webhookb2\/|open\.(?:feishu\.cn|larksuite\.com)\/open-apis\/bot\/v2\/hook\/|qyapi\.weixin\.qq\.com\/cgi-bin\/webhook\/send\?key=)([\w/@-]{30,})/g,
  },
  // What begins a private key's file, and is kept so in secrets of Kubernetes.
  {
    kind: 'privatekey',
    needs: FORM,
    pattern:
      /\bLS0tLS1CRUdJTi(?=[A-Za-z0-9+/]{0,40}(?:UFJJVkFUR|BSSVZBVE|QUklWQVRF))[A-Za-z0-9+/]{40,}={0,2}/g,
  },
  { kind: 'azure', needs: FORM, pattern: /[?&]sig=([A-Za-z0-9%+/]{43,200}={0,2})/g },
  {
    kind: 'privatekey',
    needs: FORM,
    pattern: /\bPrivate-Lines: \d{1,3}\s{1,3}((?:[A-Za-z0-9+/=]{4,64}\s{1,3}){1,99})/g,
  },
  // Read off a picture, a letter of it may be one that no token has, or a blank may stand in it.
  {
    kind: 'telegram',
    needs: FORM,
    pattern:
      /(?<!\d)\d{8,10}: ?AA(?:[\p{L}\d_-]{33}|(?=[\p{L}\d_-]{1,32} [\p{L}\d_-]{1,32}(?![\p{L}\d_-]))[\p{L}\d_ -]{34})(?![\p{L}\d_-])/gu,
  },
];

/** As it may stand in a text of its own that a command or a record quotes. */
const QUOTE = '\\\\{0,3}["\'`]';
// A line that ends with `=` sets nothing, unless a quoted value follows.
const BETWEEN = `(?:${QUOTE}\\]?)?\\*{0,2}${GAP}(?:(?::=|=>|: ?(?:string|&?str|Optional\\[str\\]) ?=|:(?!:))\\*{0,2}${GAP}|=(?!=)\\*{0,2}(?:[^\\S\\n]{0,40}|\\s{0,3}(?=${QUOTE})))`;
const BARE_VALUE = `[^\\s"'\`,;<>(){}\\[\\]\\\\]{8,512}`;
const VALUE = `(?:\\\\{0,3}"([^"\\n]{5,511}[^"\\n\\\\])\\\\{0,3}"|\\\\{0,3}'([^'\\n]{5,511}[^'\\n\\\\])\\\\{0,3}'|(?:${QUOTE})?(${BARE_VALUE}))`;

/** `NAME=value`, `"name": "value"`; a quoted value may hold anything but its quote, and the quote may be cut off. */
const ASSIGNMENT = new RegExp(`${SECRET_NAME}${BETWEEN}${VALUE}`, 'gi');

/** `"password": 12345678`, `密码：12345678`, also at the end of a sentence */
const NUMBER = new RegExp(
  `(?:password|passwd|passphrase|pwd|${PASSWORD_WORD})(?:${BETWEEN}|\\*{0,2}${GAP}[：＝]\\*{0,2}${GAP})(?:${QUOTE})?(\\d{6,64})(?![\\w-]|\\.\\w)`,
  'gi',
);

/** `--name value`, in PowerShell `-Name value` */
const OPTION = new RegExp(
  `\\s--?(?:[a-z]{1,20}-){0,3}(?:${SECRET_NAME}|token|pass) {1,3}(?!-)${VALUE}`,
  'gi',
);

/** `["--name", "value"]` */
const ARGUMENT = new RegExp(
  `${QUOTE}--(?:[a-z]{1,20}-){0,3}(?:${SECRET_NAME}|token|pass)${QUOTE},\\s{0,20}(?=${QUOTE})${VALUE}`,
  'gi',
);

/** `define('NAME', 'value')` */
const PAIR = new RegExp(
  `\\(\\s{0,3}${QUOTE}[\\w.-]{0,60}${SECRET_NAME}${QUOTE},\\s{0,3}(?=${QUOTE})${VALUE}\\s{0,3}\\)`,
  'gi',
);

/** `process.env.NAME || 'value'`, `os.environ["NAME"] or "value"` */
const FALLBACK = new RegExp(
  `(?:(?:\\|\\||\\?\\?)(?<=${SECRET_NAME}(?:${QUOTE})?[)\\]]{0,2}\\s{0,3}..)|\\bor(?<=${SECRET_NAME}(?:${QUOTE})?[)\\]]{1,2}\\s{1,3}or))\\s{0,3}(?=\\\\{0,3}["'])${VALUE}`,
  'gi',
);

/** `DB_PASSWORD=value`, `--password=value`: an environment or a command has values there, where code has names. */
const SETTING =
  /(?:\b[A-Z0-9_]{0,60}(?:PASSWORD|PASSWD|PASSPHRASE|_PASS|_PWD|SECRET(?:_KEY)?)(?:=|: +(?=\S+(?:\r?\n|$)))|\s--(?:[a-z]{1,20}-){0,3}(?:password|passwd|passphrase)=)(?:\\{0,3}["'])?((?=\S{0,200}[a-z0-9])[^\s"'`,;<>(){}[\]\\$|&]{6,200})/g;

/** As curl and wget keep cookies: site, whether its subsites, path, whether encrypted, until when, name, value. */
const JAR = /\t(?:TRUE|FALSE)\t\/[^\t\n]{0,200}\t(?:TRUE|FALSE)\t\d{1,20}\t[^\t\n]{1,200}\t\S{12,2000}/g;
const JAR_VALUE = /\t((?=\S*\d)(?=\S*[A-Za-z])\S{12,2000})$/g;

/** The lines of a here-document with users and their passwords. */
const USERS =
  /\bchpasswd\b[^\n|;<]{0,80}<<-? ?["']?\w{1,20}["']?\r?\n(?:[ \t]{0,20}[\w.-]{1,64}:[^\n]{1,300}\n){1,100}/g;
const USER_PASSWORD = /:([^\s$<][^\s]{3,200})$/gm;

/** What is imported as secrets, in lines as an environment's: in a here-document before or behind the command, or printed for it. */
const IMPORTS_SECRETS = '\\bsecrets import\\b[^\\n|;<]{0,80}';
const HERE_DOCUMENT = '<<-? ?["\']?\\w{1,20}["\']?';
const ENVIRONMENT = new RegExp(
  `(?:${IMPORTS_SECRETS}${HERE_DOCUMENT}|${HERE_DOCUMENT} {0,3}\\|[^\\n|]{0,40}${IMPORTS_SECRETS})[^\\n]{0,100}\\n(?:[ \\t]{0,20}(?:(?:export )?[\\w.-]{1,100}=[^\\n]{0,4000}|#[^\\n]{0,500})?\\n){1,200}|${IMPORTS_SECRETS}<<<[^\\n]{1,4000}|\\b(?:echo|printf)\\b[^\\n|]{1,4000}\\|[^\\n|]{0,40}${IMPORTS_SECRETS}`,
  'g',
);
const ENVIRONMENT_VALUE = /(?:(?<=[\s"'])|(?<=\\n))\w[\w.-]{0,99}=["']{0,3}([^\s"'`$<\\]{4,4000})/g;

/** Headers that Composer sends to a host, in its command and in its file. */
const HEADERS =
  /\bcomposer config\b[^\n;|]{0,100} custom-headers\.[^\s`]{1,100}(?: ["'][^\n"']{1,500}["']){1,5}|"custom-headers\\{0,3}"\s{0,3}:\s{0,3}\{[^{}]{1,4000}/g;
const HEADER_VALUE = /["'][\w-]{1,100}: {0,3}(?:[A-Za-z]{1,20} {1,3})?([^\s"'\\$<]{4,500})/g;

/** The value of a cookie that stands in its header, or in an option of curl. */
const COOKIES = new RegExp(
  `(?:\\bcookie\\\\{0,3}["']?\\s{0,3}[:=]\\s{0,3}\\\\{0,3}["'\`]?|\\bcurl\\b${REST_OF_COMMAND}\\s(?:-b|--cookie)[ =]?["']?)(?:[\\w.%!*+-]{1,100}=[^\\n"'\`]{0,16000})`,
  'gi',
);
const COOKIE_VALUE = /=((?=[^;\s]{0,100}\d)(?=[^;\s]{0,100}[A-Za-z])[^;\s"'`\\,${}<>()]{12,2000})/g;

/** What cookies are signed with, and keys that take turns: `secrets: ['value', 'the one before']`, `API_KEYS = ["value"]` */
const LIST_OF_SECRETS =
  /(?:\bsecrets?|api_?keys|(?:access|auth|bot|refresh)_?tokens)\\{0,3}["']?\s{0,3}[:=]\s{0,3}\[[^\]]{20,2000}/gi;
const SECRET_IN_LIST =
  /["'`](?![a-z]{4,20}\/)((?:(?=[^"'`]{0,200}[a-z])(?=[^"'`]{0,200}[A-Z])(?=[^"'`]{0,200}\d[^\d"'`]{1,200}\d)|(?=[\da-f]{32}))[\w+/-]{20,200}={0,2})(?![\w+/.-])/g;

/** What a script of PowerShell keeps and then gives as a password: `$s = 'value'`, `plink -pw $s` */
const KEPT_PASSWORD =
  /\$(\w{1,40})\s{0,3}=\s{0,3}["'][^\s"'$\\]{6,200}["'](?=[^]{0,400}?(?:\s-pw\s{1,3}|\s-Password\s{1,3}|ConvertTo-SecureString\s{1,3}(?:-String\s{1,3})?|NetworkCredential\([^()\n]{0,80},\s{0,3})["'(]{0,2}\$\1\b)/gi;
const KEPT_VALUE = /^\$\w{1,40}\s{0,3}=\s{0,3}["']([^\s"'$\\]{6,200})/g;

/** What is listed below a heading such as `## Credentials`, which tells of a value what its name does not. */
const LISTED =
  /(?:^|\n)#{1,6} [^\n]{0,60}\b(?:credentials|api keys|secrets|(?<!(?:colou?r|css|design|theme) )tokens)\b[^\n]{0,60}\n\s{0,3}(?:[ \t]{0,9}[-*|][^\n]{0,400}(?:\n|$)){1,40}/gi;
/** `- Shop: value`, and the last of `- DB: shop / ada / value` */
const LISTED_TOKEN =
  /[:|]\*{0,2} {1,3}["'`]?(?!\/?[\w-]{1,20}\/[a-z]{2,20}\/)((?=[\w+/-]{0,200}[a-z])(?=[\w+/-]{0,200}[A-Z])(?=[\w+/-]{0,200}\d)[\w+/-]{24,200}={0,2})(?![\w+/=.-])/g;
const LISTED_PASSWORD =
  / \/ ["'`]?((?=[^\s"'`/]{0,63}\d)(?=[^\s"'`/]{0,63}[A-Za-z])(?=[^\s"'`/]{0,63}[!@#%^&*?~])[^\s"'`/<>(){}[\]]{8,64})(?=["'`]?\s{0,3}(?:\n|$))/g;

interface PartRule {
  kind: string;
  needs?: RegExp;
  part: RegExp;
  /** Ends with its only group, which is the secret. */
  value: RegExp;
}

const PART_RULES: readonly PartRule[] = [
  {
    kind: 'password',
    needs: /\s-pw\s|\s-Password\s|SecureString|NetworkCredential/i,
    part: KEPT_PASSWORD,
    value: KEPT_VALUE,
  },
  { kind: 'assignment', part: LIST_OF_SECRETS, value: SECRET_IN_LIST },
  { kind: 'token', part: LISTED, value: LISTED_TOKEN },
  { kind: 'password', part: LISTED, value: LISTED_PASSWORD },
  { kind: 'cookie', part: COOKIES, value: COOKIE_VALUE },
  { kind: 'cookie', part: JAR, value: JAR_VALUE },
  { kind: 'command', part: USERS, value: USER_PASSWORD },
  { kind: 'command', needs: /\bsecrets import\b/, part: ENVIRONMENT, value: ENVIRONMENT_VALUE },
  { kind: 'header', part: HEADERS, value: HEADER_VALUE },
];

/** `TOKEN=value`: much is called a token, so the value has to look like one. Code gives it what is called so itself, or what a call returns. */
const TOKEN = new RegExp(
  `${TOKEN_WORD}${BETWEEN}(?:${QUOTE})?((?=[\\w.~+/-]*\\d)(?=[\\w.~+/-]*[A-Za-z])[\\w.~+/-]{20,5000}(?:%(?!26)[\\dA-F]{2}[\\w.~+/-]*){0,20}={0,2})(?![\\w(]|(?:\\.\\w{1,60}){1,5}\\()`,
  'gi',
);

/** `preferences.till2token` */
const NAME_OF_TOKEN = /\.\w{0,60}token$/i;

/**
 * `Token 0f1e…`, `token is 0f1e…`, `| **API key** | value |`, a label and its value on the line below: only what looks
 * random counts, and no commit that Git lists below a branch called `token`.
 */
const NAMED = new RegExp(
  `(?:key(?<=(?:access|api|auth|private|secret|signing)[ _-]?key)|secret|password|${TOKEN_WORD})["'\`)*]{0,4}(?: [A-Z][a-z]{2,20})?(?: (?:is|was|ist|est|es|é):?)?(?:[ \\t]{0,40}[|\\n]|[ \\t])[ \\t]{0,40}["'\`(*]{0,3}([\\w+/-]{20,2000}={0,2})(?![\\w(=+/-]|\\.\\S|\\s{1,8}refs/)`,
  'gi',
);

/** `BASE64_STANDARD.decode`, where a call of it stands */
const METHOD = /^[A-Za-z_]\w*(?:\.\w+)+$/;

/** `ada@example.org's password:`, `(ada@example.org) Password:` */
const ASKED_BY_SSH = /(?:'s |\([^\s(@]{1,100}@[^\s()@]{1,100}\) )$/;

/**
 * What is assigned to a secret's name, where it looks like one. Where SSH asks for a password, it shows none: the next
 * line is what came of it.
 */
function assignedSecret(match: RegExpExecArray, text: string): string | null {
  const quoted = match[1] ?? match[2];
  const value = quoted ?? match[3]!;
  const isCalled = text[match.index + match[0].length] === '(' && METHOD.test(value);
  const before = text.slice(Math.max(0, match.index - 220), match.index);
  const isBehindPrompt = /^password: ?\r?\n/i.test(match[0]) && ASKED_BY_SSH.test(before);
  const isSecret = quoted === undefined ? isBareSecret(value) : isQuotedSecret(value);
  return !isCalled && !isBehindPrompt && isSecret ? value : null;
}

/** Letters alone count in these. */
const SETTING_RULES: readonly SecretRule[] = [SETTING, NUMBER].map((pattern) => {
  return { kind: 'assignment', needs: PASSWORD, pattern, isSecret: isSetting };
});

const RULES = [...OWN_RULES, ...SETTING_RULES];

/** Secrets that this module's own rules see in a text. */
export function otherSecrets(text: string): SecretRange[] {
  return [
    ...serviceTokens(text),
    ...secretsByRules(text),
    ...secretsInParts(text),
    ...assignedSecrets(text),
    ...secretsBy({ kind: 'token', pattern: TOKEN, isSecret: (value) => !NAME_OF_TOKEN.test(value) }, text),
    ...secretsBy({ kind: 'token', pattern: NAMED, isSecret: isRandom }, text),
  ];
}

function secretsByRules(text: string): SecretRange[] {
  const known = new Map<RegExp, boolean>();
  const has = (needed: RegExp): boolean => madeOnce(known, needed, () => needed.test(text));
  return RULES.flatMap((rule) => (rule.needs === undefined || has(rule.needs) ? secretsBy(rule, text) : []));
}

function secretsBy({ kind, pattern, isSecret = () => true }: SecretRule, text: string): SecretRange[] {
  return [...text.matchAll(pattern)].flatMap((match) => {
    const secret = match.slice(1).find((group) => group !== undefined) ?? match[0];
    return isNoSecret(secret) || !isSecret(secret) ? [] : [rangeOf(kind, match, secret)];
  });
}

function secretsInParts(text: string): SecretRange[] {
  const ranges: SecretRange[] = [];
  for (const { kind, needs, part, value } of PART_RULES) {
    if (needs?.test(text) === false) continue;
    for (const { 0: all, index } of text.matchAll(part)) {
      for (const match of all.matchAll(value)) {
        const { start, end } = rangeOf(kind, match, match[1]!);
        ranges.push({ kind, start: index + start, end: index + end });
      }
    }
  }
  return ranges;
}

function assignedSecrets(text: string): SecretRange[] {
  const matches = [ASSIGNMENT, OPTION, ARGUMENT, PAIR, FALLBACK].flatMap((pattern) => [
    ...text.matchAll(pattern),
  ]);
  return matches.flatMap((match) => {
    const secret = assignedSecret(match, text);
    return secret === null ? [] : [rangeOf('assignment', match, secret)];
  });
}

function rangeOf(kind: string, match: RegExpExecArray, secret: string): SecretRange {
  const start = match.index + match[0].lastIndexOf(secret);
  return { kind, start, end: start + secret.length };
}

/** What is asked for, where somebody's answer may be a secret and no more. */
export const ASKS_FOR_SECRET = new RegExp(
  `\\b(?:keys?|pass(?:word|phrase|code)|pwd|credentials?|secret)\\b|${PASSWORD_WORD}|${TOKEN_WORD}`,
  'i',
);

/**
 * Is a field of this name likely to hold a secret? On a page it may be called by what it is: `#password`, `Password field`.
 * A field called `parola` may hold any word, which is what Italians call so.
 */
export const SECRET_FIELD = new RegExp(
  `(?:${SECRET_NAME}|(?!parola)${PASSWORD_WORD})["')\\]]{0,3}(?:[ _-]?(?:text|input|field|box|entry|for\\b|on\\b|in\\b).{0,80})?$`,
  'i',
);

/** Each rule needs one of these, with a blank, a sign or nothing between the parts of those of two. */
const WORDS_OF_RULES = [
  'api key|private key|access key|encryption key|master key|signing key|subscription key|client key|secret|token',
  '"kty|assw|pass":|pass\\":|pass: "|pwd|passphrase|credential|psk|bearer|account|oauth|cookie|authorization|_pass|-pass|_auth|"auth|basic ',
  ...WORDS_OF_FORMS,
  '$1$|$5$|$6$|$y$|$gy$|$apr1$|$2a$|$2b$|$2x$|$2y$|$2a\\|$2b\\|$2x\\|$2y\\|$argon2|mongo|mysql|mariadb|postgres',
  '_KEY=|_KEY`|BUNDLE_|docker login|podman login|az login|oc login|oras login|skopeo login|registry login|redis-cli|sqlcmd|bcp |mosquitto_',
  "pass: '|pass:'|'pass':",
  '7z |7za |7zz |ldapsearch|ldapadd|ldapmodify|ldapdelete|ldappasswd|ldapwhoami|smbclient|nmcli|rabbitmqctl|net user|/user:|pw: |pw is |pw ist |pw was |useradd|usermod|"sensitive"|"bcrypt_hash"',
  'ключ| -pw |plink|NetworkCredential|-Password $|$pass|$pw|set pass|set pw|SecureString|vercel env add|sudo -S|curl |sshpass|ssh-keygen|kennwort|mot de passe|contrase|senha|hasło|haslo|пароль',
  'admin key|application key|auth key|shared key|app key|storepass|keypass|twine upload|lftp |xfreerdp|sqlplus|basicauth(|auth=(|auth = (',
  'http -a|https -a|xh -a|xhs -a|--auth|put-parameter|vault kv|cargo login|wandb login|mnemonic|seed phrase|seed_phrase|seed-phrase|seedphrase|recovery phrase|composer config|custom-headers',
  '토큰|トークン|令牌|токен|jeton|密钥|密鑰|秘钥|秘鑰|金钥|金鑰|apiキー|api キー|api키|api 키|parola|şifre|sifre|mật khẩu|密码|密碼|口令|パスワード|暗証番号|비밀번호|비번|암호|授权码|授權碼|كلمة |סיסמה|รหัสผ่าน|पासवर्ड',
]
  .flatMap((words) => words.split('|'))
  .flatMap((words) => ['', ' ', '_', '-'].map((sign) => words.replace(/ (?=key$)/, sign)));

/** The same, where a word alone is in most texts. */
const SIGNS_OF_RULES = [
  '\\t(?:TRUE|FALSE)\\t',
  'identified\\s',
  '@[\\w-]{1,60}\\.[\\w.-]{1,60}["\'`*)]{0,4}[\\s,;(]{1,5}(?:/\\s|(?:and |with )?pass?w?d?\\b)',
  ...SIGNS_OF_FORMS,
  '(?:log-?in|ssh)["\'`*)]{0,4}\\s{0,3}[:：][^\\n]{1,80} / ',
  '\\b(?:user(?:name)?|log-?in)(?:\\s{1,3}[\\w.@-]{1,64})?[\\s,]{1,3}(?:and )?pass',
  '"private\\\\{0,3}"\\s{0,3}:\\s{0,3}\\{',
  'licen[sc]e[^\\n]{0,12}["\'`][\\w+/-]{40}',
  'zip [^\\n]{0,300}-P',
  '(?:echo|printf) [^\\n|]{1,250}\\| {0,3}ssh\\b',
  '"key\\\\{0,3}"\\s{0,3}:\\s{0,3}\\\\{0,3}"[a-f\\d]{32}\\b',
  ':(?:\\/\\/[^\\s/]{0,200}@|(?:\\d{4,5}|\\*):[\\w*-]{1,64}:[\\w.*@-]{1,64}:)',
];

/**
 * A text without any of them holds no secret that the rules would see, and is passed in one scan instead of forty. Plain
 * words come first: the engine then looks for all of them at once.
 */
const POSSIBLE_SECRET = new RegExp(
  [...new Set(WORDS_OF_RULES.map(literally)), ...SIGNS_OF_RULES].join('|'),
  'i',
);

/** Whether it is worth to look at all: most texts hold none. */
export function mayHoldSecret(text: string): boolean {
  return POSSIBLE_SECRET.test(text) || nextToken(text, 0) !== undefined;
}
