import { isAbsolute, relative, resolve } from 'node:path';
import { asCompared, realPath } from '@causantic/domain';

/**
 * Resolves file names given by a caller: relative to the root, with or without `./`, absolute, a folder, or the end of a
 * path if nothing else matches; then relative to a folder above the root. If none of these does, neither letters' case
 * nor a line behind the name matters.
 *
 * @param paths ascending, relative to the root, with `/`
 * @returns the file numbers of each name, in the order they were named, and the names that match nothing
 */
export function resolveFocus(
  root: string,
  paths: readonly string[],
  names: readonly string[],
): { matches: number[][]; unmatched: string[] } {
  const found: number[][] = [];
  const unmatched: string[] = [];
  let loosePaths: readonly string[] | undefined;
  for (const name of names) {
    // That is what all of the map is about.
    if (resolve(root, name.trim()) === root) continue;
    let matches = numbersWhere(paths, (path) => path === name);
    if (matches.length === 0) matches = matchesInOrBelow(root, normalized(root, name), paths);
    if (matches.length === 0) {
      // Systems that ignore case list names in another one, and macOS may take `é` apart.
      loosePaths ??= paths.map(asCompared);
      const looseName = asCompared(normalized(root, name.replace(LINE, '')));
      matches = matchesInOrBelow(asCompared(root), looseName, loosePaths);
    }
    if (matches.length === 0) unmatched.push(name);
    else found.push(matches);
  }
  return { matches: found, unmatched };
}

/** `src/list.ts:42` or `src/list.ts:42:7`, as compilers write it; ranges, and `src/list.ts#L42`, as agents do. */
const LINE = /(?::\d+(?:[:-]\d+)?|#L\d+(?:-L?\d+)?)$/;

/**
 * Finds files by their exact paths, absolute or relative to the root. Unknown paths, of deleted files or elsewhere, are
 * skipped.
 */
export function resolveExactly(root: string, paths: readonly string[], names: readonly string[]): number[] {
  if (names.length === 0) return [];
  const wanted = new Set(names.map((name) => normalized(root, name)));
  return numbersWhere(paths, (path) => wanted.has(path));
}

/** @returns an empty path for anything outside the root */
function normalized(root: string, name: string): string {
  const trimmed = name.trim();
  const inRoot = isAbsolute(trimmed) ? withinRoot(root, trimmed) : trimmed;
  const parts: string[] = [];
  for (const part of inRoot.replaceAll('\\', '/').split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}

/** The root is a real path; the name may lead there through symbolic links, like `/tmp` on macOS. */
function withinRoot(root: string, path: string): string {
  const wayTo = (each: string): string | undefined => {
    const way = relative(root, each);
    return /^\.\.(?:[\\/]|$)/.test(way) ? undefined : way;
  };
  // To ask the system of each name would take longer than a map of files that are known.
  return wayTo(path) ?? wayTo(realPath(path)) ?? '';
}

/** An agent that works in a repository names its files from there, even for the map of a part of it. */
function matchesInOrBelow(root: string, name: string, paths: readonly string[]): number[] {
  const matches = matchesOf(name, paths);
  return matches.length > 0 ? matches : matchesOf(belowRoot(root, name), paths);
}

/** `packages/mill/src/wheel.ts` is `src/wheel.ts` in `/repository/packages/mill`; '' for a name that is not below it. */
function belowRoot(root: string, name: string): string {
  const above = root.replaceAll('\\', '/');
  for (let end = name.lastIndexOf('/', above.length); end > 0; end = name.lastIndexOf('/', end - 1))
    if (above.endsWith(`/${name.slice(0, end)}`)) return name.slice(end + 1);
  return '';
}

function matchesOf(name: string, paths: readonly string[]): number[] {
  if (name === '') return [];
  const ways = [
    (path: string) => path === name,
    (path: string) => path.startsWith(`${name}/`),
    (path: string) => path.endsWith(`/${name}`),
  ];
  return ways.map((way) => numbersWhere(paths, way)).find(({ length }) => length > 0) ?? [];
}

function numbersWhere(paths: readonly string[], holds: (path: string) => boolean): number[] {
  return paths.flatMap((path, number) => (holds(path) ? [number] : []));
}
