// Finds secrets by secretlint's recommended rules.
import { rules as presetRules } from '@secretlint/secretlint-rule-preset-recommend';
import { FORM } from './rules/known-forms.js';
import type { SecretRange } from './secret-rule.js';
import { isNoSecret, isRandom } from './secret-values.js';

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

/** As manuals have it: `postgres://ada:[YOUR-PASSWORD]@db`, `https://user:pass@example.org` */
const PLACEHOLDER_IN_URL = /:(?:\[[A-Za-z][\w -]*\]|pass(?:word|wd)?)@/i;

/** A variable with a setting of npm's has the form of a token. */
const NPM_SETTING = 'npm_config_';

/** A token in `.npmrc`, which may be a placeholder. */
const NPM_TOKEN = /_authToken=([^\s"']{0,200})/y;

const found: SecretRange[] = [];
const scanners = (presetRules as unknown as Rule[])
  .filter((rule) => !NOT_FOR_TEXT.test(rule.meta.id))
  .map((rule) => createScanner(rule));

function createScanner(rule: Rule): (text: string) => void {
  const kind = rule.meta.id.replace(/^.*secretlint-rule-/, '');
  const context = {
    sharedOptions: {},
    createTranslator: () => () => ({ message: '', messageId: '' }),
    report: ({ range: [start, end] }: RuleReport) => found.push({ kind, start, end }),
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
  if (!FORM.test(text) && !OF_PRESET.test(text)) return [];
  found.length = 0;
  for (const scan of scanners) scan(text);
  return found
    .filter(({ start }) => !text.startsWith(NPM_SETTING, start))
    .filter(({ start, end }) => !PLACEHOLDER_IN_URL.test(text.slice(start, end)))
    .filter(({ start }) => !isPlaceholderOfNpm(text, start))
    .map(({ kind, start, end }) => ({ kind, start, end: beforeQuote(text, end) }));
}

function isPlaceholderOfNpm(text: string, at: number): boolean {
  NPM_TOKEN.lastIndex = at;
  const token = NPM_TOKEN.exec(text)?.[1];
  return token !== undefined && isNoSecret(token) && !isRandom(token);
}

/** Where a secret ends: some rules go on to the next blank, over the quote behind it and what follows that. */
function beforeQuote(text: string, end: number): number {
  let at = end;
  while (/["'`,;)\]}>\\\s]/.test(text.charAt(at - 1))) at--;
  return at;
}

/** What secretlint's rules need beside the forms. Those that are not known here would not be tried. */
const OF_PRESET =
  /access_?key|account|authtoken|:\/\/[^\s/]{0,514}@|hooks\.slack|private key|mongodb|mysql|postgres|gsk_|gl(?:c|sa)_|ntn_|hv[sbr]\.|vc[piark]_|vercel|dapi|dckr_|figd_/i;
