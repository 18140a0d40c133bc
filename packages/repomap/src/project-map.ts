import { SymbolTable } from '@causantic/domain/symbol-table';
import { countTokens } from '@causantic/domain/tokens';
import { rankDefinitions } from './ranks/definition-ranks.js';
import { rankFiles } from './ranks/file-ranks.js';
import { resolveExactly, resolveFocus } from './files/focus-files.js';
import { mapHeader, type MapCounts } from './output/map-header.js';
import { renderSelection, selectDefinitions, plainName } from './output/map-selection.js';
import type { ProjectFiles } from './cache/project-cache.js';
import type { ReferenceGraph } from './ranks/reference-graph.js';
import { type ShownKind, shownKind } from './tags.js';
import { LANGUAGES } from './extraction/languages.js';

/** What is asked of a map, beside the tree itself. */
export interface MapRequest {
  root: string;
  focusFiles: readonly string[];
  sessionFiles: readonly string[];
  /** For the whole answer, header included. */
  maxTokens: number;
  includeDetails: boolean;
}

/** What an answer depends on besides the files' tags. */
export interface MapInput extends MapRequest {
  /** Folders to be named as left out. */
  repositories: readonly string[];
}

export interface MapDefinition {
  name: string;
  kind: ShownKind;
  line: number;
  rank: number;
}

export interface MapFile {
  path: string;
  language: string;
  /** PageRank; all files' ranks sum to 1. */
  rank: number;
  /** By line. */
  definitions: MapDefinition[];
  /** The files that define what it mentions. */
  references: { path: string; weight: number }[];
}

export interface ProjectMap extends MapCounts {
  /** The answer without its header: one line a path or definition, each ended. */
  body: string;
  shownFiles: string[];
  unmatchedFocusFiles: string[];
  repositories: string[];
  details: MapFile[] | undefined;
}

/** The last line of a map that does not show every definition. */
const LEFT_OUT_LINE = '...\n';

/** A budget is filled to within two per cent. */
const TOLERATED_SHARE = 0.02;
/**
 * How much shorter a quick answer from cached files is than what is reserved: its header than the longest one by two tokens,
 * and the last line by its end.
 */
const RESERVE_TOKENS = 3;

/** The longest possible header: the time and the number of parsed files are not known yet. */
function longestHeader(counts: MapCounts): string {
  return mapHeader(counts, 99_999, counts.files);
}

/** Maximum share of the budget for a line about what the map does not contain. */
const NOTE_SHARE = 0.1;

function repositoriesLine({ repositories, maxTokens }: MapInput): string {
  const line = (names: string) => `Left out: ${names} (separate repositories; map each by its path).\n`;
  return noteOn(repositories, maxTokens, line, `Repositories inside left out: ${repositories.length}\n`);
}

/** A mistyped name would otherwise look like a file that nothing is near to. */
function unmatchedLine(names: readonly string[], maxTokens: number): string {
  const line = (named: string) => `Not in this map: ${named}\n`;
  return noteOn(names, maxTokens, line, line(`${names.length} of the focus files`));
}

function noteOn(
  all: readonly string[],
  maxTokens: number,
  line: (names: string) => string,
  count: string,
): string {
  if (all.length === 0) return '';
  const fits = (note: string) => countTokens(note) <= maxTokens * NOTE_SHARE;
  for (let named = Math.min(all.length, 10); named > 0; named--) {
    const rest = all.length > named ? ` and ${all.length - named} more` : '';
    const note = line(all.slice(0, named).map(plainName).join(', ') + rest);
    if (fits(note)) return note;
  }
  return fits(count) ? count : '';
}

export function mapProject(files: ProjectFiles, graph: ReferenceGraph, request: MapInput): ProjectMap {
  const { tags, paths } = files;
  const { matches, unmatched } = resolveFocus(request.root, paths, request.focusFiles);
  const session = resolveExactly(request.root, paths, request.sessionFiles);
  const fileRanks = rankFiles(paths, graph, { focus: eachOnce(matches), session });
  const byRank = (a: number, b: number) => fileRanks[b]! - fileRanks[a]! || a - b;
  const focus = eachOnce(matches.map((files) => files.toSorted(byRank)));
  const counts = {
    files: tags.language.reduce((sum, language) => sum + (language > 0 ? 1 : 0), 0),
    definitions: tags.definitionName.length,
    references: graph.targets.length,
  };
  const definitionRanks = rankDefinitions(files, graph, fileRanks, focus);
  const notes = unmatchedLine(unmatched, request.maxTokens) + repositoriesLine(request);
  const budgetTokens =
    request.maxTokens - countTokens(longestHeader(counts)) - countTokens(LEFT_OUT_LINE + notes);
  const selection = selectDefinitions({
    files,
    fileRanks,
    definitionRanks,
    focus,
    named: new Set(matches.filter((files) => files.length === 1).flat()),
    budgetTokens,
    toleratedTokens: Math.max(0, Math.floor(request.maxTokens * TOLERATED_SHARE) - RESERVE_TOKENS),
  });
  const shown = selection.reduce((sum, { definitions }) => sum + definitions.length, 0);
  const rest = (shown < counts.definitions ? LEFT_OUT_LINE : '') + notes;
  return {
    ...counts,
    body: budgetTokens < 0 ? '' : renderSelection(files, selection) + rest,
    repositories: [...request.repositories],
    shownFiles: selection.map(({ file }) => paths[file]!),
    unmatchedFocusFiles: unmatched,
    details: request.includeDetails ? detailsOf(files, graph, fileRanks, definitionRanks) : undefined,
  };
}

function eachOnce(lists: readonly number[][]): number[] {
  return [...new Set(lists.flat())];
}

function detailsOf(
  { paths, tags }: ProjectFiles,
  graph: ReferenceGraph,
  fileRanks: Float64Array,
  definitionRanks: Float64Array,
): MapFile[] {
  const symbols = new SymbolTable(tags.symbols);
  return paths.flatMap((path, file) => {
    const language = LANGUAGES[tags.language[file]! - 1]?.name;
    if (language === undefined) return [];
    const definitions: MapDefinition[] = [];
    for (let d = tags.definitionStart[file]!; d < tags.definitionStart[file + 1]!; d++) {
      definitions.push({
        name: symbols.name(tags.definitionName[d]!),
        kind: shownKind(tags.definitionKind[d]!),
        line: tags.definitionLine[d]!,
        rank: definitionRanks[d]!,
      });
    }
    const references: MapFile['references'] = [];
    for (let e = graph.offsets[file]!; e < graph.offsets[file + 1]!; e++) {
      references.push({ path: paths[graph.targets[e]!]!, weight: graph.weights[e]! });
    }
    return [{ path, language, rank: fileRanks[file]!, definitions, references }];
  });
}
