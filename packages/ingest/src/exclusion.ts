// Which transcripts the user does not want to be stored.
import { isAbsolute } from 'node:path';
import { realPath, withoutTilde } from '@causantic/domain';

const WINDOWS_PATH = /^(?:[A-Za-z]:|\/\/)/;

/**
 * Where a plugin has a second agent watch the sessions, whose prompts repeat all that these say
 * (github.com/thedotmack/claude-mem, issues 1236 and 3425).
 */
const WATCHERS = ['**/.claude-mem/observer-sessions', '**/plugins/cache/*/claude-mem'];

/** Patterns of what not to store: `*` (within a folder's name), `**` (across folders), `?` and `{one,other}`; `~` is the home. */
export interface Exclusion {
  /** Matched with the transcript's path, the session's working folder and its project, or any folder above them. */
  paths?: readonly string[];
  /** More of them, for a session in this folder. */
  ofSession?: (folder?: string) => readonly string[];
}

export function isExcluded(
  { paths = [], ofSession }: Exclusion,
  transcriptPath: string,
  { cwd, project }: { cwd: string | null; project: string },
): boolean {
  const globs = [...new Set([...WATCHERS, ...paths, ...(ofSession?.(cwd ?? undefined) ?? [])])]
    .flatMap(alternatives)
    .map(withoutTilde)
    .flatMap(spellings);
  const known = [transcriptPath, project, ...(cwd === null ? [] : [cwd])].flatMap(spellings);
  return globs.some((glob) => known.some((path) => covers(glob, path)));
}

const BRACES = /\{([^{}]*,[^{}]*)\}/;

/**
 * Without braces, as a shell expands them; braces without a comma are a name's own. Of braces within braces, most ways to
 * choose lead to the same pattern: each is gone on with once, or a short pattern would stand for millions.
 */
function alternatives(glob: string): string[] {
  let globs = [glob];
  // All have the same braces left.
  while (BRACES.test(globs[0]!)) globs = [...new Set(globs.flatMap(withFirstChosen))];
  return globs;
}

function withFirstChosen(glob: string): string[] {
  const [braces, inside] = BRACES.exec(glob)!;
  return inside!.split(',').map((part) => glob.replace(braces, () => part));
}

/** Clients name a folder as the system does, also where a person gets to it over a link. */
function spellings(path: string): string[] {
  return [...new Set([path, isAbsolute(path) ? realPath(path) : path].map(withSlashes))];
}

function withSlashes(path: string): string {
  return path.replaceAll('\\', '/');
}

/** `shop/**` is the folder itself, too. */
function covers(glob: string, path: string): boolean {
  const folder = glob.replace(/(?<!\/)\/+(?:\*\*)?$/, '');
  return matches(folder, path) || matches(`${folder}/**`, path);
}

function matches(glob: string, path: string): boolean {
  // Windows does not tell `c:` from `C:`, and clients write either.
  const compared = (text: string): string =>
    WINDOWS_PATH.test(path) ? text.normalize().toLowerCase() : text.normalize();
  const text = compared(path);
  let ends = [0];
  for (const [part] of compared(glob).matchAll(/\*\*\/?|\*|\?|[^*?]+/g)) {
    if (ends.length === 0) return false;
    ends = endsOf(part, text, ends);
  }
  return ends.at(-1) === text.length;
}

/**
 * Where a part of a pattern can end, in ascending order, that begins at one of these places. Our own: picomatch misses
 * `(x86)` beside a `*`, minimatch takes `[id]` for a class, and both `**name` for `*name`. No regular expression, which
 * would try out every way to share a path among many `*`: patterns also come from repositories of others.
 */
function endsOf(part: string, text: string, starts: readonly number[]): number[] {
  if (!/[*?]/.test(part))
    return starts.filter((start) => text.startsWith(part, start)).map((start) => start + part.length);
  if (part === '?')
    return starts.filter((start) => start < text.length && text[start] !== '/').map((start) => start + 1);
  const ends: number[] = [];
  if (part === '**/') {
    const isStart = new Set(starts);
    for (let at = starts[0]!; at <= text.length; at++) {
      if (isStart.has(at) || (at > starts[0]! && text[at - 1] === '/')) ends.push(at);
    }
    return ends;
  }
  for (const start of part === '**' ? starts.slice(0, 1) : starts) {
    // What an earlier start has reached is not gone through again.
    for (let at = Math.max(start, (ends.at(-1) ?? -1) + 1); at <= text.length; at++) {
      if (at > start && part === '*' && text[at - 1] === '/') break;
      ends.push(at);
    }
  }
  return ends;
}
