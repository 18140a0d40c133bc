// Finds secrets in a text by rules of our own.
import { madeOnce } from '@causantic/domain';
import { COMMANDS } from './rules/commands.js';
import { FORMATS } from './rules/formats.js';
import { KNOWN_FORMS } from './rules/known-forms.js';
import { secretsInParts, SIGNS_OF_PARTS } from './rules/parts.js';
import { SENTENCES } from './rules/sentences.js';
import { SETTINGS } from './rules/settings.js';
import { WORDS_OF_NAMES } from './secret-names.js';
import { anyOf, rangeOf, type SecretRange, type SecretRule } from './secret-rule.js';
import { isNoSecret } from './secret-values.js';
import { nextToken, serviceTokens } from './service-tokens.js';

/** What the preset does not look for. Of rules that find the same, the first says what it is. */
const FAMILIES = [COMMANDS, SENTENCES, FORMATS, KNOWN_FORMS, SETTINGS];
const RULES = FAMILIES.flatMap(({ rules }) => rules);
const SIGNS = [...FAMILIES, SIGNS_OF_PARTS];

/** Secrets that rules of our own see in a text, in no order; they may overlap. */
export function otherSecrets(text: string): SecretRange[] {
  return [...serviceTokens(text), ...secretsInParts(text), ...secretsByRules(text)];
}

function secretsByRules(text: string): SecretRange[] {
  const known = new Map<RegExp, boolean>();
  const has = (needed: RegExp): boolean => madeOnce(known, needed, () => needed.test(text));
  return RULES.flatMap((rule) => (rule.needs === undefined || has(rule.needs) ? secretsBy(rule, text) : []));
}

function secretsBy({ kind, pattern, isSecret = () => true }: SecretRule, text: string): SecretRange[] {
  const ranges: SecretRange[] = [];
  // `matchAll` would make a pattern of its own for each text, which costs more than to look through most of them.
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const secret = match.slice(1).find((group) => group !== undefined) ?? match[0];
    if (!isNoSecret(secret) && isSecret(secret, match)) ranges.push(rangeOf(kind, match, secret));
  }
  return ranges;
}

/** A text without any of them holds no secret that the rules would see, and is passed in one scan instead of a hundred. */
const POSSIBLE_SECRET = anyOf(
  [
    ...WORDS_OF_NAMES,
    ...SIGNS.flatMap(({ words }) => words),
    // What Terraform keeps of a password that it made up.
    '"bcrypt_hash"',
  ],
  SIGNS.flatMap(({ signs }) => signs),
  'i',
);

/** Whether it is worth to look at all: most texts hold none. */
export function mayHoldSecret(text: string): boolean {
  return POSSIBLE_SECRET.test(text) || nextToken(text, 0) !== undefined;
}
