import { LANGUAGES } from '../extraction/languages.js';
import type { TagColumns } from '../cache/tag-columns.js';
import { canBeMeant } from '../tags.js';

/** For every name, as compressed rows, the files that define it, each with the place of its first definition of it. */
export interface Definers {
  start: Uint32Array;
  file: Uint32Array;
  /** Counted from the file's own first definition. */
  place: Uint32Array;
}

/** @param wanted per name, 1 for those whose rows are needed; all, when left out */
export function definersOf(tags: TagColumns, wanted?: Uint8Array): Definers {
  const names = tags.symbols.ends.length;
  const start = new Uint32Array(names + 1);
  const firsts = firstDefinitions(tags, wanted);
  for (const definition of firsts.definition) start[tags.definitionName[definition]! + 1]!++;
  for (let name = 0; name < names; name++) start[name + 1]! += start[name]!;
  const next = start.slice(0, names);
  const file = new Uint32Array(firsts.definition.length);
  const place = new Uint32Array(firsts.definition.length);
  for (let i = 0; i < firsts.definition.length; i++) {
    const row = next[tags.definitionName[firsts.definition[i]!]!]!++;
    file[row] = firsts.file[i]!;
    place[row] = firsts.definition[i]! - tags.definitionStart[file[row]!]!;
  }
  return { start, file, place };
}

/** Of each file, its definitions whose name it has not defined before. */
function firstDefinitions(
  tags: TagColumns,
  wanted: Uint8Array | undefined,
): { definition: Uint32Array; file: Uint32Array } {
  const lastFile = new Int32Array(tags.symbols.ends.length).fill(-1);
  const definition = new Uint32Array(tags.definitionName.length);
  const files = new Uint32Array(tags.definitionName.length);
  let count = 0;
  for (let file = 0; file < tags.language.length; file++) {
    for (let d = tags.definitionStart[file]!; d < tags.definitionStart[file + 1]!; d++) {
      const name = tags.definitionName[d]!;
      if (lastFile[name] === file || wanted?.[name] === 0 || !canBeMeant(tags.definitionKind[d]!)) continue;
      lastFile[name] = file;
      definition[count] = d;
      files[count++] = file;
    }
  }
  return { definition: definition.subarray(0, count), file: files.subarray(0, count) };
}

/**
 * If more files than this define a name, a mention says nothing about which one it means. With 40, netbeans had 5.7
 * million edges instead of 2.2, and maps around a file named no more of the files that change with it (decision 0093).
 */
export const MAX_DEFINING_FILES = 16;

const families = [...new Set(LANGUAGES.map(({ family }) => family))];
const familyOfLanguage = Uint8Array.of(0, ...LANGUAGES.map(({ family }) => families.indexOf(family) + 1));

/** @param language as in the tags' column */
export function familyOf(language: number): number {
  return familyOfLanguage[language]!;
}

/**
 * Finds what a mention may mean. A file that defines the name itself means its own definition; files of another language
 * family are never meant.
 *
 * @param rows receives places in `definers`
 * @returns how many
 */
export function meantBy(
  name: number,
  from: number,
  { definers, tags }: { definers: Definers; tags: TagColumns },
  rows: Uint32Array,
): number {
  const start = definers.start[name]!;
  const end = definers.start[name + 1]!;
  if (end - start > MAX_DEFINING_FILES) return 0;
  const family = familyOf(tags.language[from]!);
  let count = 0;
  for (let row = start; row < end; row++) {
    const file = definers.file[row]!;
    if (file === from) return 0;
    if (familyOf(tags.language[file]!) === family) rows[count++] = row;
  }
  return count;
}
