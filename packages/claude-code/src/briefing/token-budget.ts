import { countTokens } from '@causantic/domain/tokens';
import { SEPARATOR_TOKENS } from '@causantic/retrieval';

/** Lines that fit a number of tokens: counted, since an upper bound would leave little room in most scripts but Latin. */
export class TokenBudget {
  constructor(private left: number) {}

  /** Take the tokens of this text, if they are there. */
  take(text: string): boolean {
    const tokens = costOf(text);
    if (tokens > this.left) return false;
    this.left -= tokens;
    return true;
  }

  /** As many of the lines as fit, from the first on, under their heading; nothing where not one fits. */
  section(title: string, items: readonly string[]): string[] {
    // What clients call files and branches may hold ends of lines, behind which it would seem to be ours.
    const [heading = '', ...lines] = [title, ...items].map((item) =>
      item.replace(/\s*[\r\n\u0085\u2028\u2029]\s*/g, ' '),
    );
    if (lines.length === 0 || costOf(heading) + costOf(lines[0]!) > this.left) return [];
    this.left -= costOf(heading);
    const end = lines.findIndex((line) => !this.take(line));
    return ['', heading, ...(end === -1 ? lines : lines.slice(0, end))];
  }

  get remaining(): number {
    return this.left;
  }
}

function costOf(text: string): number {
  return countTokens(text) + SEPARATOR_TOKENS;
}
