import type { EdgeType } from '@causantic/graph';

/** How much each piece of evidence counts. Chosen by measurement: docs/decisions/0070-ranking.md, 0091-ablation.md. */
export interface RankingWeights {
  /** Weight of the chunk nearest in meaning, relative to the one with the best words. */
  similarity: number;
  /**
   * Weights for agreement of words and meaning by rank. Each weight makes an order of its own, and the orders take turns:
   * in one the context of a chunk decides, in another its own content.
   */
  fusion: readonly number[];
  /** Share of the better neighbour's score in the same transcript. */
  neighbour: number;
  /** Share of the session's score as one document. */
  session: number;
  /** Weight of the session nearest in meaning, relative to the one with the best words. */
  sessionSimilarity: number;
  /** Weight of an entity that both chunk and question name, possibly under different names, by how rare it is. */
  entity: number;
  /**
   * By how much the end of an agent's work, which tells what came of it, counts more than the rest of its session, as a share
   * of the best score.
   */
  ending: number;
  /** By how much what was said counts more than calls of tools that nobody explains, in the same way. */
  telling: number;
  /** By how much more an agent's words with `code` or **bold** in them count, in the same way. */
  marking: number;
  /** Weight of each further chunk of a session, as a factor of the one before. */
  repeat: number;
  /** By how much a chunk of the time, branch or session that the question names counts more, as a share of its score. */
  circumstance: number;
  /** Share of the score of the best chunks in the same cluster. */
  cluster: number;
  /** Share of the score of a chunk at the other end of an edge, by the edge's type. */
  edges: Partial<Record<EdgeType, number>>;
  /** Maximal marginal relevance: 1 ranks by relevance alone; less moves chunks back that repeat an earlier one. */
  lambda: number;
}

export const RANKING_WEIGHTS: RankingWeights = {
  similarity: 0.25,
  fusion: [0.1, 0.7],
  neighbour: 0.5,
  session: 1.15,
  sessionSimilarity: 0.6,
  ending: 0.1,
  telling: 0.15,
  marking: 0.1,
  repeat: 0.956,
  entity: 0.8,
  circumstance: 1,
  cluster: 0.02,
  edges: { adjacent: 0.4 },
  lambda: 1,
};
