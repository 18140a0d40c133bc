/** What a definition is, as it stands in the map; in the order of the numbers in the cache (append only). */
export const DEFINITION_KINDS = [
  'fn',
  'method',
  'class',
  'interface',
  'type',
  'enum',
  'struct',
  'trait',
  'module',
  'namespace',
  'const',
  'macro',
  'object',
  'union',
  'record',
  'protocol',
  'extension',
  'package',
] as const;

export type DefinitionKind = (typeof DEFINITION_KINDS)[number];

export interface Definition {
  name: string;
  kind: DefinitionKind;
  /** From 1. */
  line: number;
}

/** What one file says: its definitions by line, and how often it mentions each name it refers to. */
export interface FileTags {
  language: number;
  definitions: Definition[];
  references: Map<string, number>;
}

/** Something that could not be read; the rest of the map is not touched by it. */
export interface RepoMapIssue {
  file: string;
  code: 'UNREADABLE' | 'PARSE_TIMEOUT' | 'PARSE_FAILED' | 'GIT_FAILED' | 'CACHE_FAILED';
  message: string;
}
