import { rules as presetRules } from '@secretlint/secretlint-rule-preset-recommend';

/** A secret's place in a text. */
export interface SecretRange {
  kind: string;
  start: number;
  end: number;
}

interface RuleReport {
  range: readonly [number, number];
}

/** What is used of a rule of secretlint: its `file` method is synchronous for text. */
interface Rule {
  meta: { id: string };
  create(context: unknown, options: object): { file?(source: object): unknown };
}

/**
 * Left out: two rules that look at files (a key file, a service account's JSON), and the one that lets a comment
 * in the text switch the others off.
 */
const NOT_FOR_TEXT = /-(?:gcp|filter-comments)$/;

/** The npm rule picks its patterns by file name: `.npmrc` tokens and GitHub's old OAuth URLs. */
const FILE_NAMES = ['', '.npmrc'];

const found: SecretRange[] = [];
const scanners = (presetRules as unknown as Rule[])
  .filter((rule) => !NOT_FOR_TEXT.test(rule.meta.id))
  .map((rule) => createScanner(rule));

function createScanner(rule: Rule): (text: string) => void {
  const kind = rule.meta.id.replace(/^.*secretlint-rule-/, '');
  const context = {
    sharedOptions: {},
    createTranslator: () => () => ({ message: '', messageId: '' }),
    report: ({ range }: RuleReport) => found.push({ kind, start: range[0], end: range[1] }),
    ignore: () => undefined,
  };
  const { file } = rule.create(context, {});
  const fileNames = kind === 'npm' ? FILE_NAMES : [''];
  return (content) => {
    for (const filePath of fileNames) file?.({ filePath, content, contentType: 'text', ext: '' });
  };
}

/** Secrets that secretlint's recommended rules see in a text, in no order; they may overlap. */
export function presetSecrets(text: string): SecretRange[] {
  found.length = 0;
  for (const scan of scanners) scan(text);
  return [...found];
}

/** Also one that is cut off. */
export const PRIVATE_KEY =
  /-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----[\s\S]{0,10000}?(?:-----END (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----|$)/g;

/**
 * What the preset does not look for: keys too short for its check, tokens in headers and assignments,
 * passwords in URLs of any scheme. Group 1 is the secret where there is one, else the whole match.
 */
const OWN_RULES: readonly { kind: string; pattern: RegExp }[] = [
  { kind: 'jwt', pattern: /\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}/g },
  { kind: 'bearer', pattern: /\b(?:bearer|Bearer|BEARER)\s+([\w.~+/-]{20,}={0,2})/g },
  { kind: 'basicauth', pattern: /\b(?:basic|Basic|BASIC) +([A-Za-z0-9+/]{16,}={0,2})(?![\w+/])/g },
  {
    kind: 'url-password',
    pattern: /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@"'`<>]{0,100}:([^\s/@"'`<>]{3,200})@[\w[]/gi,
  },
  { kind: 'aws', pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g },
  { kind: 'anthropic', pattern: /\bsk-ant-[\w-]{24,}/g },
  { kind: 'openai', pattern: /\bsk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{32,}/g },
  { kind: 'stripe', pattern: /\b(?:sk|rk|whsec)_(?:live_|test_)?[A-Za-z0-9]{20,}/g },
  { kind: 'google', pattern: /\bAIza[\w-]{35}/g },
  { kind: 'google-oauth', pattern: /\b(?:ya29\.[\w-]{20,}|GOCSPX-[\w-]{20,})/g },
  { kind: 'gitlab', pattern: /\bglpat-[\w-]{20,}/g },
  { kind: 'huggingface', pattern: /\bhf_[A-Za-z0-9]{30,}/g },
  { kind: 'github', pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\w{50,})/g },
];

/** A name that holds a secret, at the end of an identifier: `API_KEY`, `db.password`, `clientSecret`. */
const SECRET_NAME =
  '(?:api[_-]?key|secret(?:[_-]?(?:key|access[_-]?key))?|(?:access|auth|refresh|session|id|api|bot|private|security)[_-]?token|password|passwd|pwd|passphrase|private[_-]?key|access[_-]?key|encryption[_-]?key|client[_-]?secret|authtoken|credentials?)';

/** `NAME=value`, `"name": "value"`, `--name value`; a quoted value may hold anything but its quote, and the quote may be cut off. */
const ASSIGNMENT = new RegExp(
  `(?<![A-Za-z])(?:[\\w.-]{0,60}[_.-]|[a-z0-9]{0,40})${SECRET_NAME}["'\`]?\\s{0,3}(?::=|=>|=(?!=)|:(?!:))\\s{0,3}(?:"([^"\\n]{6,512})"|'([^'\\n]{6,512})'|["'\`]?([^\\s"'\`,;<>(){}\\[\\]]{8,512}))`,
  'gi',
);

/** Values that are references, placeholders, types or code rather than secrets. */
const NO_SECRET =
  /^(?:\[REDACTED|[A-Za-z]:[\\/]|[/~]|\$|\{|<|%|process\.|os\.|env\.|import\.|config\.|self\.|this\.|props\.|options\.|your[_-]|my[_-]?(?:secret|password|key|token)|example|changeme|change-me|placeholder|redacted|x{3,}|\*{3,}|\.{3}|null|none|undefined|true$|false$|string|number|boolean|required|optional)/i;

/** Does a bare value look like a secret, not like a word or a piece of code? */
function isSecretValue(value: string, quoted: boolean): boolean {
  if (NO_SECRET.test(value) || /^(.)\1*$/.test(value)) return false;
  if (quoted) return !/\s/.test(value) && (/\d/.test(value) || /[^\w.\-/]/.test(value));
  return (
    /\d/.test(value) && /[A-Za-z]/.test(value) && !/[()[\]{}]|::|\/\//.test(value) && !/^[./~]/.test(value)
  );
}

/** Secrets that this module's own rules see in a text. */
export function otherSecrets(text: string): SecretRange[] {
  const ranges: SecretRange[] = [];
  for (const { kind, pattern } of OWN_RULES) {
    for (const match of text.matchAll(pattern)) {
      const secret = match[1] ?? match[0];
      const start = match.index + match[0].lastIndexOf(secret);
      if (!NO_SECRET.test(secret)) ranges.push({ kind, start, end: start + secret.length });
    }
  }
  for (const match of text.matchAll(ASSIGNMENT)) {
    const quoted = match[1] ?? match[2];
    const secret = quoted ?? match[3]!;
    const start = match.index + match[0].lastIndexOf(secret);
    if (isSecretValue(secret, quoted !== undefined))
      ranges.push({ kind: 'assignment', start, end: start + secret.length });
  }
  return ranges;
}

/** Is a field of this name likely to hold a secret? */
export const SECRET_FIELD = new RegExp(`(?:^|[_.-]|[a-z])${SECRET_NAME}$`, 'i');

/**
 * A word that some rule needs: a text without any of them holds no secret that the rules would see, and is passed
 * in one scan instead of forty.
 */
export const POSSIBLE_SECRET =
  /api[_-]?key|secret|token|passw|pwd|passphrase|private.?key|access.?key|encryption.?key|credential|bearer|basic |AKIA|ASIA|A3T|AGPA|AIDA|AROA|AIPA|ANPA|ANVA|account|eyJ|:\/\/[^\s/]{0,200}@|oauth|npm_|xox[bpaor]-|xapp-|hooks\.slack|sk[-_]|rk_|whsec|SG\.|shp|gh[pousr]_|github_pat|glpat-|hf_|AIza|ya29|GOCSPX|ops_ey|lin_api|T3BlbkFJ|mongodb|mysql|postgres/i;
