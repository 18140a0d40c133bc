import { withoutTilde } from '@causantic/domain';

const WINDOWS_PATH = /^(?:[A-Za-z]:|\/\/)/;

/** What is not to be stored: patterns with `*` (within a folder's name), `**` (across folders) and `?`; `~` is your home. */
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
  return (
    (exclusion.projects ?? []).some((glob) => [...known, ...names].some((name) => matches(glob, name))) ||
    (exclusion.paths ?? []).some((glob) =>
      [...known, withSlashes(transcriptPath)].some((path) => covers(glob, path)),
    )
  );
}

function withSlashes(path: string): string {
  return path.replaceAll('\\', '/').replace(/(.)\/+$/, '$1');
}

function covers(glob: string, path: string): boolean {
  return matches(glob, path) || matches(`${glob.replace(/\/+$/, '')}/**`, path);
}

function matches(glob: string, text: string): boolean {
  const path = withSlashes(withoutTilde(glob));
  // Windows does not tell `c:` from `C:`, and clients write either.
  return globPattern(path.normalize(), WINDOWS_PATH.test(text) ? 'i' : '').test(text.normalize());
}

function globPattern(glob: string, flags: string): RegExp {
  const source = glob.replace(/\*\*\/?|\*|\?|[.+^${}()|[\]\\]/g, (part) => {
    if (part.startsWith('**')) return part.endsWith('/') ? '(?:.*/)?' : '.*';
    if (part === '*') return '[^/]*';
    return part === '?' ? '[^/]' : `\\${part}`;
  });
  return new RegExp(`^${source}$`, flags);
}
