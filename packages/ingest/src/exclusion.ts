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

/** Without braces, as a shell expands them; braces without a comma are a name's own. */
function alternatives(glob: string): string[] {
  const [braces, inside] = /\{([^{}]*,[^{}]*)\}/.exec(glob) ?? [];
  if (braces === undefined) return [glob];
  return inside!.split(',').flatMap((part) => alternatives(glob.replace(braces, () => part)));
}

/** Clients name a folder as the system does, also where a person gets to it over a link. */
function spellings(path: string): string[] {
  return [path, isAbsolute(path) ? realPath(path) : path].map(withSlashes);
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
  return globPattern(glob.normalize(), WINDOWS_PATH.test(path) ? 'i' : '').test(path.normalize());
}

/** Our own: picomatch misses `(x86)` beside a `*`, minimatch takes `[id]` for a class, and both `**name` for `*name`. */
function globPattern(glob: string, flags: string): RegExp {
  const source = glob.replace(/\*\*\/?|\*|\?|[.+^${}()|[\]\\]/g, (part) => {
    if (part.startsWith('**')) return part.endsWith('/') ? '(?:.*/)?' : '.*';
    if (part === '*') return '[^/]*';
    return part === '?' ? '[^/]' : `\\${part}`;
  });
  return new RegExp(`^${source}$`, flags);
}
