import { textHash } from '../../text/text-hash.js';

/** As an item, as an event and, since summer 2026, as an item that was completed. */
const FORMS = ['item', 'event', 'completed'] as const;
export type PromptForm = (typeof FORMS)[number];

export interface PromptsState {
  /** Forms in which prompts, by hash, may be written once more. */
  awaited: { form: PromptForm; hash: string }[];
  /** Lines of the prompts so far, the latest last: a rollback names how many of them it takes back. */
  promptLines: number[];
}

/** Bounds of what is remembered between records, and stored with the checkpoint. */
const MAX_AWAITED = 40;
const MAX_LINES = 1_000;

/** A prompt is written in up to three forms, in any order; some only once. */
export class Prompts {
  constructor(private now: PromptsState) {}

  /** Replaced, never changed. */
  state(): PromptsState {
    return this.now;
  }

  /** @returns whether it is new: no other form of it was met before */
  note(text: string, form: PromptForm, line: number): boolean {
    if (this.isMetAgain(text, form)) return false;
    const hash = promptHash(text);
    const { awaited, promptLines } = this.now;
    const others = FORMS.filter((other) => other !== form).map((other) => ({ form: other, hash }));
    this.now = {
      awaited: [...awaited, ...others].slice(-MAX_AWAITED),
      promptLines: [...promptLines, line].slice(-MAX_LINES),
    };
    return true;
  }

  /** Was another form of it met before? Each form of it is met once. */
  isMetAgain(text: string, form: PromptForm): boolean {
    const hash = promptHash(text);
    const { awaited } = this.now;
    const at = awaited.findIndex((other) => other.hash === hash && other.form === form);
    if (at !== -1) this.now = { ...this.now, awaited: awaited.toSpliced(at, 1) };
    return at !== -1;
  }

  /** Takes back the latest prompts, all there are where it is more. @returns the line of the first of them, if any */
  takeBack(count: number): number | undefined {
    const { promptLines } = this.now;
    const line = count > 0 ? promptLines.at(-Math.min(count, promptLines.length)) : undefined;
    if (line !== undefined) this.now = { ...this.now, promptLines: promptLines.slice(0, -count) };
    return line;
  }
}

/** The forms of a prompt may differ in blanks and in where images stand. */
export function promptHash(text: string): string {
  return textHash(text.replaceAll('[image]', '').replace(/\s+/g, ''));
}
