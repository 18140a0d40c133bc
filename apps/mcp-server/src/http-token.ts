import { randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { inHome, InvalidArgumentError, makeHome, makePrivate, writeAtomically } from '@causantic/domain';

const VARIABLE = 'CAUSANTIC_HTTP_TOKEN';
const SHORTEST = 16;

/** What a client must present, and where a person finds it. */
export interface HttpToken {
  token: string;
  /** The path of a file, or the name of the variable. */
  place: string;
}

/**
 * The token from the environment, else the one in the home, which is made when there is none.
 * @throws InvalidArgumentError for one that can be guessed, ConfigError where it cannot be kept
 */
export function httpToken(home: string, env: NodeJS.ProcessEnv): HttpToken {
  const given = env[VARIABLE]?.trim();
  if (given !== undefined && given !== '') return { token: checked(given, VARIABLE), place: VARIABLE };
  const file = join(home, 'http-token');
  const kept = inHome(home, () => keptToken(home, file));
  return { token: checked(kept, file), place: file };
}

function keptToken(home: string, file: string): string {
  const kept = statSync(file, { throwIfNoEntry: false });
  // A full disk, or an editor on one, leaves an empty file.
  if (!kept?.size) {
    makeHome(home);
    writeAtomically(file, `${randomBytes(32).toString('base64url')}\n`);
  }
  // Not where there is nothing to change: the disk may be read-only.
  if (kept && (kept.mode & 0o777) !== 0o600) makePrivate(file);
  return readFileSync(file, 'utf8').trim();
}

function checked(token: string, place: string): string {
  // Others cannot be sent as they are in a header of HTTP.
  const isAscii = /^[ -~]*$/.test(token);
  if (isAscii && token.length >= SHORTEST) return token;
  // The value stays unsaid.
  throw new InvalidArgumentError(
    place,
    `${token.length} characters${isAscii ? '' : ', not all of them ASCII'}`,
    `a token of at least ${SHORTEST} characters, all of them ASCII`,
  );
}
