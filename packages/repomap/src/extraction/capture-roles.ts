// What the captures of the queries say.
import type { DefinitionKind, ReferenceForm } from '../tags.js';

export type Role =
  | { says: 'reference'; written: number }
  /** A signature is a function without its body, which follows. */
  | { says: 'definition'; kind: DefinitionKind; signature: boolean }
  /** A declarator of C or C++, which holds the defined name somewhere inside. */
  | { says: 'declarator'; kind: DefinitionKind }
  /** A symbol of Ruby, which names a method if the call is one that defines or calls it. */
  | { says: 'symbol' }
  /** A string that a function of PHP is called with, which names a constant if the function defines one. */
  | { says: 'first-argument' }
  /** A variable of Bash or Ruby that the file declares: a mention of it in the same file means that. */
  | { says: 'own' }
  /** One that it assigns, perhaps for all: then it has capitals. */
  | { says: 'assigned' }
  /** A call beside a module's definitions, which may hold tests. */
  | { says: 'call' };

/**
 * How a mentioned name can stand: alone, behind what it is a part of (`new ast.Node`), behind an object (`rows.filter()`), as the
 * object, which is a variable unless it has a capital, where only a type, a function or a variable can, or as an argument of
 * Ruby, where what is called may look like a variable. What two patterns find counts as the first of these.
 */
const WRITTEN = ['ref', 'qualified', 'member', 'object', 'type', 'function', 'variable', 'argument'];
export const WAYS = WRITTEN.length;
export const MEMBER = WRITTEN.indexOf('member');
export const QUALIFIED = WRITTEN.indexOf('qualified');
export const OBJECT = WRITTEN.indexOf('object');
export const VARIABLE = WRITTEN.indexOf('variable');
export const ARGUMENT = WRITTEN.indexOf('argument');

/** Places that are forms, too. */
export const FORMS_OF_PLACES: Readonly<Partial<Record<number, ReferenceForm>>> = {
  [WRITTEN.indexOf('type')]: 'type',
  [WRITTEN.indexOf('function')]: 'function',
  [VARIABLE]: 'variable',
};

/** Roles of captures that say nothing more. */
const SAID_ALONE = ['symbol', 'call', 'first-argument', 'own', 'assigned'] as const;

/** Strings that come from native code are slow to compare, so this is asked once a pattern. */
export function roleOf(captureName: string): Role {
  const written = WRITTEN.indexOf(captureName);
  if (written >= 0) return { says: 'reference', written };
  const alone = SAID_ALONE.find((each) => each === captureName);
  if (alone) return { says: alone };
  const [says, kind] = captureName.split('.') as ['def' | 'signature' | 'declarator', DefinitionKind];
  if (says === 'declarator') return { says, kind };
  return { says: 'definition', kind, signature: says === 'signature' };
}
