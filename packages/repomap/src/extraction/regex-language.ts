import type { MaskSyntax } from './source-mask.js';
import type { DefinitionKind } from '../tags.js';

/** One way to define something. */
export interface DefinitionRule {
  kind: DefinitionKind;
  /** What it is when its line is indented: a function in a class is a method. */
  nestedKind?: DefinitionKind;
  /** Flags `gm`; its group `name`, or the first, is the name, and the match ends with it. Never backtracks over lines. */
  pattern: RegExp;
  /** Whether the name is in a string: then match the source itself, where the match begins in code. */
  inSource?: boolean;
  /** Counts where its group `of` is a type of the same file, by an earlier rule: a constructor begins like a call. */
  ofTypes?: boolean;
}

export interface RegexLanguage {
  mask: MaskSyntax;
  rules: readonly DefinitionRule[];
  /** Flag `g`; what opens a class's list of methods, as group 1, another bracket, or a method's name, as group 2. */
  members?: RegExp;
  /** Words that never mention anything. */
  keywords: ReadonlySet<string>;
  /** Flags `g`; what may be a name. What its group matches may be one as well. */
  word: RegExp;
  /** Flags `g`; what has the form of a name, but mentions no definition: the label of an argument. */
  noMention?: RegExp;
  /** Flag `y`; what follows a name that is called, where a function is hardly ever mentioned otherwise. */
  call?: RegExp;
  /** Flag `y`; matches where a name behind a dot stands as what a type holds, if nothing else can mean that. */
  ofType?: RegExp;
  /** Several clauses of one function are one definition. */
  clauses?: boolean;
}
