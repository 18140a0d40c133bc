// Secrets that code and settings give to a name.
import { PASSWORD, PASSWORD_WORD, SECRET_NAME, TOKEN_WORD } from '../secret-names.js';
import { GAP, QUOTE, type RuleFamily, type SecretRule } from '../secret-rule.js';
import { isBareSecret, isGivenSecret, isQuotedSecret, isRandom, isSetting } from '../secret-values.js';

/** What a page calls the field of a password. */
const ON_A_PAGE = `(?:password|passphrase|${PASSWORD_WORD})`;

/** What stands in a text with such code, beside names of secrets. */
const WORDS = [
  '$pass|$pw|set pass|set pw|basicauth(|auth=(|auth = (',
  'bcrypt.|bcryptjs.|argon2.|pwd_context.|hash::',
];
const SIGNS = ['identified\\s', 'licen[sc]e[^\\n]{0,12}["\'`][\\w+/-]{40}'];

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

const BY_FORM: readonly SecretRule[] = [
  // Without a sign between name and value: `storePassword "value"` of Gradle, `set -x TOKEN value` of fish, `setx TOKEN value`
  {
    kind: 'assignment',
    pattern:
      /\b(?:(?:store|key)Password\s{1,3}(?=["'])|(?:set -\w{1,4}|setx)\s{1,3}\w{0,60}(?:PASSWORD|SECRET|TOKEN|API_?KEY)\s{1,3})\\{0,3}["']?(?!\()([^\s"'$<\\]{4,200})/g,
    isSecret: isQuotedSecret,
  },
  // `auth=("ada", "value")`
  {
    kind: 'password',
    pattern:
      /\b(?:auth\s{0,3}=\s{0,3}\(|HTTP(?:Basic|Digest)Auth\()\s{0,3}\\{0,3}["'][^\s"'\\]{1,64}\\{0,3}["'],\s{0,3}\\{0,3}["']([^\s"'$\\]{4,200})\\{0,3}["']\s{0,3}\)/g,
    isSecret: isQuotedSecret,
  },
  // `${DB_PASSWORD:-value}`, which a script takes where the variable has none
  {
    kind: 'assignment',
    pattern: /\$\{\w{0,60}(?:PASSWORD|PASSWD|_PASS|SECRET|TOKEN|API_?KEY):?-([^\s"'`{}$]{6,200})\}/gi,
    isSecret: isBareSecret,
  },
  // What is given to be hashed: `bcrypt.hash('value', 12)`, `Hash::make('value')`, `generate_password_hash("value")`. A
  // keyring is told first what for: `keyring.set_password("shop", "ada", value)`.
  {
    kind: 'password',
    pattern:
      /\b(?:(?:bcrypt(?:js)?|argon2|pwd_context|Hash)(?:\.|::)(?:hash(?:Sync)?|make)|(?:(?:generate|get)_password_hash|(?:hash|make|set)_password|password_hash|hashPassword))\(\s{0,3}\\{0,3}["']([^\s"'$\\]{6,72})\\{0,3}["'](?!(?<=set_password\([^)]{0,100}),)/g,
    isSecret: isQuotedSecret,
  },
  // `$pass = 'value'` of PowerShell and PHP, `set password "value"` of expect
  {
    kind: 'password',
    needs: PASSWORD,
    pattern:
      /(?:\$(?:pass|pw)\s{0,3}=|\bset (?:password|passwd|pass|pw))\s{0,3}\\{0,3}["']([^\s"'$\\]{6,200})/g,
    isSecret: isQuotedSecret,
  },
  // `os.getenv("TILL_TOKEN", "value")`
  {
    kind: 'token',
    pattern:
      /\(\s{0,3}\\{0,3}["'][\w.-]{0,60}token\\{0,3}["'],\s{0,3}\\{0,3}["']([\w+/.~-]{20,2000}={0,2})/gi,
    isSecret: isRandom,
  },
  // `license: "value"`: a product's licence is as long as a key, a text's a few words.
  {
    kind: 'token',
    pattern: /\blicen[sc]e(?:[ _-]?key)?\\{0,3}["']?\s{0,3}[:=]\s{0,3}\\{0,3}["'`]([\w+/=-]{40,2000})/gi,
    isSecret: isRandom,
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
  // `CREATE USER ada IDENTIFIED BY value;`, as Oracle has it
  {
    kind: 'password',
    needs: PASSWORD,
    pattern:
      /\b(?:create|alter)\s{1,3}user\s{1,3}\S{1,64}\s{1,3}identified\s{1,3}by\s{1,3}([\w#]{4,64})(?=\s{0,3};|\s{1,20}(?:account|default|quota|temporary|profile)\b)/gi,
    isSecret: isGivenSecret,
  },
  // `FERNET_KEY=value`: much is called a key, so it has to look random.
  {
    kind: 'assignment',
    pattern:
      /\b(?![A-Z0-9_]*(?:PUBLI|CACHE|HASH))[A-Z][A-Z0-9_]{1,60}_KEY=["']?([\w+/-]{24,200}={0,2})(?![\w.(/=-])/g,
    isSecret: isRandom,
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
];

/** `BASE64_STANDARD.decode`, where a call of it stands */
const METHOD = /^[A-Za-z_]\w*(?:\.\w+)+$/;
/** `encodeBase58(keyBytes)`, not `Tr0ub4dor3(old)`: of a name without a dot, the whole call is looked at. */
const CALL = /[a-z][a-z\d]*[A-Z_]\w*\([\w.&*[\], ]{0,100}\)/y;

/** `${NAME:?what a shell says where it has no value}` */
const REQUIRED = /\$\{\w{0,100}$/;

/** `ada@example.org's password:`, `(ada@example.org) Password:` */
const ASKED_BY_SSH = /(?:'s |\([^\s(@]{1,100}@[^\s()@]{1,100}\) )$/;

/**
 * Does what is assigned to a secret's name look like one? Where SSH asks for a password, it shows none: the next line is
 * what came of it.
 */
function isAssigned(value: string, { 0: all, 3: bare, index, input }: RegExpExecArray): boolean {
  const end = index + all.length;
  CALL.lastIndex = end - value.length;
  const isCalled = input[end] === '(' && (METHOD.test(value) || CALL.test(input));
  const before = input.slice(Math.max(0, index - 220), index);
  const isBehindPrompt = /^password: ?\r?\n/i.test(all) && ASKED_BY_SSH.test(before);
  const isMessage = value.startsWith('?') && REQUIRED.test(before);
  const isSecret = bare === undefined ? isQuotedSecret(value) : isBareSecret(value);
  return !isCalled && !isBehindPrompt && !isMessage && isSecret;
}

const RULES: readonly SecretRule[] = [
  ...BY_FORM,
  // Letters alone count in these.
  ...[SETTING, NUMBER].map((pattern) => {
    return { kind: 'assignment', needs: PASSWORD, pattern, isSecret: isSetting };
  }),
  ...[ASSIGNMENT, OPTION, ARGUMENT, PAIR, FALLBACK].map((pattern) => {
    return { kind: 'assignment', pattern, isSecret: isAssigned };
  }),
  { kind: 'token', pattern: TOKEN, isSecret: (value) => !NAME_OF_TOKEN.test(value) },
  { kind: 'token', pattern: NAMED, isSecret: isRandom },
];

export const SETTINGS: RuleFamily = { rules: RULES, words: WORDS, signs: SIGNS };
