import { lstatSync } from 'node:fs';
import { dirname } from 'node:path/posix';

/**
 * Tells of a path of the listing whether a symbolic link leads to it: Git lists the files of a tracked folder also when a link
 * has taken its place, and what is behind that is not part of the tree.
 */
export function behindLinks(root: string): (path: string) => boolean {
  const known = new Map([['.', false]]);
  const isBehindLink = (path: string): boolean => {
    const folder = dirname(path);
    const behind = known.get(folder) ?? (isBehindLink(folder) || isLink(`${root}/${folder}`));
    known.set(folder, behind);
    return behind;
  };
  return isBehindLink;
}

function isLink(folder: string): boolean {
  try {
    return lstatSync(folder).isSymbolicLink();
  } catch {
    return false; // Reading the file tells what is wrong.
  }
}
