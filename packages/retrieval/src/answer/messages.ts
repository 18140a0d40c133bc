import { ASSIGNMENT, FAILED_RESULT, hasCalls, isInWords, oneLine, type Speaker } from '@causantic/domain';
import { isLinked } from '@causantic/graph';
import type { Store, StoredChunk } from '@causantic/storage';
import { headerTokens, isUnderOneHeader, passageTokens, plainRequest, type Hit } from './presentation.js';

/**
 * Chunks are small so that they are found precisely, but half a message is hard to read: a hit is shown with the
 * rest of its message up to this size. Evidence: docs/decisions/0070-ranking.md.
 */
const PASSAGE_TOKENS = 1_000;

/**
 * A longer message is shown in part anyway, and so is a tool call: the hit and its neighbours leave room for other hits.
 */
const PART_TOKENS = 300;

/**
 * A hit is shown behind the request of its turn: a person's few words ("no, the other one") share no term with a
 * question, and often say what the hit is about. A longer request would take the place of other hits. Evidence: the same
 * record.
 */
const REQUEST_TOKENS = 120;
/** Its beginning says as much. Evidence: docs/decisions/0125-long-requests.md. */
const ASKED_CHARACTERS = 120;

/** `User: yes, go ahead with the plan` does not say what was done. */
const CONSENT_CHARACTERS = 50;
/** The question that it answers does, or the choice that it names. */
const PROPOSAL_CHARACTERS = 160;
/** `0`, `c`, `2.`: the key of a choice. */
const KEY = /^\W*(\d{1,2}|[a-z])\W*$/i;
/** A choice below a question, or a line that says nothing: `> 1. …`, `- **[Y]** …`, `**Select:** [A] … [C] …`, `---`. */
const CHOICE = /^[\s>*_#-]*(?:(?:\*\*\w+:\*\* *)?[[(]?(?:\d{1,2}|\p{L})[\])*_.:]+\s.*)?$/u;
const PROPOSES = /[?？][*_`)\]]*$|^If you(?: want|[’']d like),/;
/** `2` is no choice then, whatever is listed above. */
const ASKS_FOR_NUMBER = /\bhow (?:many|much|often|long|far|old)\b/i;
/** Not behind the numbers of a list, nor behind `vs.` */
const BETWEEN_SENTENCES = /(?<=[^\d\s][.!?])\s+(?![a-z])|(?<=[。！？])/;

/**
 * A failed call is shown with what the agent said next, which tells the cause or the cure in other words than the error,
 * if that is not further away. Evidence: docs/decisions/0123-replies-to-failures.md.
 */
const REPLY_TOKENS = 600;

/** Ids begin at 1. */
const NO_CHUNK = 0;

/** Finds what is adjacent to a chunk: the rest of the message it was cut from, and other hits. */
export class Messages {
  /** Requests above which something stands. */
  private readonly asked = new Set<number>();
  private readonly consents = new Set<number>();

  constructor(private readonly store: Store) {}

  /** The chunk with the rest of its message, in order, without what is already shown; for a long message, a part. */
  around(chunk: StoredChunk, shown: ReadonlyMap<number, Hit>): StoredChunk[] {
    if (hasCalls(chunk.spans)) return this.grown(chunk, shown, PART_TOKENS).passage;
    const { passage, isCut } = this.grown(chunk, shown, PASSAGE_TOKENS);
    return isCut ? this.grown(chunk, shown, PART_TOKENS).passage : passage;
  }

  private grown(chunk: StoredChunk, shown: ReadonlyMap<number, Hit>, limit: number) {
    const passage = [chunk];
    let tokens = chunk.tokens;
    const belongs = (next: StoredChunk | undefined): next is StoredChunk =>
      next?.turnId === chunk.turnId && next.kind === chunk.kind && !shown.has(next.id);
    const fits = (next: StoredChunk): boolean => (tokens += next.tokens) <= limit;
    for (let next = this.following(chunk); belongs(next); next = this.following(next)) {
      if (!fits(next)) return { passage, isCut: true };
      passage.push(next);
      if (holdsBeginning(next)) break;
    }
    for (let next = this.preceding(chunk); belongs(next); next = this.preceding(next)) {
      if (!fits(next)) return { passage, isCut: true };
      passage.unshift(next);
      if (holdsBeginning(next)) break;
    }
    return { passage, isCut: false };
  }

  /** The chunk that continues the message. */
  private following(chunk: StoredChunk): StoredChunk | undefined {
    return chunk.goesOn ? this.find(this.neighbour(chunk, 1)) : undefined;
  }

  /** The chunk that this one continues. */
  private preceding(chunk: StoredChunk): StoredChunk | undefined {
    return chunk.continues ? this.find(this.neighbour(chunk, -1)) : undefined;
  }

  private find(id = NO_CHUNK): StoredChunk | undefined {
    return this.store.chunks.find(id);
  }

  /** The passage, extended by the next hits that directly follow or precede it, while it stays short and fits. */
  joined(
    passage: readonly StoredChunk[],
    { next, shown, room }: { next: ReadonlyMap<number, Hit>; shown: ReadonlyMap<number, Hit>; room: number },
  ): readonly StoredChunk[] {
    const most = Math.min(room, PASSAGE_TOKENS);
    let joined = passage;
    for (const offset of [1, -1] as const) {
      for (;;) {
        const end = joined.at(offset === 1 ? -1 : 0)!;
        const beside = next.get(this.neighbour(end, offset) ?? NO_CHUNK)?.chunk;
        if (beside === undefined || shown.has(beside.id) || !isUnderOneHeader(beside, end)) break;
        const longer = offset === 1 ? [...joined, beside] : [beside, ...joined];
        if (passageTokens(longer) > most) break;
        joined = longer;
      }
    }
    return joined;
  }

  /** What the person asked before the chunk in its turn, or what a sub-agent was told to do, unless it is shown already. */
  requestBefore(chunk: StoredChunk, shown: ReadonlyMap<number, Hit>): StoredChunk | undefined {
    const id = this.store.chunks.firstOf(chunk.turnId);
    if (id === undefined || id === chunk.id || shown.has(id)) return undefined;
    const request = this.find(id);
    if (request === undefined || !(isAsked(request) || isAssigned(request))) return undefined;
    return request.seq < chunk.seq ? request : undefined;
  }

  /**
   * `[asked: plan: Paint the door]`, the line above a passage whose request is not shown: how that begins, or all of it. '' if an answer
   * has told of it, or if there is no room.
   */
  askedLine(request: StoredChunk, room: number): string {
    if (this.asked.has(request.id)) return '';
    const { text, spans } = request;
    const ofSpeaker = spans.filter(({ speaker }) => speaker === spans[0]!.speaker);
    // A picture may come before the words about it.
    const words = ofSpeaker.map(({ start, end }) => text.slice(start, end)).find(isInWords);
    const most = isToldByLine(request) ? Infinity : ASKED_CHARACTERS;
    const line = `[asked: ${oneLine(plainRequest(words ?? ''), most)}]\n`;
    if (!words || headerTokens(line) > room) return '';
    this.asked.add(request.id);
    return line;
  }

  /**
   * `[proposed: Shall I paint the door?]`, the line above a request of few words: the question at the end of the turn before, or
   * the choice that the request names. '' if there is none, if an answer has told of it, or if there is no room.
   */
  proposedLine(request: StoredChunk, room: number, shown?: ReadonlyMap<number, Hit>): string {
    const { chunks } = this.store;
    if (!isConsent(request) || this.consents.has(request.id)) return '';
    if (chunks.firstOf(request.turnId) !== request.id) return '';
    const before = chunks.turnBefore(request.turnId);
    const last = this.find(before && chunks.lastSaidOf(before));
    if (last === undefined || shown?.has(last.id)) return '';
    const proposal = proposalIn(last, request);
    const line = `[proposed: ${proposal}]\n`;
    if (!proposal || headerTokens(line) > room) return '';
    this.consents.add(request.id);
    return line;
  }

  /** The passage with what the agent said next, if a call has failed at its end; calls in between come with it. */
  withReply(
    passage: readonly StoredChunk[],
    { shown, room }: { shown: ReadonlyMap<number, Hit>; room: number },
  ): readonly StoredChunk[] {
    let longer = passage;
    let tokens = 0;
    let end = passage.at(-1)!;
    while (endsWithFailure(longer)) {
      const next = this.find(this.neighbour(end, 1));
      if (next?.turnId !== end.turnId || shown.has(next.id) || !isUnderOneHeader(next, end)) return passage;
      end = next;
      // Thoughts are not shown.
      if (!isLinked(next)) continue;
      tokens += next.tokens;
      longer = [...longer, next];
      if (tokens > REPLY_TOKENS || passageTokens(longer) > room) return passage;
    }
    return longer;
  }

  private neighbour(chunk: StoredChunk, offset: 1 | -1): number | undefined {
    return this.store.directory.neighbour(chunk.id, offset);
  }
}

/** Whether a message begins within the chunk, behind the end of another: there the one ends, and the other goes on behind it. */
function holdsBeginning({ text, spans }: StoredChunk): boolean {
  const isLabelled = (from: number, to: number): boolean => text.slice(from, to).trim() !== '';
  return spans.some(
    ({ speaker, start }, at) => at > 0 && speaker !== 'tool_result' && isLabelled(spans[at - 1]!.end, start),
  );
}

/** Whether a request is so short that only the proposal before it says what is meant. */
export function isConsent({ spans }: StoredChunk): boolean {
  const asked = spans.filter(({ speaker }) => speaker === 'user');
  return asked.length === 1 && asked[0]!.end - asked[0]!.start <= CONSENT_CHARACTERS;
}

/**
 * Whether a line tells a request better than its chunk, in which tools say more than anybody else, does: all of it.
 * Evidence: docs/decisions/0125-long-requests.md.
 */
export function isToldByLine(request: StoredChunk): boolean {
  const lengthOf = (...speakers: Speaker[]): number =>
    request.spans
      .filter(({ speaker }) => speakers.includes(speaker))
      .reduce((sum, { start, end }) => sum + end - start, 0);
  return isAsked(request) && lengthOf('tool_result') > lengthOf('user', 'assistant');
}

/** What the agent ended with that a request of few words answers: of choices the one it names, or the question; '' if neither. */
function proposalIn({ text, spans }: StoredChunk, request: StoredChunk): string {
  const said = spans.findLast(({ speaker }) => speaker === 'assistant');
  const message = text.slice(said?.start, said?.end).trimEnd();
  const asked = request.spans.find(({ speaker }) => speaker === 'user')!;
  const key = KEY.exec(request.text.slice(asked.start, asked.end))?.[1];
  const proposal = lastProposal(message);
  const named = key && !ASKS_FOR_NUMBER.test(proposal) ? choice(message, key) : '';
  return oneLine(named || proposal, PROPOSAL_CHARACTERS);
}

/** `0. **Batch-apply all**`, `### 2. Oil it`, `[C] Continue to step 5`, `| A | Keep it |`: the last choice with this key, without emphasis. */
function choice(message: string, key: string): string {
  const keyed = String.raw`[[(]?${key}(?:[\])*_.:]+| \|) +[^\n[]+`;
  const found = message.match(new RegExp(String.raw`(?<=^[\s>*_#|-]{0,12})${keyed}|(?=[[(])${keyed}`, 'gim'));
  // From the beginning of what is cut off: from each place in a long run of blanks, it took the square of the time.
  return (found?.at(-1) ?? '').replaceAll('**', '').replace(/(?<![\s/|])[\s/|]+$/, '');
}

/** The question or offer with which the agent ended, but for choices and a remark below it; or a list of questions. */
function lastProposal(message: string): string {
  const isChoices = (paragraph: string): boolean => paragraph.split('\n').every((line) => CHOICE.test(line));
  const paragraphs = message.split('\n\n');
  const asking = proposalsIn(paragraphs.findLast((each) => !isChoices(each)) ?? '').at(-1);
  return asking ?? proposalsIn(paragraphs.at(-1)!).join(' ');
}

/** Without emphasis, which may go on in the next sentence. */
function proposalsIn(paragraph: string): string[] {
  const sentences = paragraph.split(BETWEEN_SENTENCES).map((sentence) => sentence.trim());
  return sentences
    .filter((sentence) => PROPOSES.test(sentence))
    .map((sentence) => sentence.replaceAll('**', ''));
}

function isAsked({ spans, kind }: StoredChunk): boolean {
  return spans[0]?.speaker === 'user' && kind === 'dialogue';
}

/** Of an assignment the beginning is told, however short it is: the call that made it says the rest. */
function isAssigned({ text, agentId }: StoredChunk): boolean {
  return agentId !== null && text.startsWith(ASSIGNMENT);
}

/** The passage behind its request, if that is short, of the same day, and fits. */
export function behindRequest(
  passage: readonly StoredChunk[],
  request: StoredChunk | undefined,
  room: number,
): readonly StoredChunk[] {
  if (request === undefined || !isAsked(request) || request.tokens > REQUEST_TOKENS) return passage;
  if (isToldByLine(request)) return passage;
  if (!isUnderOneHeader(request, passage[0]!)) return passage;
  const longer = [request, ...passage];
  return passageTokens(longer) <= room ? longer : passage;
}

/** Whether the agent has said nothing since a call failed. */
function endsWithFailure(passage: readonly StoredChunk[]): boolean {
  const order = passage.flatMap(({ text, spans }) =>
    spans.map(({ speaker, start }) => (isBehindMark(text, start) ? 'failure' : speaker)),
  );
  return order.lastIndexOf('failure') > order.lastIndexOf('assistant');
}

function isBehindMark(text: string, start: number): boolean {
  return text.slice(Math.max(0, start - FAILED_RESULT.length), start) === FAILED_RESULT;
}
