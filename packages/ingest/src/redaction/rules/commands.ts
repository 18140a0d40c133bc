// Secrets that commands are given.
import { PASSWORD } from '../secret-names.js';
import { anyOf, type RuleFamily, type SecretRule } from '../secret-rule.js';
import { isBareSecret, isChosen, isGivenSecret } from '../secret-values.js';

/** What follows a command, over lines that are continued, up to where the next one begins. */
export const REST_OF_COMMAND = '(?:(?!&&)[^\\n;|\\\\]|\\\\(?:\\r\\n|[\\s\\S])){0,300}?';

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

/** What stands in a text with such a command. */
const WORDS = [
  'curl |mysql|mariadb|mongo|docker login|podman login|az login|oc login|oras login|skopeo login|registry login',
  'redis-cli|sqlcmd|bcp |mosquitto_|7z |7za |7zz |ldapsearch|ldapadd|ldapmodify|ldapdelete|ldappasswd|ldapwhoami',
  'smbclient|nmcli|rabbitmqctl|useradd|usermod|net use|passwd|SecureString|plink| -pw |-pass|storepass|keypass|-stdin',
  'from-literal|secret set|secret put|secret create|secrets set|secrets import|keyvault|put-parameter|secretsmanager',
  'vault kv|cargo login|wandb login|config set|composer config|ngrok|ssh-keygen|sudo -S|vercel env add|twine upload',
  'lftp |xfreerdp|sqlplus|wpa_passphrase|--auth|sshpass|secrets create|versions add',
];
const SIGNS = [
  '\\b(?:https?|xhs?) [^\\n]{0,300}-a',
  'zip [^\\n]{0,300}-P',
  '(?:echo|printf) [^\\n|]{1,250}\\| {0,3}ssh\\b',
];
const COMMAND = anyOf(WORDS, SIGNS, 'i');

const RULES: readonly SecretRule[] = [
  // What a script of expect's answers: `expect "assword:" { send "value" }`
  {
    kind: 'command',
    needs: PASSWORD,
    pattern: /(?:assword|assphrase)[^"\n]{0,20}"\s{1,20}(?:\{\s{1,40})?send (?:-- )?"([^"\\$\n]{4,200})/g,
  },
  // `curl -u ada:value`
  {
    kind: 'curl',
    pattern: new RegExp(
      `\\bcurl\\b${REST_OF_COMMAND}\\s(?:-[a-zA-Z]{0,5}u|-U|--user|--proxy-user)[ =]?(?:\\\\{0,3}["'][^\\s:"'$<\\\\]{1,64}:([^\\n"'$<\\\\]{4,200})|[^\\s:"'$<]{1,64}:([^\\s"'$<]{4,200}))`,
      'g',
    ),
  },
  // `mysql -pvalue`, `docker login -p value`, `redis-cli -a value`
  {
    kind: 'command',
    pattern: new RegExp(
      `\\b(?:(?:mysql|mariadb)(?:-?(?:dump|admin|import|show|check))?\\b${REST_OF_COMMAND}\\s-p(?!\\d+:|rint)["']?([^\\s"'$<\\\\]{3,200})|(?:(?:docker|podman|az|oc|oras|skopeo|helm registry) login|twine upload|mongo(?:sh|dump|restore|export|import)?)\\b${REST_OF_COMMAND}\\s-p[ =]?["']?(?!-|\\d+:)([^\\s"'$<]{4,200})|redis-cli\\b${REST_OF_COMMAND}\\s-a +["']?(?!-)([^\\s"'$<]{4,200}))`,
      'g',
    ),
  },
  // `sqlcmd -P value`, `ldapsearch -w value`, `7z a -pvalue`, `smbclient -U ada%value`
  {
    kind: 'command',
    pattern: new RegExp(
      `\\b(?:(?:sqlcmd|bcp|mosquitto_(?:pub|sub)|(?:un)?zip)\\b${REST_OF_COMMAND}\\s-P ?["']?(?!-)([^\\s"'$<]{4,200})|ldap(?:search|add|modify|delete|passwd|whoami)\\b${REST_OF_COMMAND}\\s-w ?["']?(?!-)([^\\s"'$<]{4,200})|7z[az]? \\w\\b${REST_OF_COMMAND}\\s-p["']?([^\\s"'$<]{4,200})|smbclient\\b${REST_OF_COMMAND}\\s-U ?["']?[^\\s%"']{1,64}%([^\\s"'$<]{4,200}))`,
      'g',
    ),
  },
  // `nmcli … password value`, `rabbitmqctl add_user ada value`, `gh secret set TILL --body value`
  {
    kind: 'command',
    pattern: new RegExp(
      `\\b(?:(?:mysqladmin|nmcli)\\b${REST_OF_COMMAND}\\spassword +["']?([^\\s"'$<-][^\\s"'$<]{3,200})|rabbitmqctl (?:add_user|change_password) \\S{1,64} ["']?([^\\s"'$<]{4,200})|gh secret set\\b${REST_OF_COMMAND}\\s(?:-b|--body)[ =]?["']?(?!-)([^\\s"'$<]{4,200}))`,
      'g',
    ),
  },
  // A user's password, or what `openssl passwd` is to hash.
  {
    kind: 'command',
    pattern: new RegExp(
      `\\b(?:(?:useradd|usermod)\\b${REST_OF_COMMAND}\\s(?:-[a-zA-Z]{0,5}p|--password)[ =]["']?(?!-|(?:option|flag|switch|hash)\\b)([^\\s"'\`$<]{4,200})["']?(?= +[\\w"'$-])|openssl passwd(?: -(?:(?:salt|in|rand|writerand|provider) \\S{1,200}|(?!salt|in\\b|rand|writerand|provider)\\w{1,20})){0,6} (?:["']([^\\s"'$<]{4,200})["']|(?<!passwd )([^\\s"'\`$<>()|;&-][^\\s"'\`$<>()|;&]{3,200})${END_OF_COMMAND}))`,
      'g',
    ),
    isSecret: isGivenSecret,
  },
  // `net use Z: \\host\share value /user:ada`, or with the password behind the user
  {
    kind: 'command',
    pattern: new RegExp(
      `\\bnet use\\b(?: [a-z*]:?)?(?: \\\\{2,8}\\S{1,200} ["']?([^\\s"'\`/*%$<-][^\\s"'\`$<%]{3,200})["']?(?= [^\\n]{0,100}/user:)|[^\\n|;&]{0,200}? /user:[^\\s"'\`]{1,100} ["']?([^\\s"'\`/*%$<-][^\\s"'\`$<%]{3,200})(?:${END_OF_COMMAND}|["']? /))`,
      'gi',
    ),
    isSecret: isGivenSecret,
  },
  // `net user ada value`
  {
    kind: 'command',
    pattern: /\bnet user [^\s/*"']{1,64} ["']?(?![/*])([^\s"'$<]{6,200})/gi,
    isSecret: isBareSecret,
  },
  // `ConvertTo-SecureString 'value'`, `'value' | ConvertTo-SecureString`
  {
    kind: 'command',
    pattern:
      /\bConvertTo-SecureString\b[^\n|;"']{0,60}["']([^"'\n$]{4,200})["']|(?:[=(;{"'\n]|^|\b(?:echo|Write-Output))[ \t]{0,3}["']([^"'\n$]{4,200})["']\s{0,3}\|\s{0,3}ConvertTo-SecureString\b/gi,
  },
  // `kubectl create secret generic till --from-literal=key=value`
  {
    kind: 'command',
    pattern: new RegExp(
      `--from-literal(?<=\\bcreate secret\\b${EARLIER_IN_COMMAND})[ =]["']?[\\w.-]{1,100}=([^\\s"'$<]{4,200})`,
      'g',
    ),
  },
  // `supabase secrets set TILL=value SHOP=value`, and as Fly, Doppler and others have it
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
  // `pulumi config set --secret till value`: without a value, it asks for one.
  {
    kind: 'command',
    pattern: new RegExp(
      `\\bpulumi config set(?=(?:(?!&&)[^\\n\`]){0,400} --secret\\b)${PULUMI_OPTIONS} (?!-)["']?[\\w:.[\\]-]{1,100}["']?${PULUMI_OPTIONS} (?!-)["']?([^\\s"'\`$<]{4,2000})${END_OF_ARGUMENT}`,
      'g',
    ),
  },
  // `composer config github-oauth.github.com value`
  {
    kind: 'command',
    pattern: new RegExp(
      `\\bcomposer config\\b${REST_OF_COMMAND}\\s(?:http-basic|bearer|\\w{1,20}-(?:oauth|token))\\.[^\\s\`]{1,100} (?:(?!-)[^\\s\`]{1,100} )?["']?(?!-)([^\\s"'\`$<]{4,200})${END_OF_ARGUMENT}`,
      'g',
    ),
  },
  // `sudo -S apt update <<< value`
  {
    kind: 'command',
    pattern:
      /\b(?:sudo -S|chpasswd|passwd --stdin|openssl passwd|secret (?:set|put)|doppler secrets set)\b[^\n|;<]{0,80}<<< ?["']?([^\s"'$<]{4,200})/g,
  },
  // `openssl … -passin pass:value`, `keytool … -storepass value`
  {
    kind: 'command',
    needs: PASSWORD,
    pattern:
      /\s-(?:pass(?:in|out)?\s{1,3}["']?pass:|(?:src|dest)?(?:store|key)pass\s{1,3}["']?)([^\s"'$<]{4,200})/g,
  },
  // `http -a ada:value`, `lftp -u ada,value`, `sqlplus ada/value@till`
  {
    kind: 'command',
    pattern: new RegExp(
      `\\b(?:(?:https?|xhs?)\\b(?!:)${REST_OF_COMMAND}\\s(?:-a|--auth)[ =]?\\\\{0,3}["']?[^\\s:"'$<]{1,64}:(?!\\d{1,5}\\b)([^\\s"'$<]{4,200})|lftp\\b${REST_OF_COMMAND}\\s-u ?["']?[^\\s,"']{1,64},([^\\s"'$<]{4,200})|xfreerdp\\b${REST_OF_COMMAND}\\s/p:["']?([^\\s"'$<]{4,200})|sqlplus\\b${REST_OF_COMMAND}\\s["']?[^\\s/"'-]{1,64}/([^\\s/"'$<@]{4,200})@|wpa_passphrase \\S{1,64} ["']?([^\\s"'$<]{8,64}))`,
      'g',
    ),
  },
  // `az keyvault secret set --value value`, `vault kv put secret/till key=value`, `cargo login value`
  {
    kind: 'command',
    pattern: new RegExp(
      `\\b(?:(?:keyvault secret set|ssm put-parameter\\b(?=[^\\n]{0,300}SecureString))\\b${REST_OF_COMMAND}\\s--value[ =]["']?([^\\s"'$<{]{4,4000})|secretsmanager\\b${REST_OF_COMMAND}\\s--secret-string[ =]["']?(?!file:)([^\\s"'$<{]{4,4000})|vault kv (?:put|patch)\\b${REST_OF_COMMAND}\\s[\\w.-]{1,100}=(?!@)["']?([^\\s"'$<]{4,4000})|(?:cargo login|wandb login|npm config set \\S{0,200}:_authToken|ngrok (?:config add-)?authtoken) ["']?([\\w.-]{20,200}))`,
      'g',
    ),
  },
  // `ssh-keygen -N value`
  {
    kind: 'command',
    pattern: new RegExp(`\\bssh-keygen\\b${REST_OF_COMMAND}\\s-[NP] ?["']?(?!-)([^\\s"'$<]{5,200})`, 'g'),
  },
  // `plink -pw value`, as PuTTY's programs have it
  {
    kind: 'command',
    needs: PASSWORD,
    pattern: /\s-pw\s{1,3}\\{0,3}["']?([^\s"'`$<\\]{6,200})/g,
    // Not "the -pw option".
    isSecret: (value) => isGivenSecret(value) && /[\d!@#%^&~]/.test(value),
  },
  // `echo value | docker login --password-stdin`, `echo ada:value | chpasswd`; some ask for it twice.
  {
    kind: 'command',
    pattern: new RegExp(
      `\\b(?:echo|printf|yes)(?: -[neE]{1,3}| ["']?%s(?:\\\\n)?["']?)? {1,3}\\\\{0,3}["']?(?:[\\w.-]{1,64}:)?(([^\\s"'$<|:\\\\]{4,200})(?:\\\\{1,2}n[^\\s"'$<|\\\\]{4,200}|["']?; ?echo ["']?\\2){0,9})(?:\\\\{1,2}n)?\\\\{0,3}["']?\\)? {0,3}\\| {0,3}(?:sudo )?(?:\\S{0,100}passwd\\b|openssl passwd [^\\n|]{0,60}-stdin\\b|[^\\n|;&]{0,200}\\bsudo -S|(?:gh|wrangler|docker|podman) secret (?:set|put|create)\\b|doppler secrets set\\b|gcloud secrets (?:create|versions add)\\b|vercel env add\\b|[^\\n|]{1,300}--password-stdin)`,
      'g',
    ),
  },
  // `echo value | plink ada@till`: what is sent to another machine may be a command as well.
  {
    kind: 'command',
    pattern:
      /\b(?:echo|printf)(?: -[neE]{1,3})? {1,3}\\{0,3}["']?([^\s"'$<|:;\\]{6,200})(?:\\{1,2}n)?\\{0,3}["']? {0,3}\| {0,3}(?:\S{0,100}[\\/])?(?:plink|ssh)(?:\.exe)?["']? /g,
    isSecret: isChosen,
  },
  // `htpasswd -b .htpasswd ada value`
  {
    kind: 'command',
    pattern: new RegExp(
      `\\bhtpasswd (?=${OPTIONS}-\\w{0,4}b)(?:(?=${OPTIONS}-\\w{0,4}n)${OPTIONS}|${OPTIONS}[^\\s-]\\S{0,200} )[^\\s-]\\S{0,64} ["']?([^\\s"'$<>|&;-][^\\s"'$<>|&;]{3,200})`,
      'g',
    ),
  },
  // `sshpass -p value`
  {
    kind: 'sshpass',
    pattern: /\bsshpass(?:\s+-p\s*["']?|["'],\s{0,20}["']-p["'],\s{0,20}["'])([^\s"'$<]{4,200})/g,
  },
];

export const COMMANDS: RuleFamily = {
  rules: RULES.map((rule) => ({ needs: COMMAND, ...rule })),
  words: WORDS,
  signs: SIGNS,
};
