const FILE_LINE = /^\*\*\* (Add|Update|Delete) File: (.+)$/;
const MOVE_LINE = /^\*\*\* Move to: (.+)$/;

/**
 * The files and changed lines of a patch in Codex's own form, as edits are shown: the path, then `- ` lines that were
 * taken out and `+ ` lines that were put in.
 */
export function patchText(patch: string): string {
  const lines: string[] = [];
  for (const line of linesOf(patch)) {
    const file = FILE_LINE.exec(line);
    const moved = MOVE_LINE.exec(line)?.[1];
    if (file)
      lines.push(file[1] === 'Update' ? file[2]! : `${file[2]!} (${file[1] === 'Add' ? 'new' : 'deleted'})`);
    else if (moved !== undefined) lines.push(`→ ${moved}`);
    else if (/^[-+]/.test(line)) lines.push(`${line[0]!} ${line.slice(1)}`);
  }
  return lines.length > 0 ? lines.join('\n') : patch;
}

/** Paths that a patch names, as it spells them. */
export function patchedFiles(patch: string): string[] {
  return linesOf(patch).flatMap((line) => FILE_LINE.exec(line)?.[2] ?? MOVE_LINE.exec(line)?.[1] ?? []);
}

function linesOf(patch: string): string[] {
  return patch.split(/\r?\n/);
}
