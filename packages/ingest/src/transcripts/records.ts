// A line as a JSON object, and its fields as what they should be.
import { errorMessage, isObject, jsonValue } from '@causantic/domain';
import type { FileLine } from './lines.js';
import { shortenLongStrings } from './long-lines.js';

export { isObject, jsonValue };
export type JsonObject = Record<string, unknown>;

/** Lines above this are searched for huge strings before they are parsed. */
const LONG_LINE_BYTES = 1 << 20;

/** Where a line breaks off and the next record follows. */
const RECORD_START = '{"';
const MAX_RECORD_STARTS_TRIED = 50;
/** Far more than ever stand in one line without line breaks between them. */
const MAX_RECORDS = 50;

/** Beside a type, what a record of Claude Code and Qwen Code, of Codex, and of Gemini and Copilot has, in this order. */
const RECORD_MARKS = ['uuid', 'sessionId', 'payload', 'id'];

export interface ParsedRecord {
  record: JsonObject | null;
  /** What is wrong with the line. There may still be a record after the damage. */
  issue?: Issue;
}

interface Issue {
  code: string;
  message: string;
}

/**
 * The JSON objects in a line; at least one entry. There are several if a client appended to a file that did not end in a
 * line break. Blank lines and an unfinished last line are not issues.
 */
export function parseLine(line: FileLine): ParsedRecord[] {
  const bytes = line.bytes.length > LONG_LINE_BYTES ? shortenLongStrings(line.bytes) : line.bytes;
  const text = bytes.toString('utf8');
  const { records, rest } = recordsAtStart(text);
  const parsed: ParsedRecord[] = records.map((record) => ({ record }));
  if (line.terminated && rest.trim() !== '') parsed.push(...fromDamaged(rest, text.length - rest.length));
  return parsed.length > 0 ? parsed : [{ record: null }];
}

/** The objects that a text begins with, and what stands behind them. */
function recordsAtStart(text: string): { records: JsonObject[]; rest: string } {
  const records: JsonObject[] = [];
  let rest = text;
  while (rest.trim() !== '' && records.length < MAX_RECORDS) {
    const { value, end } = valueAtStart(rest);
    if (!isObject(value)) break;
    records.push(value);
    rest = rest.slice(end);
  }
  return { records, rest };
}

/** The whole text, or the object that it begins with. */
function valueAtStart(text: string): { value: unknown; end: number } {
  try {
    return { value: JSON.parse(text) as unknown, end: text.length };
  } catch (error) {
    const end = placeOf(error) ?? 0;
    return { value: jsonIn(text.slice(0, end)), end };
  }
}

/** Where the JSON broke, in characters; null if the engine does not say. */
function placeOf(error: unknown): number | null {
  const place = /position (\d+)/.exec(errorMessage(error))?.[1];
  return place === undefined ? null : Number(place);
}

/** @param before number of the line's characters before the text */
function fromDamaged(text: string, before: number): ParsedRecord[] {
  const [first = null, ...others] = recordsBehindDamage(text);
  return [{ record: first, issue: issueOf(text, before) }, ...others.map((record) => ({ record }))];
}

/** The engine's own message quotes the text, which may hold a secret. */
function issueOf(text: string, before: number): Issue {
  const code = 'invalid-json';
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value)
      ? { code, message: `more than ${MAX_RECORDS} records in one line, the next at character ${before}` }
      : { code: 'not-an-object', message: `expected an object, got ${kindOf(value)}` };
  } catch (error) {
    const place = placeOf(error);
    const where = place === null ? '' : ` (at character ${before + place})`;
    return { code, message: `the line is not valid JSON${where}` };
  }
}

function kindOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}

/** Whole records that were appended to a half-written one, as after a crash of the writer. */
function recordsBehindDamage(text: string): JsonObject[] {
  let at = text.indexOf(RECORD_START, 1);
  for (let tries = 0; at !== -1 && tries < MAX_RECORD_STARTS_TRIED; tries++) {
    const { records, rest } = recordsAtStart(text.slice(at));
    const [record] = records;
    const isWhole = rest.trim() === '';
    if (isWhole && record && 'type' in record && RECORD_MARKS.some((mark) => mark in record)) return records;
    at = text.indexOf(RECORD_START, at + 1);
  }
  return [];
}

/** The JSON object that a text is; null for any other text. */
export function jsonIn(text: string): JsonObject | null {
  const value = jsonValue(text);
  return isObject(value) ? value : null;
}

export function stringOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Milliseconds since the epoch of a date in any form that JavaScript reads; null for anything else. */
export function timeMsOf(value: unknown): number | null {
  const time = typeof value === 'string' ? Date.parse(value) : NaN;
  return Number.isNaN(time) ? null : time;
}

/** A number of milliseconds since the epoch, whole; null for anything else, and for what no calendar has. */
export function timeMsOfNumber(value: unknown): number | null {
  const time = typeof value === 'number' ? new Date(value).getTime() : NaN;
  return Number.isNaN(time) ? null : time;
}
