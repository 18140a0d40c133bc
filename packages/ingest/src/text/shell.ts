// Reads commands of a shell as far as their form alone tells what they do.

/** What begins a here-document of a shell, up to a line that begins with its name, or a here-string of PowerShell. */
const HERE_BEGINS = /(?<!<)<<-?\s*(['"]?)(\w+)\1(?=[ \t|&;>)]|\r?$)|@(['"])\r?$/;
const HERE_ENDS = /^[ \t]*(\w+)|^(['"]@)/;

/** A command with blanks in place of here-documents and strings: nobody knows what those are for. All else stays in its place. */
export function withoutHereDocuments(command: string): string {
  const lines = command.split('\n');
  const ends = lines.map((line) => HERE_ENDS.exec(line)?.[0].trim());
  const lastOf = new Map(ends.map((end, at) => [end, at]));
  for (let at = 0; at < lines.length; at++) {
    const [opening, , name, quote] = HERE_BEGINS.exec(lines[at]!) ?? [];
    if (opening === undefined) continue;
    const end = name ?? `${quote!}@`;
    if ((lastOf.get(end) ?? -1) <= at) continue;
    if (name === undefined) lines[at] = lines[at]!.slice(0, -opening.length) + blanks(opening);
    while (ends[++at] !== end) lines[at] = blanks(lines[at]!);
    lines[at] = lines[at]!.replace(HERE_ENDS, blanks);
  }
  return lines.join('\n');
}

export function blanks(text: string): string {
  return ' '.repeat(text.length);
}

const STEP = /(?:'[^']*'|"(?:\\[^]|[^"\\])*"|\\[^]|[^'"\\;&\n]+)+/g;

/** What a command does one after the other, without the signs between. */
export function stepsOf(command: string): string[] {
  return Array.from(command.matchAll(STEP), ([step]) => step.trim()).filter((step) => step !== '');
}

const FOLDER_STEP = /^cd\s+(['"]?)([^\s'"$*`(]+)\1$/;

/** The folder that a step enters, where it is named; null where the step does anything else. */
export function folderEntered(step: string): string | null {
  return FOLDER_STEP.exec(step)?.[2] ?? null;
}

/** A word that stands for itself, be it quoted: no option, and nothing that the shell fills in. */
export const PLAIN_WORD = `(?:'[^'\\n]+'|"[^"\\n$\`]+"|(?!-)(?:\\\\.|[^\\s'"|;&<>()$\`*\\\\])+)`;

export function unquoted(word: string): string {
  return /^['"]/.test(word) ? word.slice(1, -1) : word.replace(/\\(?=\W)/g, '');
}

/** A folder with the one above it behind it, which leads nowhere. */
const THERE_AND_BACK = /(^|[/\\])(?!\.\.?[/\\])[^/\\]+[/\\]\.\.(?:[/\\]|$)/;

/** A path as seen from where the folder is seen; an empty one is that place itself. */
export function pathFrom(folder: string, path: string): string {
  const isAbsolute = /^(?:[/\\~]|[A-Za-z]:)/.test(path);
  if (folder === '' || isAbsolute) return path;
  let joined = `${folder.replace(/[/\\]$/, '')}/${path.replace(/^\.\//, '')}`;
  while (THERE_AND_BACK.test(joined)) joined = joined.replace(THERE_AND_BACK, '$1');
  return joined;
}
