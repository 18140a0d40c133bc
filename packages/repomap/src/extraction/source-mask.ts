import { literally } from '@causantic/domain';
import { blanked, endOfLine } from './lines.js';
import { matchFrom } from './match-from.js';
import { ParseTimeoutError } from './parse-timeout.js';

/** A kind of string: how it opens, closes, escapes, and where code stands inside it. */
export interface StringSyntax {
  /** Sticky if it is a pattern. */
  open: string | RegExp;
  close: string;
  /** Whether the last quotes of a longer row close it: `""""quoted""""`. */
  closesLast?: boolean;
  /** Takes the next character's meaning away; none in raw strings. */
  escape?: string;
  /** Otherwise a line's end closes it, so that one stray quote costs a line and not the file. */
  multiline?: boolean;
  /** Opens code inside the string, up to its balanced bracket: `${`, `#{`, `\(`. */
  interpolation?: string;
}

/** What is no code in a language. Longer openings stand before their own beginnings. */
export interface MaskSyntax {
  lineComments: readonly (string | RegExp)[];
  blockComments: readonly { open: string; close: string; nested?: boolean }[];
  strings: readonly StringSyntax[];
  /** One character in quotes, as opposed to a lone quote that means something else; sticky. */
  character?: RegExp;
  /**
   * A name in quotes, which may hold what elsewhere opens a comment or a string; sticky. Becomes one word, since it may
   * also hold what elsewhere defines something.
   */
  quotedName?: RegExp;
  /**
   * Anything else that is no code; sticky. The part before an empty group tells where it may begin: where the rest takes
   * long to match or to miss, time is looked at before each.
   */
  other?: readonly RegExp[];
}

/** Interpolations inside interpolations: far more than code has, few enough for the stack. */
const MAX_NESTING = 16;

/** How often the time is looked at: every so many openings. */
const OPENINGS_PER_CHECK = 64;

/**
 * @throws ParseTimeoutError after `deadlineMs` by `performance.now`
 * @returns the text with comments and strings blanked, and names in quotes as one word; lengths and line breaks stay what they were
 */
export function maskSource(text: string, syntax: MaskSyntax, deadlineMs = Infinity): string {
  return new SourceMask(text, syntax, deadlineMs).masked();
}

class SourceMask {
  private readonly parts: string[] = [];
  private kept = 0;
  private openings = 0;
  /** Finds the next place where anything but code may begin. */
  private readonly opening: RegExp;

  constructor(
    private readonly text: string,
    private readonly syntax: MaskSyntax,
    private readonly deadlineMs: number,
  ) {
    this.opening = openingOf(syntax);
  }

  masked(): string {
    this.code(0, undefined, 0);
    this.parts.push(this.text.slice(this.kept));
    return this.parts.join('');
  }

  /** Goes through code up to the bracket that closes it, or the end. */
  private code(start: number, bracket: readonly [string, string] | undefined, nesting: number): number {
    let at = start;
    for (let open = 0; at < this.text.length;) {
      at = bracket ? at : this.nextOpening(at);
      if (at >= this.text.length) break;
      const end = this.nonCode(at, nesting);
      if (end > at) {
        at = end;
        continue;
      }
      if (bracket && this.text[at] === bracket[0]) open++;
      if (bracket && this.text[at] === bracket[1] && open-- === 0) return at + 1;
      at++;
    }
    return at;
  }

  private nextOpening(at: number): number {
    return matchFrom(this.opening, this.text, at)?.index ?? this.text.length;
  }

  /** @returns where the comment, string or quoted name that begins here ends; `at` itself where none does */
  private nonCode(at: number, nesting: number): number {
    if (++this.openings % OPENINGS_PER_CHECK === 0 && performance.now() > this.deadlineMs) {
      throw new ParseTimeoutError('finding comments and strings took too long');
    }
    const nameLength = this.syntax.quotedName ? matchLength(this.syntax.quotedName, this.text, at) : 0;
    if (nameLength > 0) return this.replace(at, at + nameLength, asOneWord);
    for (const other of this.syntax.other ?? []) {
      const length = matchLength(other, this.text, at);
      if (length > 0) return this.blank(at, at + length);
    }
    for (const { open, close, nested } of this.syntax.blockComments) {
      if (this.text.startsWith(open, at))
        return this.blank(at, this.endOfBlock(at, open, close, nested ?? false));
    }
    for (const comment of this.syntax.lineComments) {
      if (lengthOf(comment, this.text, at) > 0) return this.blank(at, endOfLine(this.text, at));
    }
    for (const string of this.syntax.strings) {
      const opened = lengthOf(string.open, this.text, at);
      if (opened > 0) return this.string(at, opened, string, nesting);
    }
    const length = this.syntax.character ? matchLength(this.syntax.character, this.text, at) : 0;
    return length > 0 ? this.blank(at, at + length) : at;
  }

  private endOfBlock(at: number, open: string, close: string, nested: boolean): number {
    let depth = 1;
    let from = at + open.length;
    let inner = nested ? this.next(open, from) : Infinity;
    let end = this.next(close, from);
    while (depth > 0 && end < Infinity) {
      const opensFirst = inner < end;
      depth += opensFirst ? 1 : -1;
      from = opensFirst ? inner + open.length : end + close.length;
      // Each mark is looked for only behind the last one of its kind, so that all of it is read once.
      if (inner < from) inner = this.next(open, from);
      if (end < from) end = this.next(close, from);
    }
    return depth > 0 ? this.text.length : from;
  }

  private next(mark: string, from: number): number {
    const found = this.text.indexOf(mark, from);
    return found === -1 ? Infinity : found;
  }

  private string(start: number, opened: number, string: StringSyntax, nesting: number): number {
    let at = start + opened;
    let blankFrom = start;
    while (at < this.text.length) {
      if (this.text.startsWith(string.close, at)) return this.blank(blankFrom, this.endOfClose(at, string));
      if (this.text[at] === '\n' && !string.multiline) return this.blank(blankFrom, at);
      if (string.interpolation && nesting < MAX_NESTING && this.text.startsWith(string.interpolation, at)) {
        const codeStart = at + string.interpolation.length;
        this.blank(blankFrom, codeStart);
        blankFrom = this.code(codeStart, bracketsOf(string.interpolation), nesting + 1) - 1;
        at = blankFrom + 1;
      } else at += this.text[at] === string.escape ? 2 : 1;
    }
    return this.blank(blankFrom, this.text.length);
  }

  private endOfClose(at: number, { close, closesLast }: StringSyntax): number {
    let end = at + close.length;
    while (closesLast && this.text[end] === close[0]) end++;
    return end;
  }

  private blank(start: number, end: number): number {
    return this.replace(start, end, blanked);
  }

  private replace(start: number, end: number, by: (text: string) => string): number {
    const stop = Math.min(end, this.text.length);
    if (stop > this.kept) {
      const from = Math.max(start, this.kept);
      this.parts.push(this.text.slice(this.kept, from), by(this.text.slice(from, stop)));
      this.kept = stop;
    }
    return stop;
  }
}

function asOneWord(name: string): string {
  return name.replace(/\s/g, '_');
}

function bracketsOf(interpolation: string): readonly [string, string] {
  return interpolation.endsWith('(') ? ['(', ')'] : ['{', '}'];
}

/** @returns 0 where it does not begin */
function lengthOf(mark: string | RegExp, text: string, at: number): number {
  if (typeof mark !== 'string') return matchLength(mark, text, at);
  return text.startsWith(mark, at) ? mark.length : 0;
}

function matchLength(sticky: RegExp, text: string, at: number): number {
  return matchFrom(sticky, text, at)?.[0].length ?? 0;
}

function openingOf(syntax: MaskSyntax): RegExp {
  const alternatives = [
    ...(syntax.quotedName ? [syntax.quotedName.source] : []),
    ...(syntax.other ?? []).map(({ source }) => source.split('(?:)')[0]!),
    ...syntax.blockComments.map(({ open }) => literally(open)),
    ...[...syntax.lineComments, ...syntax.strings.map(({ open }) => open)].map((mark) =>
      typeof mark === 'string' ? literally(mark) : mark.source,
    ),
    ...(syntax.character ? [syntax.character.source] : []),
  ];
  return new RegExp(alternatives.map((alternative) => `(?:${alternative})`).join('|'), 'gm');
}
