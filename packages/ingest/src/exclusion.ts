// Which transcripts the user does not want to be stored.
import { withoutTilde } from '@causantic/domain';

const WINDOWS_PATH = /^(?:[A-Za-z]:|\/\/)/;

/** Patterns of what not to store: `*` (within a folder's name), `**` (across folders), `?` and `{one,other}`; `~` is the home. */
export interface Exclusion {
  /** Matched with a project's path or its last folder's name. */
  projects?: readonly string[];
  /** Matched with the transcript's path and the session's working folder, or any folder above them. */
  paths?: readonly string[];
}

export function isExcluded(
  exclusion: Exclusion,
  transcriptPath: string,
  folders: readonly (string | null | undefined)[],
): boolean {
  const known = folders.filter((folder) => typeof folder === 'string').map(withSlashes);
  const names = known.map((folder) => folder.split('/').at(-1) ?? folder);
  const { projects = [], paths = [] } = exclusion;
  return (
    projects.flatMap(alternatives).some((glob) => [...known, ...names].some((name) => matches(glob, name))) ||
    paths
      .flatMap(alternatives)
      .some((glob) => [...known, withSlashes(transcriptPath)].some((path) => covers(glob, path)))
  );
}

/** Without braces, as a shell expands them; braces without a comma are a name's own. */
function alternatives(glob: string): string[] {
  const [braces, inside] = /\{([^{}]*,[^{}]*)\}/.exec(glob) ?? [];
  if (braces === undefined) return [glob];
  return inside!.split(',').flatMap((part) => alternatives(glob.replace(braces, () => part)));
}

function withSlashes(path: string): string {
  return path.replaceAll('\\', '/').replace(/(?<=[^/])\/+$/, '');
}

function covers(glob: string, path: string): boolean {
  return matches(glob, path) || matches(`${glob.replace(/\/+$/, '')}/**`, path);
}

function matches(glob: string, text: string): boolean {
  const path = withSlashes(withoutTilde(glob));
  // Windows does not tell `c:` from `C:`, and clients write either.
  return globPattern(path.normalize(), WINDOWS_PATH.test(text) ? 'i' : '').test(text.normalize());
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
