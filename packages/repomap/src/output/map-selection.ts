import { madeOnce } from '@causantic/domain';
import { SymbolTable } from '@causantic/domain/symbol-table';
import { countTokens } from '@causantic/domain/tokens';
import { ONLY_DEFINITION_SHARE_IN_FOCUS } from '../ranks/definition-ranks.js';
import type { ProjectFiles } from '../cache/project-cache.js';
import { isWithinTests, shownKind } from '../tags.js';

export interface SelectionInput {
  files: ProjectFiles;
  fileRanks: Float64Array;
  definitionRanks: Float64Array;
  /** File numbers that come first, in this order, even without a definition to show. */
  focus: readonly number[];
  /** Those of them that were named by themselves: their paths are shown in any case. */
  named: ReadonlySet<number>;
  /** Token budget of the whole body, line ends included. */
  budgetTokens: number;
  /** How much of it may stay unused. */
  toleratedTokens: number;
}

export interface SelectedFile {
  file: number;
  /** Definition numbers, best first. */
  definitions: number[];
}

/** The n-th definition of a file is worth this much less than the first: many files say more than one file in full. */
const CROWDING = 0.35;
/** With a file in focus, the files around it matter more than what each of them contains. */
const CROWDING_IN_FOCUS = 4;
/** A folder in focus may hold more files than there is room for: beside their paths, something of what is in them is shown. */
const PATHS_SHARE = 0.5;
/** No line is cheaper: "│", a kind, a name, "(L" a number ")". */
const CHEAPEST_LINE_TOKENS = 6;
/** The search ends after this many lines that do not fit, or sooner if little enough budget is left. */
const MISSES_TO_STOP = 400;
const MISSES_WHEN_NEARLY_FULL = 40;
const EXCHANGES_TRIED = 12;

/**
 * Takes definitions by worth until the budget is full, skipping those that do not fit. The token counts of lines add up
 * exactly, because no token crosses a line end.
 *
 * @returns the files in the order of the map: focus first, then by rank
 */
export function selectDefinitions(input: SelectionInput): SelectedFile[] {
  const selection = new Selection(input);
  selection.takePaths(PATHS_SHARE * input.budgetTokens);
  let misses = 0;
  for (const candidate of byWorth(input)) {
    if (!selection.take(candidate)) misses++;
    const isFull = selection.room <= input.toleratedTokens;
    if (isFull && selection.room < CHEAPEST_LINE_TOKENS) break;
    if (misses > (isFull ? MISSES_WHEN_NEARLY_FULL : MISSES_TO_STOP)) break;
  }
  if (selection.room > input.toleratedTokens) selection.exchangeOne(input.toleratedTokens);
  return selection.files();
}

/** What a map shows, while it is put together. */
class Selection {
  room: number;
  private readonly line: (definition: number) => string;
  private readonly chosen = new Map<number, number[]>();
  private readonly pathCounts = new Map<number, number>();
  private readonly taken: Priced[] = [];
  private readonly passedOver: Priced[] = [];

  constructor(private readonly input: SelectionInput) {
    this.room = input.budgetTokens;
    this.line = lineRenderer(input.files);
  }

  /** Of files in focus: those named by themselves, and of the others as many as stay within this many tokens. */
  takePaths(tokens: number): void {
    const { focus, named, budgetTokens } = this.input;
    for (const file of focus) {
      const isWithin = budgetTokens - this.room + this.pathTokens(file) <= tokens;
      if (isWithin || named.has(file)) this.take({ file, definition: -1 });
    }
  }

  /** @returns whether there was room for it */
  take({ file, definition }: Pick<Candidate, 'file' | 'definition'>): boolean {
    const priced = { file, definition, tokens: this.tokensOf(definition), pathTokens: this.pathTokens(file) };
    const fits = this.costOf(priced) <= this.room;
    if (definition >= 0) (fits ? this.taken : this.passedOver).push(priced);
    if (fits) this.add(priced);
    return fits;
  }

  /** Replaces one of the least valuable lines by one or two that fill the budget better; this matters for small ones. */
  exchangeOne(tolerated: number): void {
    for (const out of this.taken.slice(-EXCHANGES_TRIED).reverse()) {
      this.remove(out);
      const instead = this.filling(tolerated) ?? [out];
      for (const priced of instead) this.add(priced);
      if (instead[0] !== out) return;
    }
  }

  /** @returns one or two lines that leave no more than that */
  private filling(tolerated: number): Priced[] | undefined {
    for (const first of this.passedOver) {
      const left = this.room - this.costOf(first);
      if (left < 0) continue;
      if (left <= tolerated) return [first];
      const second = this.passedOver.find((other) => {
        const cost = other.file === first.file ? other.tokens : this.costOf(other);
        return other !== first && cost <= left && cost >= left - tolerated;
      });
      if (second !== undefined) return [first, second];
    }
    return undefined;
  }

  private add(priced: Priced): void {
    this.room -= this.costOf(priced);
    const definitions = this.chosen.get(priced.file) ?? [];
    if (priced.definition >= 0) definitions.push(priced.definition);
    this.chosen.set(priced.file, definitions);
  }

  private remove({ file, definition, tokens, pathTokens }: Priced): void {
    const left = this.chosen.get(file)!.filter((other) => other !== definition);
    const keepsPath = left.length > 0 || this.input.focus.includes(file);
    if (keepsPath) this.chosen.set(file, left);
    else this.chosen.delete(file);
    this.room += tokens + (keepsPath ? 0 : pathTokens);
  }

  private costOf({ file, tokens, pathTokens }: Priced): number {
    return tokens + (this.chosen.has(file) ? 0 : pathTokens);
  }

  private tokensOf(definition: number): number {
    return definition < 0 ? 0 : countTokens(`${this.line(definition)}\n`);
  }

  private pathTokens(file: number): number {
    const path = this.input.files.paths[file]!;
    return madeOnce(this.pathCounts, file, () => countTokens(`${plainName(path)}\n`));
  }

  files(): SelectedFile[] {
    const order = fileOrder(this.input.fileRanks, this.input.focus);
    return [...this.chosen]
      .map(([file, definitions]) => ({ file, definitions: definitions.sort(this.byRank) }))
      .sort((a, b) => order(a.file, b.file));
  }

  private readonly byRank = (a: number, b: number) =>
    this.input.definitionRanks[b]! - this.input.definitionRanks[a]! || a - b;
}

interface Priced {
  file: number;
  definition: number;
  /** Of its line alone. */
  tokens: number;
  /** Of its file's path, which stands once. */
  pathTokens: number;
}

export function renderSelection(files: ProjectFiles, selection: readonly SelectedFile[]): string {
  const line = lineRenderer(files);
  return selection
    .flatMap(({ file, definitions }) => [plainName(files.paths[file]!), ...definitions.map(line)])
    .map((text) => `${text}\n`)
    .join('');
}

/** A name may contain line ends or terminal escapes; in the map it is one line of plain text. */
export function plainName(name: string): string {
  return name.replace(CONTROLS, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const CONTROLS = /[\0-\x1f\x7f-\x9f\u2028\u2029\p{Bidi_Control}]/gu;

function lineRenderer(files: ProjectFiles): (definition: number) => string {
  const { tags } = files;
  const symbols = new SymbolTable(tags.symbols);
  return (definition) => {
    const kind = shownKind(tags.definitionKind[definition]!);
    const name = plainName(symbols.name(tags.definitionName[definition]!));
    return `│ ${kind} ${name} (L${tags.definitionLine[definition]!})`;
  };
}

interface Candidate {
  file: number;
  /** -1 for the path alone of a file near a focus that has no definitions. */
  definition: number;
  worth: number;
}

/** Only as many as the budget may hold, best first; ties go to the earlier one, so that a tree always has the same map. */
function byWorth(input: SelectionInput): Candidate[] {
  const wanted = Math.ceil(Math.max(0, input.budgetTokens) / CHEAPEST_LINE_TOKENS) + MISSES_TO_STOP;
  const candidates = crowded(input, leastWorth(input, wanted));
  candidates.sort((a, b) => b.worth - a.worth || a.definition - b.definition);
  return candidates.slice(0, wanted);
}

/**
 * What at least so many definitions are worth: the best ones of their files count in full, so that the rest need not
 * be looked at for most budgets.
 */
function leastWorth(input: SelectionInput, wanted: number): number {
  const { tags } = input.files;
  const { definitionRanks } = input;
  const best = new Float64Array(tags.language.length);
  if (wanted >= best.length) return 0;
  for (let file = 0; file < best.length; file++) {
    best[file] = worthOfPath(input, file);
    for (let d = tags.definitionStart[file]!; d < tags.definitionStart[file + 1]!; d++) {
      if (definitionRanks[d]! > best[file]!) best[file] = definitionRanks[d]!;
    }
  }
  return best.sort()[best.length - wanted]!;
}

/** Those worth at least so much; a definition is never worth more than its rank. */
function crowded(input: SelectionInput, least: number): Candidate[] {
  const { definitionRanks, focus } = input;
  const { tags } = input.files;
  const crowding = focus.length > 0 ? CROWDING_IN_FOCUS : CROWDING;
  const candidates: Candidate[] = [];
  for (let file = 0; file < tags.language.length; file++) {
    const own: number[] = [];
    const path = worthOfPath(input, file);
    if (path > 0 && path >= least) candidates.push({ file, definition: -1, worth: path });
    for (let d = tags.definitionStart[file]!; d < tags.definitionStart[file + 1]!; d++) {
      if (definitionRanks[d]! >= least) own.push(d);
    }
    if (own.length > 1) own.sort((a, b) => definitionRanks[b]! - definitionRanks[a]! || a - b);
    own.forEach((definition, place) => {
      const worth = definitionRanks[definition]! / (1 + crowding * place);
      if (worth >= least) candidates.push({ file, definition, worth });
    });
  }
  return candidates;
}

/** Around a focus, a file without definitions outside of tests is listed by its path. Elsewhere that says little. */
function worthOfPath({ files: { tags }, fileRanks, focus }: SelectionInput, file: number): number {
  const hasNone =
    tags.language[file]! > 0 &&
    tags.definitionKind
      .subarray(tags.definitionStart[file]!, tags.definitionStart[file + 1]!)
      .every(isWithinTests);
  return hasNone && focus.length > 0 ? ONLY_DEFINITION_SHARE_IN_FOCUS * fileRanks[file]! : 0;
}

function fileOrder(fileRanks: Float64Array, focus: readonly number[]): (a: number, b: number) => number {
  const places = new Map(focus.map((file, place) => [file, place]));
  const placeOf = (file: number) => places.get(file) ?? focus.length;
  return (a, b) => placeOf(a) - placeOf(b) || fileRanks[b]! - fileRanks[a]! || a - b;
}
