import { existsSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { realPath } from '@causantic/domain';

/** The folders a client says it works in. Editors use more kinds of addresses than the protocol allows. */
export const RootsSchema = z.looseObject({ roots: z.array(z.looseObject({ uri: z.string() })) });

/**
 * The folder that the client works in: `own` if it is within one of the client's folders, else the first of those that
 * exists. Undefined if the client names none, or does not answer.
 */
export async function clientFolder(
  ask: () => Promise<z.infer<typeof RootsSchema>>,
  own: string | undefined,
): Promise<string | undefined> {
  // A client that says it has roots, and fails when asked, has none.
  const { roots } = await ask().catch(() => ({ roots: [] }));
  const folders = roots.map(({ uri }) => folderOf(uri)).filter((folder) => folder !== undefined);
  return own !== undefined && folders.some((folder) => isWithin(own, folder))
    ? own
    : (folders.find((folder) => existsSync(folder)) ?? folders[0]);
}

function folderOf(uri: string): string | undefined {
  try {
    return resolve(fileURLToPath(uri));
  } catch {
    return undefined;
  }
}

function isWithin(path: string, folder: string): boolean {
  const way = relative(realPath(folder), realPath(path));
  return !/^\.\.($|[\\/])/.test(way) && !isAbsolute(way);
}
