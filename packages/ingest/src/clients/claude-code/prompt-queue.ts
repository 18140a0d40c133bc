import { type JsonObject, stringOf } from '../../transcripts/records.js';
import { isTagged } from './user-text.js';

/** Far more than anybody types before the agent looks. */
const MAX_ENTRIES = 100;

/** Slash commands wait until the agent is done. */
const COMMAND = /^\s*\/[\w:.-]+(?:\s|$)/;

/** What older versions note of a task has no words. */
const TASK = '{"task_id"';

/**
 * What a person types while the agent is at work waits in a queue, as do reports of agents in the background. Versions of
 * the client that write no attachments note only that a text was put there, and that one was taken out for the agent.
 */
export class PromptQueue {
  private waiting: string[];
  /** Given to the agent: an attachment may still repeat them. */
  private told: string[] = [];

  /** @param waiting what state() returned */
  constructor(waiting: readonly string[] = []) {
    this.waiting = [...waiting];
  }

  /** What waits beyond this turn. An attachment repeats a text in the turn in which the agent was given it. */
  state(): string[] {
    this.told = [];
    return [...this.waiting];
  }

  /**
   * The text that the agent was given in the midst of its work; null where it was none, or an attachment holds it.
   * @param isCalling whether the agent is at its calls: with a result it is given what was typed. A task is taken out when
   * the agent pauses.
   */
  operation({ operation, content }: JsonObject, isCalling: boolean): string | null {
    const text = stringOf(content);
    if (operation === 'enqueue' && text !== null && !COMMAND.test(text)) {
      this.waiting = [...this.waiting, text.startsWith(TASK) ? TASK : text].slice(-MAX_ENTRIES);
    }
    if (operation === 'popAll') this.waiting = [];
    if (operation !== 'remove' && operation !== 'dequeue') return null;
    const words = this.waiting.filter((entry) => entry !== TASK);
    const typed = words.find((entry) => !isTagged(entry));
    const isOfTask = operation === 'remove' && text === null && !(isCalling && typed !== undefined);
    if (isOfTask && removeFrom(this.waiting, TASK)) return null;
    // What the person says comes before what the client has to report.
    const next = text ?? typed ?? words[0];
    if (next === undefined) return null;
    this.take(next);
    // Of what the agent takes up when it is done, there is a record.
    if (text !== null || operation === 'dequeue') return null;
    this.told = [...this.told, next].slice(-MAX_ENTRIES);
    return next;
  }

  /** A prompt that stands in a record of its own waits no more. */
  take(text: string): void {
    removeFrom(this.waiting, text);
  }

  /** Was the agent given this prompt already? An attachment repeats it once. */
  wasTold(text: string): boolean {
    return removeFrom(this.told, text);
  }
}

function removeFrom(prompts: string[], text: string): boolean {
  const at = prompts.indexOf(text);
  if (at !== -1) prompts.splice(at, 1);
  return at !== -1;
}
