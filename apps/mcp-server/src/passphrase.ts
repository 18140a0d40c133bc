import { createInterface } from 'node:readline/promises';
import { InvalidArgumentError } from '@causantic/domain';
import { INTERRUPTED } from './interruption.js';

/** @throws InvalidArgumentError for a variable that is not set */
export function passphraseOf(variable: string): string {
  const value = process.env[variable];
  if (value) return value;
  throw new InvalidArgumentError(
    'passphrase-env',
    variable,
    'the name of an environment variable that holds the passphrase',
  );
}

/**
 * Ask on the terminal, without showing what is typed.
 * @throws InvalidArgumentError where there is no terminal
 */
export async function askPassphrase(question: string): Promise<string> {
  if (!process.stdin.isTTY) {
    throw new InvalidArgumentError(
      'passphrase',
      undefined,
      'a terminal to ask on, or --passphrase-env <name>',
    );
  }
  const lines = createInterface({ input: process.stdin, terminal: true });
  lines.once('SIGINT', () => process.exit(INTERRUPTED));
  process.stderr.write(question);
  try {
    return await lines.question('');
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}

/** A new passphrase is asked for twice: a typing error would lose the archive. */
export async function askNewPassphrase(): Promise<string> {
  const first = await askPassphrase('Passphrase: ');
  if (first === '') throw new InvalidArgumentError('passphrase', '', 'a passphrase that is not empty');
  if (first === (await askPassphrase('Repeat the passphrase: '))) return first;
  throw new InvalidArgumentError('passphrase', 'two different passphrases', 'the same passphrase twice');
}
