// Secrets of which a text may hold several in one part: in a header of cookies, a list, a here-document.
import { rangeOf, type SecretRange, type SignsOfSecrets } from '../secret-rule.js';
import { REST_OF_COMMAND } from './commands.js';

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

/** What stands in a text with such a part, beside names of secrets and of commands. */
export const SIGNS_OF_PARTS: SignsOfSecrets = {
  words: ['cookie|NetworkCredential|-Password $|custom-headers'],
  signs: ['\\t(?:TRUE|FALSE)\\t'],
};

export function secretsInParts(text: string): SecretRange[] {
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
