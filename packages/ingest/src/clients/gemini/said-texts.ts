import { type JsonObject, stringOf } from '../../transcripts/records.js';
import { recordId, textHash } from '../../text/text-hash.js';
import { contentParts, isClientsOwn, isSessionContext, textOf } from './content.js';

/** A text that a person or the agent said, by hash, and the line where it stands first. */
type SaidText = [hash: string, line: number];

export interface SaidState {
  texts: SaidText[];
  /** When the latest record of a history that is being written again was written. */
  replayMs: number | null;
  /** The last texts, by hash: the same words are said in many sessions, but not behind the same question and answer. */
  latest?: string[];
}

/** Texts remembered, and stored with the checkpoint. */
const MAX_TEXTS = 4_000;
/** The client writes a history in one go; a person needs longer to type. */
const LONGEST_PAUSE_MS = 2_000;
/** Notices of the client's stand between what they say, and not in a history that it writes again. */
const SPEAKERS = new Set<unknown>(['user', 'gemini']);
/** A question and its answer. */
const LATEST_TEXTS = 2;

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

  /** Behind a message, whether its texts are known or not. */
  behind(message: JsonObject): SaidTexts {
    const latest = apartIn(message).reduce((before, text) => latestWith(before, message, text), this.latest);
    return new SaidTexts({ ...this.state, latest });
  }

  /** Ids by which the texts of the next message are known in another session that takes them over: there they get new ones. */
  uuidsOf(message: JsonObject): string[] {
    const whole = textOf(contentParts(message['content']));
    if (whole.trim() === '') return [];
    const uuids = new Set([uuidOf(message, whole, this.latest)]);
    let { latest } = this;
    for (const text of apartIn(message)) {
      uuids.add(uuidOf(message, text, latest));
      latest = latestWith(latest, message, text);
    }
    return [...uuids];
  }

  private get latest(): string[] {
    return this.state.latest ?? [];
  }

  /** Without what was taken back. */
  before(line: number): SaidTexts {
    const texts = this.state.texts.filter(([, at]) => at < line);
    return new SaidTexts({ texts, replayMs: null, latest: texts.slice(-LATEST_TEXTS).map(([hash]) => hash) });
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
    return nextMs === replayMs ? this : new SaidTexts({ ...this.state, replayMs: nextMs });
  }

  get isReplay(): boolean {
    return this.state.replayMs !== null;
  }

  get isEmpty(): boolean {
    return this.state.texts.length === 0;
  }

  /** The context of the session stands at the beginning of all; nobody but the client repeats an agent's task. */
  private isBeginning(message: JsonObject, isAgents: boolean): boolean {
    if (contentParts(message['content']).some((part) => isSessionContext(stringOf(part['text']) ?? '')))
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

/** As a whole and in parts, since the client puts messages together and apart. */
function textsOf(message: JsonObject): string[] {
  const whole = textOf(contentParts(message['content']));
  return [...new Set([whole, ...apartIn(message)])].filter((text) => text.trim() !== '');
}

function apartIn(message: JsonObject): string[] {
  const texts = contentParts(message['content']).map((part) => textOf([part]));
  return texts.filter((text) => text.trim() !== '');
}

function latestWith(latest: string[], message: JsonObject, text: string): string[] {
  const isSaid = SPEAKERS.has(message['type']) && !isClientsOwn(text);
  return isSaid ? [...latest, hashOf(message, text)].slice(-LATEST_TEXTS) : latest;
}

function hashOf(message: JsonObject, text: string): string {
  return textHash(wordsOf(message, text)).slice(0, 12);
}

function uuidOf(message: JsonObject, text: string, latest: readonly string[]): string {
  return recordId(`${latest.join(' ')} ${wordsOf(message, text)}`);
}

function wordsOf(message: JsonObject, text: string): string {
  return `${String(message['type'])} ${text.replace(/\s+/g, '')}`;
}
