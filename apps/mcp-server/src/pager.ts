import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** As in Git: text that fits the screen is printed at once, colours are kept, and the text stays when the pager ends. */
const LESS = 'FRX';
const COMMAND_NOT_FOUND = 127;

/**
 * Text for a person: on a terminal a screen at a time, by the program that `PAGER` names or else `less`, so that the best
 * hit is what they see; elsewhere, and where there is no such program, as it is.
 */
export async function page(text: string): Promise<void> {
  if (!(await isPaged(text))) process.stdout.write(text);
}

async function isPaged(text: string): Promise<boolean> {
  const { PAGER: chosen, TERM: terminal } = process.env;
  const isWanted = chosen === undefined ? process.platform !== 'win32' : !['', 'cat'].includes(chosen.trim());
  if (!process.stdout.isTTY || terminal === 'dumb' || !isWanted) return false;
  const pager = spawn(chosen ?? 'less', {
    // The variable holds a command with its options.
    shell: chosen !== undefined,
    stdio: ['pipe', 'inherit', 'inherit'],
    env: { LESS, ...process.env },
  });
  // Ctrl-C is the pager's, which goes on; whoever leaves it early wants no more of the text.
  const ignore = (): void => undefined;
  process.on('SIGINT', ignore);
  pager.stdin.on('error', ignore).end(text);
  try {
    const [code] = (await once(pager, 'close')) as [number | null];
    return code !== COMMAND_NOT_FOUND;
  } catch {
    return false;
  } finally {
    process.off('SIGINT', ignore);
  }
}
