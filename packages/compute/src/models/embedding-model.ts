export type EmbeddingKind = 'query' | 'passage';

/** An embedding model in memory. Lives in a worker: it blocks its thread while it computes. */
export interface EmbeddingModel {
  /**
   * @param betweenBatches called after each batch with the number of texts done; it may throw to stop
   * @returns one row per text, n × dim, row-major
   */
  embed(
    texts: readonly string[],
    kind: EmbeddingKind,
    betweenBatches: (done: number) => void,
  ): Promise<Float32Array<ArrayBuffer>>;
  release(): Promise<void>;
}
