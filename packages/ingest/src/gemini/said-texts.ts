import { createHash } from 'node:crypto';
import { type JsonObject, stringOf } from '../records.js';
import { contentParts, isClientsOwn, textOf } from './content.js';

/** A text that a person or the agent said, by hash, and the line where it stands first. */
type SaidText = [hash: string, line: number];

export interface SaidState {
  texts: SaidText[];
  /** When the latest record of a history that is being written again was written. */
  replayMs: number | null;
}

/** Texts remembered, and stored with the checkpoint. */
const MAX_TEXTS = 4_000;
/** The client writes a history in one go; a person needs longer to type. */
const LONGEST_PAUSE_MS = 2_000;

const CONTEXT = /^\s*<session_context\b/;

/** A message of a history that is written again. */
export interface WrittenAgain {
  /** Those of its parts that are new, as a summary of the others is. */
  news: JsonObject[];
  /** Where its texts stood first; null where none of them is known. */
  line: number | null;
}

/**
 * Whenever it shortens what the model gets, the client writes the whole history again: under new ids, at new times, with
 * neighbours of one role put together, in a list or message by message.
 */
export class SaidTexts {
  /** Where each text stands first, made when first asked for. */
  private lines: ReadonlyMap<string, number> | undefined;

  /** Replaced, never changed. */
  constructor(readonly state: SaidState = { texts: [], replayMs: null }) {}

  /** With a message's texts added. */
  adding(message: JsonObject, line: number): SaidTexts {
    const news = textsOf(message).map((text): SaidText => [hashOf(message, text), line]);
    return news.length === 0
      ? this
      : new SaidTexts({ ...this.state, texts: [...this.state.texts, ...news].slice(-MAX_TEXTS) });
  }

  /** Without what was taken back. */
  before(line: number): SaidTexts {
    return new SaidTexts({ texts: this.state.texts.filter(([, at]) => at < line), replayMs: null });
  }

  /** After a list, which ends what is written message by message. */
  settled(): SaidTexts {
    return this.state.replayMs === null ? this : new SaidTexts({ ...this.state, replayMs: null });
  }

  /** After a message with a new id: whether it belongs to a history that is written again message by message. */
  following(message: JsonObject, timeMs: number | null, isAgents: boolean): SaidTexts {
    const { texts, replayMs } = this.state;
    const goesOn =
      replayMs !== null && timeMs !== null && timeMs >= replayMs && timeMs - replayMs <= LONGEST_PAUSE_MS;
    const begins = texts.length > 0 && message['type'] === 'user' && this.isBeginning(message, isAgents);
    const nextMs = goesOn || begins ? timeMs : null;
    return nextMs === replayMs ? this : new SaidTexts({ texts, replayMs: nextMs });
  }

  get isReplay(): boolean {
    return this.state.replayMs !== null;
  }

  get isEmpty(): boolean {
    return this.state.texts.length === 0;
  }

  /** The context of the session stands at the beginning of all; nobody but the client repeats an agent's task. */
  private isBeginning(message: JsonObject, isAgents: boolean): boolean {
    if (contentParts(message['content']).some((part) => CONTEXT.test(stringOf(part['text']) ?? '')))
      return true;
    if (!isAgents) return false;
    const { news, line } = this.compare(message);
    return news.length === 0 && line !== null;
  }

  /** What is new in a message of a history that is written again; files and results are not. */
  compare(message: JsonObject): WrittenAgain {
    const lines = (this.lines ??= new Map(this.state.texts.toReversed()));
    const lineOf = (text: string): number | undefined => lines.get(hashOf(message, text));
    const parts = contentParts(message['content']);
    const whole = lineOf(textOf(parts));
    if (whole !== undefined) return { news: [], line: whole };
    const texts = parts.filter((part) => typeof part['text'] === 'string' && textOf([part]).trim() !== '');
    const known = texts.map((part) => lineOf(textOf([part])));
    const found = known.filter((line) => line !== undefined);
    return {
      news: texts.filter((part, at) => known[at] === undefined && !isClientsOwn(textOf([part]))),
      line: found.length === 0 ? null : Math.min(...found),
    };
  }
}

/** Ids by which the texts of a message are known in another session that takes them over: there they get new ones. */
export function uuidsOf(message: JsonObject): string[] {
  return textsOf(message).map((text) => sha256Of(message, text).toString('hex').slice(0, 32));
}

/** As a whole and in parts, since the client puts messages together and apart. */
function textsOf(message: JsonObject): string[] {
  const parts = contentParts(message['content']);
  const texts = [textOf(parts), ...parts.map((part) => textOf([part]))];
  return [...new Set(texts)].filter((text) => text.trim() !== '');
}

function hashOf(message: JsonObject, text: string): string {
  return sha256Of(message, text).toString('base64url').slice(0, 12);
}

function sha256Of(message: JsonObject, text: string): Buffer {
  const words = text.replace(/\s+/g, '');
  return createHash('sha256')
    .update(`${String(message['type'])} ${words}`)
    .digest();
}
