// Finds secrets in a text by rules of our own.
import { madeOnce } from '@causantic/domain';
import { COMMAND_RULES, SIGNS_OF_COMMANDS, WORDS_OF_COMMANDS } from './rules/commands.js';
import { FORMAT_RULES, SIGNS_OF_FORMATS, WORDS_OF_FORMATS } from './rules/formats.js';
import { FORM_RULES, SIGNS_OF_FORMS, WORDS_OF_FORMS } from './rules/known-forms.js';
import { secretsInParts, SIGNS_OF_PARTS, WORDS_OF_PARTS } from './rules/parts.js';
import { SENTENCE_RULES, SIGNS_OF_SENTENCES, WORDS_OF_SENTENCES } from './rules/sentences.js';
import { SETTING_RULES, SIGNS_OF_SETTINGS, WORDS_OF_SETTINGS } from './rules/settings.js';
import { WORDS_OF_NAMES } from './secret-names.js';
import { anyOf, rangeOf, type SecretRange, type SecretRule } from './secret-rule.js';
import { isNoSecret } from './secret-values.js';
import { nextToken, serviceTokens } from './service-tokens.js';

/** What the preset does not look for. Of rules that find the same, the first says what it is. */
const RULES = [...COMMAND_RULES, ...SENTENCE_RULES, ...FORMAT_RULES, ...FORM_RULES, ...SETTING_RULES];

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
  return [...text.matchAll(pattern)].flatMap((match) => {
    const secret = match.slice(1).find((group) => group !== undefined) ?? match[0];
    return isNoSecret(secret) || !isSecret(secret, match) ? [] : [rangeOf(kind, match, secret)];
  });
}

/** A text without any of them holds no secret that the rules would see, and is passed in one scan instead of a hundred. */
const POSSIBLE_SECRET = anyOf(
  [
    ...WORDS_OF_NAMES,
    ...WORDS_OF_COMMANDS,
    ...WORDS_OF_SENTENCES,
    ...WORDS_OF_FORMATS,
    ...WORDS_OF_FORMS,
    ...WORDS_OF_SETTINGS,
    ...WORDS_OF_PARTS,
    // What Terraform keeps of a password that it made up.
    '"bcrypt_hash"',
  ],
  [
    ...SIGNS_OF_COMMANDS,
    ...SIGNS_OF_SENTENCES,
    ...SIGNS_OF_FORMATS,
    ...SIGNS_OF_FORMS,
    ...SIGNS_OF_SETTINGS,
    ...SIGNS_OF_PARTS,
  ],
  'i',
);

/** Whether it is worth to look at all: most texts hold none. */
export function mayHoldSecret(text: string): boolean {
  return POSSIBLE_SECRET.test(text) || nextToken(text, 0) !== undefined;
}
