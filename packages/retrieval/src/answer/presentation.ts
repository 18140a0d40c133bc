import { APPROVED_PLAN, madeOnce, type Speaker, type TranscriptSource } from '@causantic/domain';
import type { StoredChunk } from '@causantic/storage';
import { formatDate } from './dates.js';

/** How a retrieved chunk was found. */
export type Source = 'vector' | 'keyword' | 'cluster' | 'graph' | 'entity';

/** A chunk in an answer. */
export interface Hit {
  chunk: StoredChunk;
  /** Ranking score, comparable within one answer. */
  score: number;
  /** 0 to 1: an estimate of how much of the question the chunk answers. */
  relevance: number;
  sources: Source[];
}

/** A chunk that is shown because it is adjacent to a hit. */
export function besideHit(hit: Hit, chunk: StoredChunk): Hit {
  return { ...hit, chunk, sources: ['graph'] };
}

/** So that episodes and histories, which sort by it, keep the order. */
const RELEVANCE_OF_NEXT = 0.98;

/** Chunks that are not ranked, as hits in this order. */
export function* hitsInOrder(chunks: Iterable<StoredChunk>): Generator<Hit> {
  let relevance = 1;
  for (const chunk of chunks) {
    yield { chunk, score: relevance, relevance, sources: ['keyword'] };
    relevance *= RELEVANCE_OF_NEXT;
  }
}

/** Units that the cl100k tokenizer never joins: words, groups of three digits, signs, and a space before a digit. */
const PIECES = /[A-Za-z]+|[0-9]{1,3}|[^\sA-Za-z0-9]| (?=[0-9])/gu;
/** With more, headers with names made of consonants were underestimated; with a name of 30 random letters they still are. */
const LETTERS_PER_TOKEN = 4;

/**
 * An upper bound of the tokens of short generated text such as a header, so that an answer never exceeds its budget.
 * Measured on headers with names of many kinds, it is 1.3 times their actual number.
 */
export function headerTokens(text: string): number {
  return (text.match(PIECES) ?? []).reduce((sum, piece) => sum + pieceTokens(piece), 0);
}

/** No byte is more than one token. */
function pieceTokens(piece: string): number {
  const code = piece.charCodeAt(0);
  const letter = code | 32;
  if (letter >= 97 && letter <= 122) return Math.ceil(piece.length / LETTERS_PER_TOKEN);
  return code < 128 ? 1 : Buffer.byteLength(piece);
}

/** `Found … relevant memory chunks (… tokens):`, above every answer. */
export const ANSWER_HEADER_TOKENS = 16;

/** The blank line between blocks, and what a tokenizer may lose at the seams. */
export const SEPARATOR_TOKENS = 3;

/** Whether a chunk directly continues the message of the other one. */
export function continuesFrom(before: StoredChunk | undefined, chunk: StoredChunk): boolean {
  return chunk.continues && before?.turnId === chunk.turnId && before.seq + 1 === chunk.seq;
}

/** Parts of one message follow on the next line, its paragraphs and another message behind a blank line. */
export function separatorBetween(before: StoredChunk | undefined, chunk: StoredChunk): string {
  if (before === undefined) return '';
  return continuesFrom(before, chunk) && !chunk.opensParagraph ? '\n' : '\n\n';
}

/** Chunks in sequence, as shown under a header. */
export function passageText(passage: readonly StoredChunk[]): string {
  const texts = passage.map((chunk, index) => {
    const before = passage[index - 1];
    const opening = separatorBetween(before, chunk) + openingBehind(before, chunk);
    return opening + shownText(chunk) + (isCutBefore(passage[index + 1], chunk) ? CUT : '');
  });
  return texts.join('');
}

/** Upper bound of the passage's tokens, with the blank line after it. */
export function passageTokens(passage: readonly StoredChunk[]): number {
  const tokens = passage.map((chunk, index) => {
    const opening = headerTokens(openingBehind(passage[index - 1], chunk));
    const cut = isCutBefore(passage[index + 1], chunk) ? CUT_TOKENS : 0;
    return opening + shownTokens(chunk) + cut + SEPARATOR_TOKENS;
  });
  return tokens.reduce((sum, each) => sum + each, 0);
}

/** Below text whose message goes on: without it, the beginning of a list or a plan is taken for all of it. */
const CUT = '\n[…]';
/** A line break is one. */
const CUT_TOKENS = headerTokens(CUT) + 1;

function isCutBefore(next: StoredChunk | undefined, chunk: StoredChunk): boolean {
  return chunk.goesOn && !(next !== undefined && continuesFrom(chunk, next));
}

/** The opening line of a chunk after another one; '' if it continues that one. */
export function openingBehind(before: StoredChunk | undefined, chunk: StoredChunk): string {
  return continuesFrom(before, chunk) ? '' : openingLine(chunk);
}

const SPEAKERS: Partial<Record<Speaker, string>> = { user: 'User', assistant: 'Assistant' };

/** `[… Edit src/a.ts]`: the line above text that begins inside a message, which itself does not say whose it is. */
export function openingLine(chunk: StoredChunk): string {
  const { continues, spans, tools, files } = chunk;
  const speaker = spans[0]?.speaker;
  if (!continues || speaker === undefined) return '';
  const name = nameOfKind(chunk) ?? SPEAKERS[speaker] ?? [tools[0], files[0]].filter(Boolean).join(' ');
  // A file may have any name, but the name must not start a line of its own.
  return name === '' ? '' : `[… ${name.replace(/[\s\p{Bidi_Control}]+/gu, ' ')}]\n`;
}

function nameOfKind(chunk: StoredChunk): string | undefined {
  if (chunk.kind === 'compaction') return 'Summary';
  if (isNote(chunk)) return 'Note';
  return chunk.isPlan ? 'Plan' : undefined;
}

/** Clients' names in chunk headers, in small letters; Claude Code, where most sessions come from, is not named. */
export const CLIENT_NAMES: Partial<Record<TranscriptSource, string>> = {
  'claude-code-notes': 'notes',
  codex: 'codex',
  gemini: 'gemini',
  copilot: 'copilot',
  qwen: 'qwen',
  opencode: 'opencode',
  cline: 'cline',
};

/** A client's name in lists of sessions; null for Claude Code. */
export function clientName(source: TranscriptSource): string | null {
  return CLIENT_NAMES[source] ?? null;
}

/** A section of a note is part of a turn in name only: none was asked for, or came of another. docs/decisions/0084-notes.md */
export function isNote({ source }: Pick<StoredChunk, 'source'>): boolean {
  return source === 'claude-code-notes';
}

/** Whose words a chunk has: its client, its agent, or both (`codex researcher`); null for Claude Code itself. */
export function agentLabel(chunk: Pick<StoredChunk, 'source' | 'agentName'>): string | null {
  return [clientName(chunk.source), chunk.agentName].filter(Boolean).join(' ') || null;
}

const PLAN = new RegExp(`^${APPROVED_PLAN}\\s*#*\\s*(?:Plan ?:\\s*)?(.{3,}?)(?:\\s#{1,6}\\s.*)?$`, 's');

/** `[$oil](/home/ada/skills/oil/SKILL.md)`, as editors write what was picked from a list; no address of a web page, no call. */
const PICKED = /(?<![\w)\]])\[([^[\]\n]{1,100})\]\((?!https?:)(?:[^()\n]|\([^()\n]{0,100}\)){1,400}\)/g;

/**
 * What a request says where there is little room: of a plan that was approved, and came back as a request, its title, and
 * of a file or a skill that was picked its name.
 */
export function plainRequest(request: string): string {
  return request.replace(PLAN, 'plan: $1').replace(PICKED, '$1');
}

/** Lines that look like a header or boundary in an answer or in the output of a hook, or as if somebody spoke. */
const LIKE_HEADER =
  /^(?:\[Session: \S+ \| |=== Session \S+ \| |--- (?:Main agent|Agent: .{1,300}|Episode \d+ of \d+) ---$|\[.{1,300}, session [\w-]{8,40}\]$|\[(?:asked|proposed|committed|files): |(?:User|Assistant): )/gm;
const QUOTE = '> ';
const QUOTE_TOKENS = 2;

/**
 * A chunk's text under its header. If the text itself contains a header, a tool printed it, as this memory's own tools do,
 * or somebody forged it, and so it is with a `User: ` before words that are nobody's. It is shown as a quotation, so that
 * the words below it are not taken for another session's, nor those of a file or a web page for the person's.
 */
export function shownText(chunk: StoredChunk): string {
  let text = chunk.text;
  for (const place of linesLikeHeader(chunk).toReversed())
    text = text.slice(0, place) + QUOTE + text.slice(place);
  return text;
}

/** Upper bound of the tokens of the shown text. */
export function shownTokens(chunk: StoredChunk): number {
  return chunk.tokens + QUOTE_TOKENS * linesLikeHeader(chunk).length;
}

/** What fits is asked several times for a chunk. */
const linesLikeHeaderOf = new WeakMap<StoredChunk, readonly number[]>();

/** Where they begin. */
function linesLikeHeader(chunk: StoredChunk): readonly number[] {
  return madeOnce(linesLikeHeaderOf, chunk, () => {
    const found = [...chunk.text.matchAll(LIKE_HEADER)].filter((line) => !isLabel(chunk, line));
    return found.map(({ index }) => index);
  });
}

/** Whether it says whose words begin there. */
function isLabel({ spans }: StoredChunk, { 0: label, index }: RegExpExecArray): boolean {
  return spans.some(
    ({ speaker, start }) =>
      `${SPEAKERS[speaker]}: ` === label && (start === index || start === index + label.length),
  );
}

/** `[Session: a1b2c3d4 | my-app | Feb 8, 2026 | researcher | keyword+entity | 87%]` */
export function hitHeader(hit: Hit): string {
  const { chunk } = hit;
  const parts = [
    `Session: ${chunk.sessionShortId}`,
    chunk.projectSlug,
    formatDate(chunk.startTimeMs),
    ...[agentLabel(chunk)].filter((agent) => agent !== null),
    hit.sources.join('+'),
    `${Math.round(hit.relevance * 100)}%`,
  ];
  return `[${parts.join(' | ')}]`;
}

/** A header names session, agent and day. */
export function isUnderOneHeader(a: StoredChunk, b: StoredChunk): boolean {
  return (
    a.sessionId === b.sessionId &&
    a.agentId === b.agentId &&
    formatDate(a.startTimeMs) === formatDate(b.startTimeMs)
  );
}
