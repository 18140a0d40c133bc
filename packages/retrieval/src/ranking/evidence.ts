import type { KeywordMatches } from '../matching/keyword-search.js';
import type { SemanticMatches } from '../matching/semantic-search.js';

/** A chunk on its way to the answer. */
export interface Candidate {
  id: number;
  score: number;
  /** Which relations to other chunks raised it. */
  via: readonly ('cluster' | 'graph')[];
}

/** The evidence for chunks of an answer. */
export interface Evidence {
  matches: KeywordMatches;
  semantic: SemanticMatches;
  /** Chunks that name what the question names; see `searchEntities`. */
  entities: ReadonlyMap<number, number>;
  /** By chunk id: 1 for a chunk of a time, branch or session that the question names, less beside; see `chunksIn`. */
  circumstances: ReadonlyMap<number, number>;
  /** By session: the same for a project that is named or worked in; see `sessionsIn`. */
  sessions: ReadonlyMap<number, number>;
  /** Whether the question asks for something that the person said, and the word index can tell what they did. */
  asksForPersonsWords: boolean;
  /** That the question asks for what the person wants or, if `against`, does not want, be it about something. */
  wishes: { against: boolean } | undefined;
  /** Whether the question asks for something that went wrong. */
  asksForFailure: boolean;
  /** Whether the question asks how something is done, which may be by a command. */
  asksForCommand: boolean;
  /** Chunks with failed calls that contain the question: it is an error that was pasted. */
  pastedFailures: ReadonlySet<number>;
  /** The only chunks that may be ranked, where not all may: what the others say still counts for their neighbours. */
  allowed?: ReadonlySet<number> | undefined;
}
