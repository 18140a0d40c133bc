import { withoutControls } from '@causantic/domain';
import { plainName } from '../text/plain-text.js';
import { type JsonObject, isObject, stringOf } from '../transcripts/records.js';
import { presetSecrets } from './preset-secrets.js';
import { END_OF_PRIVATE_KEY, PRIVATE_KEY } from './rules/known-forms.js';
import { SECRET_FIELD } from './secret-names.js';
import type { SecretRange } from './secret-rule.js';
import { mayHoldSecret, otherSecrets } from './secret-rules.js';
import { isLoneSecret, isPassphrase, isRandom } from './secret-values.js';
import { structuredSecrets } from './structured-secrets.js';

/** Text between these tags is never stored. */
export const PRIVATE_TAG = /<(\/?)private\s*>/gi;
const PRIVATE_MARK = '[private]';

/** A cookie has 4,096 at most. Where a text is cut, so much more is looked at, so that a secret is seen whole. */
export const LONGEST_SECRET_CHARS = 5_000;

/** Longer texts are scanned in pieces, which overlap so that each secret is whole in one of them. */
const MAX_SCAN_CHARS = 200_000;

/** Rules look at this many characters of a value at the least. What is longer goes on as far as it is of one word. */
const LEAST_BOUND_CHARS = 200;
const REST_OF_VALUE = /[\w+/.~=%-]*/y;

/** A dollar sign in a value, as in a password for a command, ends what most rules look at. */
const BEHIND_DOLLAR = /(?:\\{0,3}\$[\w!@#%^&*.+~-]*)+/y;

/** A longer reply is what some program printed. */
const MAX_REPLY_LINES = 10;
/** A word that stands alone on its line, also as one of several answers, or behind the name of a setting. */
const REPLY =
  /^([ \t]{0,20}(?:(?:\d{1,2}[.)]|[-*])[ \t]{1,4})?(?:\w{1,60}=)?)(\S{8,500})(?=[ \t\r]{0,20}$)/gm;

/** A terminal breaks a token that is longer than its line, and what is copied from there keeps the break. A file's name is none. */
const NEXT_LINE = /\r?\n[ \t]{0,20}(?!\S{1,500}\.\w{1,5}(?:["'`\s]|$))([\w+/.-]{12,}={0,2})(?=["'`\s]|$)/y;
const LEAST_BROKEN_CHARS = 40;
/** Of what stands in a quote that no sign ends in its line. */
const LEAST_QUOTED_CHARS = 8;

/** No tool nests its input deeper; a hostile one must not exhaust the stack. */
const MAX_INPUT_DEPTH = 20;

const HEADER_FIELD = /^(?:cookie|set-cookie|authorization)$/i;

const PASSWORD_FIELD = /(?:pass(?:word|wd|phrase)|pwd)$/i;

/** In `pwd`, which is a shell's word for where it is. */
const FOLDER = /^(?:~?\/|[a-z]:[\\/])/i;

/** Lists of variables, of headers and of a form's fields have the name beside its value, as what is typed into a page has. */
const LABELS = ['name', 'key', 'element', 'selector', 'label'];
const LABELLED = new Set(['value', 'text']);

/** Before the value of an option, as in a list of arguments. */
const OPTION = /^--[\w-]{1,60}$/;

/** Whether a person's words have a line that is a secret where one was asked for. */
export function saysLoneSecret(text: string): boolean {
  return [...text.matchAll(REPLY)].some(([, , word]) => isLoneSecret(word!));
}

/** Removes secrets and private parts from texts, and counts them by kind. */
export class Redactor {
  readonly counts: Record<string, number> = {};

  /** The text without its private parts and terminal controls, each secret replaced by `[REDACTED:<kind>]`. */
  clean(text: string): string {
    const shown = this.cleanLongParts(text);
    return mayHoldSecret(shown) ? this.replaceSecrets(shown) : shown;
  }

  /** What a person says who was asked for a secret, and maybe for more. */
  cleanReply(text: string): string {
    if (text.split('\n', MAX_REPLY_LINES + 1).length > MAX_REPLY_LINES) return this.clean(text);
    const shown = text.replace(REPLY, (line, before: string, word: string) =>
      isLoneSecret(word) ? before + this.count('told', '[REDACTED:told]') : line,
    );
    return this.clean(shown);
  }

  /** For a label or a header. */
  cleanName(text: string): string {
    return plainName(this.clean(text));
  }

  /** Removes secrets that may be longer than any margin and are known only by their start. Call this before cutting. */
  cleanLongParts(text: string): string {
    const shown = this.withoutPrivateParts(withoutControls(text));
    if (!shown.includes('PRIVATE KEY')) return shown;
    return this.withoutEndsOfKeys(
      shown.replace(PRIVATE_KEY, () => this.count('privatekey', '[REDACTED:privatekey]')),
    );
  }

  private withoutEndsOfKeys(text: string): string {
    let shown = '';
    let behind = 0;
    for (const { 0: end, 1: lines = '', index } of text.matchAll(END_OF_PRIVATE_KEY)) {
      const start = Math.max(behind, index - lines.length);
      shown += text.slice(behind, start) + this.count('privatekey', '[REDACTED:privatekey]');
      behind = index + end.length;
    }
    return shown + text.slice(behind);
  }

  /** Without what stands between the tags, parts within parts included; what is not closed goes on to the end. */
  private withoutPrivateParts(text: string): string {
    let shown = '';
    let behind = 0;
    let depth = 0;
    for (const { 0: tag, 1: slash, index } of text.matchAll(PRIVATE_TAG)) {
      if (!slash) {
        if (depth === 0) shown += text.slice(behind, index) + this.count('private', PRIVATE_MARK);
        depth++;
        behind = text.length;
      } else if (depth > 0) {
        depth--;
        behind = index + tag.length;
      }
    }
    return shown + text.slice(behind);
  }

  /** A tool's input with every name and string cleaned; a string in a field named like a secret counts as one. */
  cleanInput(input: JsonObject, depth = 0): JsonObject {
    const label = LABELS.map((name) => stringOf(input[name])).find((text) => text !== null);
    return Object.fromEntries(
      Object.entries(input).map(([name, value]) => [
        this.clean(name),
        this.cleanValue(LABELLED.has(name) && label ? label : name, value, depth + 1),
      ]),
    );
  }

  /** @param before the entry of a list that the value stands behind */
  private cleanValue(name: string, value: unknown, depth: number, before?: unknown): unknown {
    if (depth > MAX_INPUT_DEPTH) return '[…]';
    if (typeof value === 'number' && PASSWORD_FIELD.test(name))
      return this.cleanValue(name, `${value}`, depth);
    if (typeof value === 'string') {
      const mayBeSecret = value.length >= 6 && (!/\s|^[$[{<]/.test(value) || isPassphrase(value));
      const isFolder = /pwd$/i.test(name) && FOLDER.test(value);
      if (mayBeSecret && !isFolder && SECRET_FIELD.test(name)) return this.count('field', '[REDACTED:field]');
      // A header's value tells what it is by its name only, and an argument by its option.
      const option = typeof before === 'string' && OPTION.test(before) ? ` ${before} ` : '';
      const label = HEADER_FIELD.test(name) ? `${name}: ` : option;
      return this.clean(label + value).slice(label.length);
    }
    if (Array.isArray(value))
      return value.map((entry, at) => this.cleanValue(name, entry, depth + 1, value[at - 1]));
    return isObject(value) ? this.cleanInput(value, depth) : value;
  }

  private replaceSecrets(text: string): string {
    const ranges = joinOverlapping(secretsIn(text));
    let result = '';
    let at = 0;
    for (const { kind, start, end } of ranges) {
      result += text.slice(at, start) + this.count(kind, `[REDACTED:${kind}]`);
      at = end;
    }
    return at === 0 ? text : result + text.slice(at);
  }

  private count(kind: string, mark: string): string {
    this.counts[kind] = (this.counts[kind] ?? 0) + 1;
    return mark;
  }
}

/** Disjoint ranges in order; overlapping ones become one with the kind of the first. */
function joinOverlapping(ranges: SecretRange[]): SecretRange[] {
  const joined: SecretRange[] = [];
  for (const range of ranges.sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = joined.at(-1);
    if (last && range.start < last.end) last.end = Math.max(last.end, range.end);
    else joined.push({ ...range });
  }
  return joined;
}

function secretsIn(text: string): SecretRange[] {
  const ranges: SecretRange[] = [];
  for (
    let from = 0;
    from === 0 || from + LONGEST_SECRET_CHARS < text.length;
    from += MAX_SCAN_CHARS - LONGEST_SECRET_CHARS
  ) {
    const piece = text.slice(from, from + MAX_SCAN_CHARS);
    for (const { kind, start, end } of [
      ...presetSecrets(piece),
      ...otherSecrets(piece),
      ...structuredSecrets(piece),
    ]) {
      ranges.push({ kind, start: from + start, end: endOfValue(text, from + start, from + end) });
    }
  }
  return ranges;
}

/** Where a value ends that was looked at up to here. */
function endOfValue(text: string, start: number, end: number): number {
  let at = end;
  if (at - start >= LEAST_BOUND_CHARS) {
    REST_OF_VALUE.lastIndex = at;
    REST_OF_VALUE.test(text);
    at = REST_OF_VALUE.lastIndex;
  }
  BEHIND_DOLLAR.lastIndex = at;
  if (BEHIND_DOLLAR.test(text)) at = BEHIND_DOLLAR.lastIndex;
  const least = /["'`]/.test(text.charAt(start - 1)) ? LEAST_QUOTED_CHARS : LEAST_BROKEN_CHARS;
  while (at - start >= least && at - start < LONGEST_SECRET_CHARS) {
    NEXT_LINE.lastIndex = at;
    const next = NEXT_LINE.exec(text);
    if (!next || !isRandom(next[1]!)) break;
    at += next[0].length;
  }
  return at;
}
