import type { Store } from '@causantic/storage';
import { spellingsOf, type WeighedTerm } from '../matching/weighed-terms.js';

/** The name of a client's tool that runs commands, such as `Bash`, `PowerShell` or `exec_command`, above what it runs. */
const CALL = /^\[(?:\w*(?:bash|shell)|\w+_commands?)\] /i;
const WORDS = /[\p{L}\p{N}]+/gu;
/** `tests`, `testing` and `tester` are `test`. */
const ENDING = /(?:ing|ers?|ed|es|s)$/;
/** A command that is so long names things half as much as a short one: it does more than what is asked for. */
const LONG_CHARACTERS = 300;

/** Those of the chunks that run a command with words of the question; first the one with most of their information. */
export function commandsNaming(
  store: Store,
  ids: readonly number[],
  terms: readonly WeighedTerm[],
): number[] {
  const asked = terms.map((term) => ({
    stems: spellingsOf(term).map(stemOf),
    information: term.idf * term.weight,
  }));
  const informationIn = (command: string): number => {
    const stems = new Set((command.match(WORDS) ?? []).map(stemOf));
    const named = asked.filter((term) => term.stems.some((stem) => stems.has(stem)));
    const sum = named.reduce((total, { information }) => total + information, 0);
    return sum / (1 + command.length / LONG_CHARACTERS);
  };
  return store.chunks
    .get(ids)
    .map(({ id, text, spans }) => {
      const calls = spans.filter(({ speaker }) => speaker === 'tool_use');
      const commands = calls
        .map(({ start, end }) => text.slice(start, end))
        .filter((call) => CALL.test(call));
      return { id, score: Math.max(0, ...commands.map((call) => informationIn(call.replace(CALL, '')))) };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ id }) => id);
}

function stemOf(word: string): string {
  return word.toLowerCase().replace(ENDING, '');
}
