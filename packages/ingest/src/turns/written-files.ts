// Agents that have no tool for it, or prefer a shell, write files by commands.
import {
  folderEntered,
  pathFrom,
  PLAIN_WORD,
  stepsOf,
  unquoted,
  withoutHereDocuments,
} from '../text/shell.js';

/** Most commands write nothing, and are not looked at any closer. */
const MAY_WRITE =
  /(?<![\d&=-])>(?!&|\s*\/dev\/)|\bsed\s[^|\n]{0,500}-i|--in-place|\btee\b|\b(?:Set|Add)-Content\b|\bOut-File\b/i;

/** A sign of the shell, with the number before it (`2>`), or a word. */
const TOKENS = /[|()]|\d?>>?|<<?-?|(?:\\[^]|"(?:\\[^]|[^"\\])*"|'[^']*'|[^\s'"\\|<>()])+/g;
const ONE_PLAIN_WORD = new RegExp(`^${PLAIN_WORD}$`);
/** What stands before a program within another command. */
const BEFORE_PROGRAM = new Set(['sudo', 'do', 'then', 'else', '(', '{', '!']);
const ENTERS_FOLDER = /^(?:cd|pushd|Set-Location)(?:\s|$)/;
const NO_FILE = /^(?:\/dev\/|nul$)/i;
const ASSIGNED = /^\$(\w+)\s*=\s*(?:'([^']+)'|"([^"$]+)")$/;

/**
 * The files that a command writes by itself: with a here-document, `echo … >`, `sed -i`, or PowerShell's `Set-Content`. What the
 * programs write that it runs is not known; a file that it deletes again was not meant to stay.
 * @param folder where it runs, seen from where its paths are told; empty where that is the same
 */
export function writtenFiles(command: string, folder: string): string[] {
  if (!MAY_WRITE.test(command)) return [];
  const files = new Set<string>();
  const variables = new Map<string, string>();
  /** Null where it is not known; outside of parentheses, what is entered within them is not. */
  let here: string | null = folder;
  const found = (path: string): string | null => {
    const isAbsolute = pathFrom('.', path) === path;
    // Whose home that is, is not known.
    if (path.startsWith('~') || (here === null && !isAbsolute)) return null;
    return pathFrom(here ?? '', path);
  };
  let outside: string | null = here;
  for (const given of stepsOf(withoutHereDocuments(command))) {
    const step = given.replace(/^\(\s*/, '');
    if (step !== given) outside = here;
    const entered = folderEntered(step);
    if (ENTERS_FOLDER.test(step)) here = entered === null ? null : found(entered);
    const [, variable, single, double] = ASSIGNED.exec(step) ?? [];
    if (variable !== undefined) variables.set(variable, (single ?? double)!);
    for (const words of programsIn(step)) {
      for (const path of writtenBy(words, variables)) {
        const file = found(path);
        if (file !== null && !NO_FILE.test(path)) files.add(file);
      }
      if (words[0] === 'rm') for (const path of plainWords(words.slice(1))) files.delete(found(path) ?? '');
    }
    if (step.endsWith(')')) here = outside;
  }
  return [...files];
}

/** The programs of a pipeline, each with its words as they stand there. */
function programsIn(step: string): string[][] {
  const programs: string[][] = [[]];
  for (const [token] of step.matchAll(TOKENS)) {
    if (token === '|') programs.push([]);
    else if (programs.at(-1)!.length > 0 || !BEFORE_PROGRAM.has(token)) programs.at(-1)!.push(token);
  }
  return programs;
}

function writtenBy(words: readonly string[], variables: ReadonlyMap<string, string>): string[] {
  switch (words[0]?.toLowerCase()) {
    case 'cat':
    case 'echo':
    case 'printf': {
      const at = words.findIndex((word) => /^>>?$/.test(word));
      return at === -1 ? [] : plainWords(words.slice(at + 1, at + 2));
    }
    case 'tee':
      return words.some((word) => word.startsWith('<<')) ? plainWords(words.slice(1)).slice(0, 1) : [];
    case 'sed':
      return plainWords(editedBySed(words.slice(1)));
    case 'set-content':
    case 'add-content':
    case 'out-file':
      return contentFile(words.slice(1), variables);
    default:
      return [];
  }
}

/** Those that stand for themselves, as the shell reads them. */
function plainWords(words: readonly string[]): string[] {
  return words.filter((word) => ONE_PLAIN_WORD.test(word)).map(unquoted);
}

/** What stands behind the script of `sed`, if it changes files. */
function editedBySed(words: readonly string[]): readonly string[] {
  let isInPlace = false;
  let hasScript = false;
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    if (/^(?:-e|-f|--expression|--file)$/.test(word)) {
      hasScript = true;
      at++;
    } else if (/^(?:-[a-zA-Z]*i|--in-place)/.test(word)) {
      isInPlace = true;
      // On a Mac, the ending of a copy is a word of its own.
      if (/^(?:''|"")$/.test(words[at + 1] ?? '')) at++;
    } else if (!word.startsWith('-')) {
      const end = words.findIndex((other, place) => place > at && /^\d?[<>]/.test(other));
      return isInPlace ? words.slice(hasScript ? at : at + 1, end === -1 ? undefined : end) : [];
    }
  }
  return [];
}

/** The path that a cmdlet is given, by its name or as the first word that is no option's. */
function contentFile(words: readonly string[], variables: ReadonlyMap<string, string>): string[] {
  const named = words.findIndex((word) => /^-(?:Path|LiteralPath|FilePath)$/i.test(word));
  let at = named + 1;
  if (named === -1)
    while (/^-/.test(words[at] ?? '')) at += /^-(?:Encoding|Value)$/i.test(words[at]!) ? 2 : 1;
  const word = words[at] ?? '';
  const path = word.startsWith('$') ? variables.get(word.slice(1)) : /^(['"]?)(.*)\1$/.exec(word)?.[2];
  return path === undefined || path === '' || /[$`*(]/.test(path) ? [] : [path];
}
