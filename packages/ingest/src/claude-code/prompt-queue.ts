import { type JsonObject, stringOf } from '../records.js';
import { isTagged } from './user-text.js';

/** Far more than anybody types before the agent looks. */
const MAX_ENTRIES = 100;

/** Slash commands wait until the agent is done; what older versions note of tasks has no words. */
const NOT_TOLD = /^\s*(?:\/[\w:-]+(?:\s|$)|\{"task_id")/;

/**
 * What a person types while the agent is at work waits in a queue, as do reports of agents in the background. Versions of
 * the client that write no attachments note only that a text was put there, and that one was taken out for the agent.
 */
export class PromptQueue {
  private waiting: string[] = [];
  /** Given to the agent: an attachment may still repeat them. */
  private told: string[] = [];

  clear(): void {
    this.waiting = [];
    this.told = [];
  }

  /** The text that the agent was given in the midst of its work; null where it was none, or an attachment holds it. */
  operation({ operation, content }: JsonObject): string | null {
    const text = stringOf(content);
    if (operation === 'enqueue' && text !== null && !NOT_TOLD.test(text)) {
      this.waiting = [...this.waiting, text].slice(-MAX_ENTRIES);
    }
    if (operation === 'popAll') this.waiting = [];
    if (operation !== 'remove') return null;
    if (text !== null) {
      this.take(text);
      return null;
    }
    // What the person says comes before what the client has to report.
    const typed = this.waiting.find((entry) => !isTagged(entry));
    const next = typed ?? this.waiting[0];
    if (next === undefined) return null;
    this.take(next);
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
