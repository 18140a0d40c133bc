// A line as a JSON object, and its fields as what they should be.
import { errorMessage } from '@causantic/domain';
import type { FileLine } from './lines.js';
import { shortenLongStrings } from './long-lines.js';

export type JsonObject = Record<string, unknown>;

/** Lines above this are searched for huge strings before they are parsed. */
const LONG_LINE_BYTES = 1 << 20;

/** Where a line breaks off and the next record follows. */
const RECORD_START = '{"';
const MAX_RECORD_STARTS_TRIED = 50;

/** Beside a type, what a record of Claude Code and Qwen Code, of Codex, and of Gemini and Copilot has, in this order. */
const RECORD_MARKS = ['uuid', 'sessionId', 'payload', 'id'];

export interface ParsedLine {
  record: JsonObject | null;
  /** What is wrong with the line. There may still be a record after the damage. */
  issue?: { code: string; message: string };
}

/** The JSON object in a line. Blank lines and an unfinished last line are not issues. */
export function parseLine(line: FileLine): ParsedLine {
  const bytes = line.bytes.length > LONG_LINE_BYTES ? shortenLongStrings(line.bytes) : line.bytes;
  const text = bytes.toString('utf8');
  if (text.trim() === '') return { record: null };
  try {
    return fromValue(JSON.parse(text));
  } catch (error) {
    if (!line.terminated) return { record: null };
    return { record: recordBehindDamage(text), issue: { code: 'invalid-json', message: damageOf(error) } };
  }
}

/** Where the JSON broke; the engine's own message quotes the text, which may hold a secret. */
function damageOf(error: unknown): string {
  const position = /position (\d+)/.exec(errorMessage(error))?.[1];
  return position === undefined
    ? 'the line is not valid JSON'
    : `the line is not valid JSON (at character ${position})`;
}

function fromValue(value: unknown): ParsedLine {
  if (isObject(value)) return { record: value };
  return {
    record: null,
    issue: { code: 'not-an-object', message: `expected an object, got ${kindOf(value)}` },
  };
}

function kindOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}

/** A whole record that was appended to a half-written one, as after a crash of the writer. */
function recordBehindDamage(text: string): JsonObject | null {
  let at = text.indexOf(RECORD_START, 1);
  for (let tries = 0; at !== -1 && tries < MAX_RECORD_STARTS_TRIED; tries++) {
    const record = jsonIn(text.slice(at));
    if (record && 'type' in record && RECORD_MARKS.some((mark) => mark in record)) return record;
    at = text.indexOf(RECORD_START, at + 1);
  }
  return null;
}

/** The JSON object that a text is; null for any other text. */
export function jsonIn(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
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
