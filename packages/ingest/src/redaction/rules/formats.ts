// Secrets in headers, URLs and files, by the place that these have for them.
import { PASSWORD } from '../secret-names.js';
import type { RuleFamily, SecretRule } from '../secret-rule.js';
import { isBasicAuth, isGivenSecret, isPassphrase, isQuotedSecret } from '../secret-values.js';

/** Between two words of a file that may have been shown with line numbers. */
const NEXT_WORD = '\\s+(?:\\d+[→:|]?\\s*)?';

const LOGIN_IN_URL = /:\/\/[^\s/]{1,304}@/;
const PORT = /:(?:\d{4,5}|\*):/;

/** What stands in a text with such a place, beside names of secrets. */
const WORDS = [
  '"kty|pass":|pass\\":|pass: "|pass: \'|pass:\'|\'pass\':|bearer|cookie|authorization|_auth|"auth|basic |BUNDLE_',
  '"sensitive"|mongo|mysql|mariadb|postgres',
  '$1$|$5$|$6$|$y$|$gy$|$apr1$|$2a$|$2b$|$2x$|$2y$|$2a\\|$2b\\|$2x\\|$2y\\|$argon2',
];
const SIGNS = [
  '"private\\\\{0,3}"\\s{0,3}:\\s{0,3}\\{',
  '"key\\\\{0,3}"\\s{0,3}:\\s{0,3}\\\\{0,3}"[a-f\\d]{32}\\b',
  ':(?:\\/\\/[^\\s/]{0,200}@|(?:\\d{4,5}|\\*):[\\w*-]{1,64}:[\\w.*@-]{1,64}:)',
];

const RULES: readonly SecretRule[] = [
  // `Authorization: Bearer value`, `"authorization": "token value"`, `Basic value`
  { kind: 'bearer', pattern: /\b(?:bearer|Bearer|BEARER)\s+((?=[\w.~+/-]*\d)[\w.~+/-]{20,}={0,2})/g },
  // `{ user: 'ada', pass: 'value' }`, as what sends mail is given it
  {
    kind: 'password',
    needs: PASSWORD,
    pattern:
      /\b(?:user(?:name)?|e?mail|login)\\{0,3}["']?\s{0,3}:\s{0,3}[^,\n]{1,120},\s{0,40}\\{0,3}["']?pass\\{0,3}["']?\s{0,3}:\s{0,3}\\{0,3}["'](?:([^"'$\\<\n]{4,200})\\{0,3}["']|([^\s"'$\\<]{4,200}))/g,
    isSecret: isGivenSecret,
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
  // `postgres://ada:value@db`, `https://value@github.com`
  {
    kind: 'url-password',
    needs: LOGIN_IN_URL,
    pattern: /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@"'`<>]{0,100}:([^\s/"'`<>]{3,200})@[\w[]/gi,
    // In `${USER:-me}:${PASSWORD}@` the first colon stands within a reference.
    isSecret: (value) => !/^pass(?:word|wd)?$|\$\{/i.test(value),
  },
  { kind: 'url-token', needs: LOGIN_IN_URL, pattern: /\bhttps?:\/\/((?=[\w-]*\d)[\w-]{20,200})@[\w[]/gi },
  // `{ "username": "ada", "key": "value" }`, as `kaggle.json` has it
  {
    kind: 'assignment',
    pattern:
      /"username\\{0,3}"\s{0,3}:\s{0,3}\\{0,3}"[^"\n]{1,64}",\s{0,9}\\{0,3}"key\\{0,3}"\s{0,3}:\s{0,3}\\{0,3}"([a-f\d]{32})\b/g,
  },
  // `aws_secret_access_key value`, also in the columns of a table
  { kind: 'aws', pattern: /secret_?access_?key[\s|]{1,9}([A-Za-z0-9/+]{40})(?![\w/+])/gi },
  // `variable "password" { default = "value" }`, as Terraform has it
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
  // `"private": { "type": "Buffer", "data": "value" }`, as WhatsApp's libraries keep one
  {
    kind: 'privatekey',
    needs: /"private\\{0,3}"/,
    pattern:
      /"private\\{0,3}"\s{0,3}:\s{0,3}\{\s{0,40}\\{0,3}"type\\{0,3}"\s{0,3}:\s{0,3}\\{0,3}"Buffer\\{0,3}",\s{0,40}\\{0,3}"data\\{0,3}"\s{0,3}:\s{0,3}\\{0,3}"([A-Za-z0-9+/]{40,}={0,2})/g,
  },
  // `APP_KEY=base64:value`, as Laravel has it
  { kind: 'assignment', pattern: /\bAPP_KEY\s{0,3}[:=]\s{0,3}["']?base64:([A-Za-z0-9+/]{40,100}={0,2})/g },
  // `.dockerconfigjson: value`
  {
    kind: 'docker',
    pattern: /dockerconfigjson\\{0,3}["']?\s{0,3}:\s{0,3}\\{0,3}["']?(eyJ[A-Za-z0-9+/]{20,}={0,2})/g,
  },
  // `Mail__Pass=abcd efgh ijkl mnop`, as Google makes them for an app
  {
    kind: 'password',
    needs: PASSWORD,
    pattern:
      /pass(?:word)?["']?\s{0,3}[:=]\s{0,3}["'`]?([a-z]{4}(?: [a-z]{4}){3})(?=["'`,;]{0,2}\s{0,3}(?:\n|$))/gi,
    isSecret: isPassphrase,
  },
  // `"value": "value", "type": "string", "sensitive": true`, as Terraform's outputs say of themselves
  {
    kind: 'terraform',
    pattern:
      /"value"\s{0,3}:\s{0,3}"((?:[^"\\\n]|\\.){4,4000})"(?=,\s{0,40}"type"[^{}]{1,100}?,\s{0,40}"sensitive"\s{0,3}:\s{0,3}true)|"sensitive"\s{0,3}:\s{0,3}true,\s{0,40}"type"[^{}]{1,100}?,\s{0,40}"value"\s{0,3}:\s{0,3}"((?:[^"\\\n]|\\.){4,4000})"/g,
  },
  // `machine example.org login ada password value`
  {
    kind: 'netrc',
    needs: PASSWORD,
    pattern: new RegExp(
      `\\bmachine\\s+\\S{1,200}${NEXT_WORD}login\\s+\\S{1,100}${NEXT_WORD}password\\s+([^\\s$<]{4,200})|\\bmachine\\s+\\S{1,200}\\.\\S{1,200}${NEXT_WORD}password\\s+([^\\s$<]{4,200})${NEXT_WORD}login\\b|\\blogin\\s+\\S{1,64}\\s+password\\s+(?=[^\\s$<]*[^\\sa-zA-Z.,;:()])([^\\s$<]{4,200})`,
      'g',
    ),
  },
  // `localhost:5432:till:ada:value`
  {
    kind: 'pgpass',
    needs: PORT,
    pattern:
      /(?<![^\s"'→])(?:\*|localhost|[\w-]{1,64}(?:\.[\w-]{1,64}){1,6}):(?:\d{4,5}|\*):[\w*-]{1,64}:[\w.*@-]{1,64}:([^\s"'$<:]{3,200})(?![^\s"'])/g,
  },
  // `host=db user=ada password=value`
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
  // `_auth=value`
  {
    kind: 'npm',
    pattern: /(?<![\w.])_auth\s{0,3}=\s{0,3}["']?([A-Za-z0-9+/]{8,}={0,2})/g,
    isSecret: isBasicAuth,
  },
  // Of Bundler, for a host: `BUNDLE_GEMS__EXAMPLE__ORG=ada:value`
  {
    kind: 'bundler',
    pattern: /\bBUNDLE_\w{1,80}__[A-Z]{2,10}["']?\s{0,3}[:=]\s{0,3}["']?[^\s:"'$]{1,64}:([^\s"'$<]{4,200})/g,
  },
  // `"auth": "value"`
  { kind: 'docker', pattern: /"auth\\{0,3}"\s{0,3}:\s{0,3}\\{0,3}"([A-Za-z0-9+/]{16,}={0,2})/g },
  // `<password>value</password>`
  {
    kind: 'xml',
    pattern: /<(?:password|passphrase|secret|api-?key|(?:auth|access)?-?token)>([^<>\s$]{6,5000})<\//gi,
  },
];

export const FORMATS: RuleFamily = { rules: RULES, words: WORDS, signs: SIGNS };
