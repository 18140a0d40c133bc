import { basename, dirname, join, win32 } from 'node:path';
import { objectOf } from '../../transcripts/records.js';
import { jsonBeside, textBeside } from '../../transcripts/text-beside.js';
import { pathHash } from './hashed-folders.js';

/**
 * The project of a chat folder. Gemini names the folder by a hash of the project's path, or by a short name that it
 * lists in a file; a path is known to be the project's when its hash is the chat's. People also start it in their home.
 * @param clues.folder that holds `chats`
 * @param clues.hash of the project's path, as the chat names it
 * @param clues.paths that the chat names
 * @returns null where nothing names the project
 */
export function findProjectFolder(clues: {
  folder: string;
  hash: string | null;
  paths: readonly string[];
}): string | null {
  const marked = textBeside(join(clues.folder, '.project_root'))?.trim();
  if (marked) return marked;
  const home = dirname(dirname(clues.folder));
  const registered = Object.entries(objectOf(jsonBeside(join(home, 'projects.json'))?.['projects']));
  const byName = registered.find(([, name]) => name === basename(clues.folder))?.[0];
  if (byName !== undefined) return byName;
  const trusted = Object.keys(jsonBeside(join(home, 'trustedFolders.json')) ?? {});
  const known = new Set([
    ...registered.map(([path]) => path),
    ...trusted,
    dirname(home),
    ...clues.paths.flatMap(withFoldersAbove),
  ]);
  return [...known].find((path) => pathHash(path) === clues.hash) ?? null;
}

function withFoldersAbove(path: string): string[] {
  const above = path.startsWith('/') ? dirname : win32.dirname;
  const start = path.replace(/(?<=[^\\/:])[\\/]+$/, '');
  const folders = [start];
  for (let at = start; above(at) !== at; at = above(at)) folders.push(above(at));
  return folders;
}
