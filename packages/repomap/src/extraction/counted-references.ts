import type { ReferenceForm, References } from '../tags.js';
import { ARGUMENT, FORMS_OF_PLACES, MEMBER, OBJECT, QUALIFIED, VARIABLE, WAYS } from './capture-roles.js';
import { ELSEWHERE } from './found-definitions.js';
import { isAt } from './match-from.js';
import { formOfMember, formOfName, isWithinType, type NameScope } from './name-scope.js';

interface Known {
  kinds: ReadonlyMap<number, unknown>;
  ownNames: ReadonlySet<string>;
  ownVariables: ReadonlySet<string>;
}

/**
 * @param mentioned of each mention, its place and how it is written, as one number that sorts by place; a name that two patterns
 *   found stands there twice
 */
export function countReferences(
  mentioned: Uint32Array,
  { kinds, ownNames, ownVariables }: Known,
  text: string,
  { word, scope }: { word: RegExp; scope: NameScope },
): References {
  const references: References = {};
  for (const [module, form] of scope.imports) (references[form] ??= new Map()).set(module, 1);
  let last = -1;
  for (const entry of mentioned.sort()) {
    const start = Math.floor(entry / WAYS);
    if (start === last || kinds.has(start)) continue;
    last = start;
    if (!isAt(word, text, start)) continue;
    const name = text.slice(start, word.lastIndex);
    if (name.length === 1 && ELSEWHERE.test(name)) continue;
    const written = entry % WAYS;
    const isOwnVariable = ownVariables.has(name);
    if (ownNames.has(name) || (written === VARIABLE && isOwnVariable)) continue;
    // Elsewhere in the file it may be called all the same, and files that use the same words change together.
    const form =
      written === ARGUMENT && isOwnVariable ? 'uncalled' : formOf(name, { start, written, text, scope });
    if (form === undefined) continue;
    const counts = (references[form] ??= new Map());
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return references;
}

function formOf(
  name: string,
  { start, written, text, scope }: { start: number; written: number; text: string; scope: NameScope },
): ReferenceForm | undefined {
  if (written === QUALIFIED) return 'any';
  if (written === OBJECT && !/^\p{Lu}/u.test(name)) return undefined;
  if (written === MEMBER) return formOfMember(name, { text, start, scope });
  const form = formOfName(name, { text, start, scope });
  if (form === 'any' && scope.hasNestedTypes && isWithinType(text, start)) return 'nested';
  return form === 'any' ? (FORMS_OF_PLACES[written] ?? form) : form;
}
