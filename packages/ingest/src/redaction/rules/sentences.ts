// Secrets that people, tables and pages tell in words.
import { PASSWORD, PASSWORD_WORD, SECRET_NAME, TOKEN_WORD } from '../secret-names.js';
import { GAP, type RuleFamily, type SecretRule, WIDE_SIGNS } from '../secret-rule.js';
import { isBareSecret, isChosen, isQuotedSecret, isRandom, isSaid } from '../secret-values.js';

/** `- **Value**: ` on the line below a name */
const BELOW =
  '\\n[ \\t>*•-]{0,12}(?:value|valor|valore|valeur|wert|значение|값|值|値)\\*{0,2}[ \\t]?[:：]\\*{0,2}[ \\t]{0,3}';
const VALUE_BELOW = new RegExp(BELOW, 'i');

function valueBelow(name: string): RegExp {
  return new RegExp(`${name}[\`*]{0,3}[ \\t]{0,3}\\r?${BELOW}[\`"']?([^\\s\`"'<[(][^\\s\`"'<]{7,199})`, 'gi');
}

/** Of a login, the password's name. */
const OF_LOGIN = '\\b(?:mdp|pass|pwd?)["\'`*]{0,3}\\s{0,3}[:：=]';
const HAS_OF_LOGIN = new RegExp(OF_LOGIN, 'i');

/** Behind a secret, before what it is. Patterns that begin with the secret try each word. */
const IS_THE = /\b(?:is|as) (?:the|my|our) /i;

/** What stands in a text with such a sentence, beside names of secrets. */
const WORDS = ['mnemonic|seed phrase|seed_phrase|seed-phrase|seedphrase|recovery phrase'];
const SIGNS = [
  'api:? ["\'`]?[\\w+/-]{20}',
  '@[\\w-]{1,60}\\.[\\w.-]{1,60}["\'`*)]{0,4}[\\s,;(]{1,5}(?:/\\s|(?:and |with )?pass?w?d?\\b)',
  '(?:log-?in|ssh)["\'`*)]{0,4}\\s{0,3}[:：][^\\n]{1,80} / ',
  '\\b(?:user(?:name)?|log-?in)(?:\\s{1,3}[\\w.@-]{1,64})?[\\s,]{1,3}(?:and )?pass',
  OF_LOGIN,
];

/** What code calls a password: `new_password1`, `form.password2`. */
const IN_CODE = /^[a-z]\w*(?:[._]pass|(?<=[a-z])Pass)(?:word|wd)?\w*$/;
/** Behind the last field of an object. */
const ENDS_OBJECT = /^,?\s{0,3}\}/;

/** `TILL-142`, and what code names by a number: `input2 is the password`. */
const NUMBERED = /^(?:[A-Z]{2,10}-\d+|(?:argument|column|field|input|option|param|step|value)[_-]?\d+)$/;

const RULES: readonly SecretRule[] = [
  // `пароль: value`, `密码：value`, `API key： value`
  {
    kind: 'assignment',
    pattern: new RegExp(
      `(?:${PASSWORD_WORD}\\*{0,2}${GAP}[:=：＝]|(?:password|passwd|secret|api[_-]?key|${TOKEN_WORD})\\*{0,2}\\s{0,3}[：＝])\\*{0,2}${GAP}["'\`«“„「『]?([^${WIDE_SIGNS}]{8,200})`,
      'gi',
    ),
    isSecret: isBareSecret,
  },
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
      `@[\\w-]{1,60}(?:\\.[\\w-]{1,60}){1,4}(?!\\) Password: ?\\r?\\n)["'\`*)]{0,4}(?:\\s{1,3}/\\s{1,3}|[\\s,;(]{1,5}(?:(?:and|with) )?(?:pass(?:word)?|pwd?|${PASSWORD_WORD})["'\`*]{0,3}(?:\\s{0,3}[:=]\\s{0,3}|\\s{1,3}))["'\`*]{0,3}((?=[^\\s"'\`*<>(){}[\\],;|/]{0,63}\\d)(?=\\S{0,63}[A-Za-z])(?!@|\\S{1,64}@[\\w-]{1,60}\\.\\w)[^\\s"'\`*<>(){}[\\],;|/]{6,64})`,
      'gi',
    ),
    isSecret: isSaid,
  },
  // `seed phrase: orchard lantern …`, of twelve words, or of fifteen to twenty-four
  {
    kind: 'mnemonic',
    pattern:
      /\b(?:mnemonic|(?:seed|recovery)[ _-]?phrase)\b[^\n]{0,20}?\b((?:[a-z]{3,8} ){11}(?:(?:[a-z]{3,8} ){3}|(?:[a-z]{3,8} ){6}|(?:[a-z]{3,8} ){12})?[a-z]{3,8})\b/gi,
  },
  // `the password for the till is value`, `pw: value`
  {
    kind: 'password',
    needs: PASSWORD,
    pattern:
      /\b(?:(?:password|passphrase|passwort)(?:(?:\s{1,3}(?:for|of|on|to|für)\s[^\n.,;:|"'`]{1,40}?)?\s{1,3}(?:is|ist|was):?|['’]s)|pw(?:\s{1,3}(?:is|ist|was):?|:))\s{1,3}["'`*]{0,3}((?=[^\s"'`*<>(){}[\],;]{0,100}\d)(?=\S{0,100}[A-Za-z])[^\s"'`*<>(){}[\],;]{6,100})/gi,
    isSecret: isSaid,
  },
  // Of digits alone: `the password for the till is 836192`
  {
    kind: 'password',
    needs: PASSWORD,
    pattern:
      /\b(?:password|passcode|passwort)(?:\s{1,3}(?:for|of|on|to|für)\s[^\n.,;:|"'`]{1,40}?)?\s{1,3}(?:is|ist|was):?\s{1,3}["'`*]{0,3}(\d{6,20})(?![\w-]|\.\w|\s{1,3}(?:attempt|bit|byte|char|digit|iteration|letter|round|second|time)s?)/gi,
  },
  // The other way round: `Tr0ub4dor! is the password to this computer`
  {
    kind: 'password',
    needs: IS_THE,
    pattern:
      /(?<![\w./:-])((?=\S{0,63}\d)[^\s"'`*<>(){}[\],;|/]{6,64}) is (?:the|my|our) (?:[a-z]{1,20} ){0,2}password(?=[.,!"'`]|\s{0,3}(?:$|\n)|\s(?:and|for|of|on|to)\s)/gi,
    isSecret: (value) => /^\d+$/.test(value) || (isSaid(value) && !NUMBERED.test(value)),
  },
  // `set the password to Tr0ub4dor!`
  {
    kind: 'password',
    needs: PASSWORD,
    pattern:
      /\b(?:set|chang|reset|updat)[a-z]{0,5}\s[^\n]{0,40}?\bpassword\s{1,3}to\s{1,3}["'`*]{0,3}((?=[^\s"'`*<>(){}[\],;|\\/]{0,63}\d)(?=\S{0,63}[A-Za-z])[^\s"'`*<>(){}[\],;|\\/]{8,64})/gi,
    isSecret: (value) => isSaid(value) && (isRandom(value) || /[!@#$%^&*?~]/.test(value)),
  },
  // `user ada pass Tr0ub4dor3x`, `the login pass Tr0ub4dor!`
  {
    kind: 'password',
    needs: PASSWORD,
    pattern:
      /\b(?:user(?:name)?|log-?in)(?:\s{1,3}(?!(?:can|could|may|might|must|should|to|will|would)\s)[\w.@-]{1,64})?[\s,]{1,3}(?:and )?pass(?:word)?\s{1,3}["'`]?((?=[^\s"'`*<>(){}[\],;|\\/]{0,63}\d)(?=\S{0,63}[A-Za-z])[^\s"'`*<>(){}[\],;|\\/]{8,64})/gi,
    isSecret: (value) => isRandom(value) || /[!@#$%^&*?~]/.test(value),
  },
  // `Login: ada / Pass: Tr0ub4dor3x`, `Utilisateur : ada, mdp : Tr0ub4dor3x`
  {
    kind: 'password',
    needs: HAS_OF_LOGIN,
    pattern: new RegExp(
      `\\b(?:user(?:name)?|log-?in|e-?mail|utilisateur|identifiant|usu[aá]rio|usuario|benutzer)["'\`*]{0,3}${GAP}[:：=][ \\t*"'\`]{0,4}[\\w.@+-]{1,64}["'\`*]{0,3}(?:\\s{0,3}[/,;|]\\s{0,3}|\\s{1,3})(?:pass|pwd?|mdp)["'\`*]{0,3}${GAP}[:：=][ \\t*]{0,4}["'\`]?((?=[^${WIDE_SIGNS}]{0,63}\\d)(?=\\S{0,63}[A-Za-z])[^${WIDE_SIGNS}|/]{6,64})`,
      'gi',
    ),
    // Somebody's password may read like a name, too.
    isSecret: (value, { 0: found, index, input }) =>
      isSaid(value) &&
      !(IN_CODE.test(value) && ENDS_OBJECT.test(input.slice(index + found.length, index + found.length + 5))),
  },
  // Where nothing stands between words: `密码Tr0ub4dor3x`, `密码是Tr0ub4dor3x`.
  {
    kind: 'password',
    needs: PASSWORD,
    pattern: new RegExp(
      `(?:密[码碼]|授[权權][码碼]|口令|パスワード|비밀번호|비번)[是为為は는은]?\\s{0,3}["'\`]{0,3}((?=[^${WIDE_SIGNS}]{0,100}\\d)(?=[!-~]{0,100}[A-Za-z])[^${WIDE_SIGNS}]{8,100})`,
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
  // "with the new shop password, `tillx77`, to …"
  {
    kind: 'password',
    needs: PASSWORD,
    pattern:
      /\b(?:the|my|our|your|new|default) (?:[\w-]{1,20} ){0,3}password,\s{1,3}\*{0,2}[`"]((?=[^`"\n]{0,63}\d)(?=[^`"\n]{0,63}[A-Za-z])[^\s`"'<>(){}[\]$:;,|\\/]{8,64})/gi,
    isSecret: (value) => isSaid(value) && !IN_CODE.test(value),
  },
  // In other languages: `пароль Tr0ub4dor3x`, "a senha `Tr0ub4dor!`"
  {
    kind: 'password',
    needs: PASSWORD,
    pattern: new RegExp(
      `${PASSWORD_WORD}[ \\t]{1,3}\\*{0,2}["'\`]?((?=[^${WIDE_SIGNS}:|/]{0,63}\\d)(?=\\S{0,63}[A-Za-z])(?!\\S{1,64}@[\\w-]{1,60}\\.\\w)[^${WIDE_SIGNS}:|/]{8,64})`,
      'gi',
    ),
    isSecret: isChosen,
  },
  // "`TILL_KEY` is set to `value`", "TILL_KEY to value", "с ключом `value`"
  {
    kind: 'token',
    pattern:
      /(?:\b[A-Z][A-Z0-9_]{0,60}(?:KEY|TOKEN|SECRET|PASSWORD)["'`]? (?:to|на|auf|à|a|en|为|為) ["'`]?([\w+-]{24,200}={0,2})|`[A-Z][A-Z0-9_]{0,60}(?:KEY|TOKEN|SECRET|PASSWORD)`[^`\n]{1,100}\b(?:value|to|is|was|key) `([\w+/-]{20,200}={0,2})|[Кк]люч(?:ом|а|у|е)? `([A-Za-z\d]{24,200}))(?![\w(.-])/g,
    isSecret: isRandom,
  },
  // "the API key is now 0f1e…": hexadecimal digits that are no commit's, no checksum and no id
  {
    kind: 'token',
    pattern:
      /api[ _-]?key\b[^\n.:=|"'`]{0,80}(?<!\b(?:sha-?\d{1,3}|md5|digest|hash|checksum|\w*id)) ([\da-f]{32}|[\da-f]{48}|[\da-f]{64})(?![\w-])/gi,
    isSecret: isRandom,
  },
  // "value is the shop's client secret", not "4d3f… is the token fix", "this is the TillAPI value"
  {
    kind: 'token',
    needs: IS_THE,
    pattern:
      /(?<![\w+/=-])([\w+/-]{20,200}={0,2})["'`]? (?:(?:this|that|which) )?(?:is|as) (?:the|my|our) (?:(?!(?:of|for|from|in|on|to|with|that|which) )[\w'’-]{1,30} ){0,3}(?:secret|api[ _-]?key|access key|token)(?![\w-]| (?!(?:and|as|at|because|but|for|from|has|here|i|if|in|is|it|now|of|on|only|please|since|so|that|they|to|use|was|we|when|which|will|with|you)\b)\w)|\bis (?:the|my|our) (?:\w{1,30} ){0,2}\w{0,30}api:? ["'`]?([\w+-]{20,200}={0,2})(?![\w(./-])/gi,
    isSecret: isRandom,
  },
  // `Credentials: ada / value`
  {
    kind: 'password',
    pattern:
      /(?:\bcredentials?|\blog-?in|\bssh|账[号户]密码|帳號密碼)["'`*)]{0,4}\s{0,3}[:：]\*{0,2}\s{0,3}["'`]?[^\s"'`/:：]{1,64}["'`]?\s{1,3}\/\s{1,3}["'`]?((?=[^\s"'`*<>(){}[\],;|/]{0,63}\d)(?=\S{0,63}[A-Za-z])[^\s"'`*<>(){}[\],;|/]{6,64})/gi,
    isSecret: isSaid,
  },
  // `Password: t1llx`: a short one, which is not told from code but where the line or the sentence ends behind it.
  {
    kind: 'password',
    needs: PASSWORD,
    pattern:
      /(?:password|passwd)(?:\*{0,2}\s{0,3}:\*{0,2}\s{1,3}|=)((?=[^\s\d]{0,7}\d)(?=[^\sA-Za-z]{0,7}[A-Za-z])[\w!@#%^&+-]{6,7})(?=[.!]?(?:\s|$))/gi,
    isSecret: isSaid,
  },
  // What a person is told to type into a page of settings: "- **Name**: `TILL_SECRET`", and its value on the line below.
  { kind: 'assignment', needs: VALUE_BELOW, pattern: valueBelow(SECRET_NAME), isSecret: isQuotedSecret },
  // In lists and in code much is called a token or a key.
  { kind: 'assignment', needs: VALUE_BELOW, pattern: valueBelow('(?:token|_key)'), isSecret: isRandom },
];

export const SENTENCES: RuleFamily = { rules: RULES, words: WORDS, signs: SIGNS };
