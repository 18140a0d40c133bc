// Notes that Claude Code and Qwen Code keep beside the sessions of a project: which they are, and of which project.
import { hash } from 'node:crypto';
import { type Dirent, existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { firstFolder } from '../claude-code/first-records.js';
import type { TranscriptOrigin } from '../../transcripts/transcript-origin.js';

/** What Claude Code notes for itself lies beside the sessions of a project: `<project>/memory/*.md`. */
const NOTES_FOLDER = 'memory';

/** Qwen Code keeps the sessions of a project in a folder of their own. */
const CHATS_FOLDER = 'chats';

/** Transcripts looked into for the project's folder. */
const MAX_NEIGHBOURS = 20;

/** How Claude Code names a project's folder: after the path, with dashes for its other signs (`-home-ada`, `D--ada`). */
const PROJECT_FOLDER = /^(?:-|[A-Za-z]--)/;

/** A Markdown file in the `memory` folder of a project. */
export function isNote(path: string): boolean {
  const folder = dirname(path);
  const isInPlace = basename(folder) === NOTES_FOLDER && PROJECT_FOLDER.test(basename(dirname(folder)));
  return isInPlace && path.endsWith('.md');
}

/** All notes of a project are one session; when a note was last changed is its time. */
export function noteOrigin(path: string, modifiedMs: number): TranscriptOrigin {
  const folder = dirname(dirname(path));
  const chats = join(folder, CHATS_FOLDER);
  const isQwens = existsSync(chats);
  return {
    source: 'claude-code-notes',
    kind: 'main',
    agentKey: null,
    sessionUuid: uuidOf(dirname(path)),
    cwd:
      folderOfNeighbours(isQwens ? chats : folder) ?? folderByName(basename(folder)) ?? folderAbove(folder),
    folder,
    title: isQwens ? 'Notes of Qwen Code' : 'Notes of Claude Code',
    firstTimeMs: modifiedMs,
  };
}

function uuidOf(text: string): string {
  return hash('sha256', text).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
}

/** The folder that the sessions beside the notes worked in. */
function folderOfNeighbours(folder: string): string | null {
  const transcripts = namesOf(entriesOf(folder)).filter((name) => name.endsWith('.jsonl'));
  for (const name of transcripts.slice(0, MAX_NEIGHBOURS)) {
    const cwd = firstFolder(join(folder, name));
    if (cwd !== null) return cwd;
  }
  return null;
}

/** The notes of a repository lie apart from sessions that began in a folder of it: their folder tells which it was. */
function folderAbove(folder: string): string | null {
  const projects = dirname(folder);
  const name = basename(folder).toLowerCase();
  const others = namesOf(entriesOf(projects).filter((entry) => entry.isDirectory()));
  const below = others.filter((other) => other.toLowerCase().startsWith(`${name}-`));
  for (const other of below.slice(0, MAX_NEIGHBOURS)) {
    let path = folderOfNeighbours(join(projects, other)) ?? '';
    while (path !== '' && nameOf(path).toLowerCase() !== name) path = path.replace(/[\\/]?[^\\/]*$/, '');
    if (path !== '') return path;
  }
  return null;
}

/** What Claude Code calls the folder of a project. */
function nameOf(path: string): string {
  return path.replace(/[^A-Za-z0-9]/g, '-');
}

/** The folder on this machine that Claude Code gave this name, `C--Users-ada` on a drive of Windows. */
function folderByName(name: string): string | null {
  const drive = /^([A-Za-z])-(?=-)/.exec(name);
  return drive === null ? folderBelow('/', name) : folderBelow(`${drive[1]}:\\`, name.slice(2));
}

/**
 * The folder below `above` whose path has this form, each sign but letters and digits replaced by a dash. The name
 * alone is ambiguous: what exists decides.
 */
function folderBelow(above: string, name: string): string | null {
  if (!name.startsWith('-')) return null;
  for (const entry of entriesOf(above)) {
    const part = `-${nameOf(entry.name)}`;
    if (!entry.isDirectory() || !name.startsWith(part)) continue;
    const path = join(above, entry.name);
    const found = name === part ? path : folderBelow(path, name.slice(part.length));
    if (found !== null) return found;
  }
  return null;
}

function namesOf(entries: readonly Dirent[]): string[] {
  return entries.map(({ name }) => name).toSorted();
}

/** None of a folder that is not there, as `/` on Windows, or that may not be read. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (['ENOENT', 'EACCES', 'EPERM'].includes(code)) return [];
    throw error;
  }
}
