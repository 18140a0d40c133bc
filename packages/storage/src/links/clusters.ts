import type { Database } from 'better-sqlite3';
import { numbersOf } from '../database/number-list.js';
import { prepared } from '../database/prepared.js';
import { writeStatement, writeTransaction } from '../database/write-transaction.js';

/** A topic of a project: chunks whose vectors lie close together. */
export interface StoredCluster {
  id: number;
  /** The terms that distinguish it from the project's other topics; empty after a member was deleted, until the next pass. */
  label: string;
  /** The chunk in its middle; null once that chunk is gone. */
  medoidId: number | null;
  /** Unit vector of the model that the pass was made with. */
  centroid: Float32Array;
}

/** How far a project's chunks are clustered. */
export interface ClusterState {
  /** Chunks with a vector. */
  vectors: number;
  /** Of these, the ones that no pass has looked at. */
  pending: number;
  /** Chunks in the last full pass with this model; 0 where there was none. */
  inLastPass: number;
}

export interface ClusterMember {
  chunkId: number;
  /** Null for noise. */
  clusterId: number | null;
  /** How strongly the chunk belongs to the cluster, 0 to 1. */
  probability: number;
}

/** A full pass over a project. A cluster with an id continues the stored one with that id; the others are new. */
export interface ClusterPass {
  projectId: number;
  modelId: string;
  clusters: (Omit<StoredCluster, 'id'> & { id: number | null })[];
  /** `cluster` is the position in `clusters`, −1 for noise. */
  members: { chunkId: number; cluster: number; probability: number }[];
}

/** Topics of projects and their members. Derived from vectors: they can be dropped and made again. */
export class Clusters {
  constructor(private readonly db: Database) {}

  state(projectId: number, modelId: string): ClusterState {
    return this.db
      .prepare(
        `SELECT count(*) AS vectors, count(*) - count(cc.chunk_id) AS pending,
           coalesce((SELECT chunks FROM cluster_pass WHERE project_id = @projectId AND model_id = @modelId), 0) AS inLastPass
         FROM chunk_vector v LEFT JOIN chunk_cluster cc ON cc.chunk_id = v.chunk_id
         WHERE v.model_id = @modelId AND v.project_id = @projectId`,
      )
      .get({ projectId, modelId }) as ClusterState;
  }

  /** Chunks with a vector that no pass has looked at, ascending. */
  pending(projectId: number, modelId: string): number[] {
    return this.db
      .prepare(
        `SELECT v.chunk_id FROM chunk_vector v WHERE v.model_id = ? AND v.project_id = ?
           AND NOT EXISTS (SELECT 1 FROM chunk_cluster cc WHERE cc.chunk_id = v.chunk_id) ORDER BY v.chunk_id`,
      )
      .pluck()
      .all(modelId, projectId) as number[];
  }

  /** A project's clusters, the oldest first. */
  ofProject(projectId: number): StoredCluster[] {
    const rows = this.db
      .prepare(
        'SELECT id, label, medoid_id AS medoidId, centroid FROM cluster WHERE project_id = ? ORDER BY id',
      )
      .all(projectId) as (Omit<StoredCluster, 'centroid'> & { centroid: Buffer })[];
    return rows.map((row) => ({ ...row, centroid: new Float32Array(new Uint8Array(row.centroid).buffer) }));
  }

  /** The largest topics of all projects. */
  largest(limit: number): { project: string; label: string; chunks: number }[] {
    return this.db
      .prepare(
        `SELECT p.slug AS project, c.label, m.chunks
         FROM (SELECT cluster_id, count(*) AS chunks FROM chunk_cluster WHERE cluster_id IS NOT NULL GROUP BY cluster_id
               ORDER BY chunks DESC, cluster_id LIMIT ?) m
         JOIN cluster c ON c.id = m.cluster_id JOIN project p ON p.id = c.project_id
         ORDER BY m.chunks DESC, c.id`,
      )
      .all(limit) as { project: string; label: string; chunks: number }[];
  }

  /** The cluster of each of these chunks, by chunk; noise and unknown chunks are left out. */
  clustersOf(chunkIds: readonly number[]): Map<number, number> {
    const clusters = prepared(
      this.db,
      `SELECT chunk_id, cluster_id FROM chunk_cluster
       WHERE chunk_id IN (SELECT value FROM json_each(?)) AND cluster_id IS NOT NULL`,
    );
    return new Map(clusters.raw().all(JSON.stringify(chunkIds)) as [number, number][]);
  }

  /** All chunks of these clusters, ascending, by cluster. */
  members(clusterIds: readonly number[]): Map<number, number[]> {
    const members = prepared(
      this.db,
      `SELECT cluster_id, group_concat(chunk_id ORDER BY chunk_id) FROM chunk_cluster
       WHERE cluster_id IN (SELECT value FROM json_each(?)) GROUP BY cluster_id`,
    );
    const rows = members.raw().all(JSON.stringify(clusterIds)) as [number, string][];
    return new Map(rows.map(([cluster, chunks]) => [cluster, [...numbersOf(chunks)]]));
  }

  /** Assigns chunks to existing clusters or to noise; chunks that are gone are skipped. */
  assign(members: readonly ClusterMember[]): void {
    const insert = this.db.prepare(INSERT_MEMBER);
    writeTransaction(this.db, () => {
      for (const { chunkId, clusterId, probability } of members) {
        insert.run({ cluster: clusterId, probability, chunk: chunkId });
      }
    });
  }

  /**
   * Replaces a project's clusters with those of a full pass; continued clusters keep their ids. A project that is not there
   * is left alone: an import may have replaced the memory while the pass was made.
   */
  replace(pass: ClusterPass): void {
    const isThere = this.db.prepare('SELECT 1 FROM project WHERE id = ?');
    writeTransaction(this.db, () => {
      if (isThere.get(pass.projectId) !== undefined) this.writePass(pass);
    });
  }

  private writePass({ projectId, modelId, clusters, members }: ClusterPass): void {
    const kept = JSON.stringify(clusters.flatMap(({ id }) => id ?? []));
    this.db
      .prepare('DELETE FROM chunk_cluster WHERE chunk_id IN (SELECT id FROM chunk WHERE project_id = ?)')
      .run(projectId);
    this.db
      .prepare('DELETE FROM cluster WHERE project_id = ? AND id NOT IN (SELECT value FROM json_each(?))')
      .run(projectId, kept);
    const upsert = this.db
      .prepare(
        `INSERT INTO cluster (id, project_id, label, medoid_id, centroid)
         VALUES (?, ?, ?, (SELECT id FROM chunk WHERE id = ?), ?)
         ON CONFLICT (id) DO UPDATE SET label = excluded.label, medoid_id = excluded.medoid_id,
           centroid = excluded.centroid
         RETURNING id`,
      )
      .pluck();
    const ids = clusters.map(({ id, label, medoidId, centroid }) => {
      const bytes = Buffer.from(centroid.buffer, centroid.byteOffset, centroid.byteLength);
      return upsert.get(id, projectId, label, medoidId, bytes) as number;
    });
    const insert = this.db.prepare(INSERT_MEMBER);
    const unname = this.db.prepare("UPDATE cluster SET label = '' WHERE id = ?");
    for (const { chunkId, cluster, probability } of members) {
      const { changes } = insert.run({ cluster: ids[cluster] ?? null, probability, chunk: chunkId });
      // Deleted while the pass was made: the label may hold its words.
      if (changes === 0) unname.run(ids[cluster] ?? null);
    }
    this.db
      .prepare('INSERT OR REPLACE INTO cluster_pass VALUES (?, ?, ?)')
      .run(projectId, modelId, members.length);
  }

  /** Whether the chunks of any topic are all gone, as after a transcript was written anew. */
  hasEmpty(): boolean {
    return this.db.prepare(`SELECT 1 FROM ${EMPTY_CLUSTERS} LIMIT 1`).get() !== undefined;
  }

  /** Drops such topics: where few chunks are left, no pass does. */
  dropEmpty(): void {
    writeStatement(this.db, `DELETE FROM ${EMPTY_CLUSTERS}`);
  }

  /** Has the next pass cluster every project again. */
  expire(): void {
    writeStatement(this.db, 'DELETE FROM cluster_pass');
  }
}

/** Rows of topics without a chunk. */
export const EMPTY_CLUSTERS =
  'cluster WHERE NOT EXISTS (SELECT 1 FROM chunk_cluster m WHERE m.cluster_id = cluster.id)';

/** A chunk may have been deleted, or its cluster replaced, since it was looked at. */
const INSERT_MEMBER = `INSERT INTO chunk_cluster (chunk_id, cluster_id, probability)
  SELECT id, (SELECT id FROM cluster WHERE id = @cluster), @probability FROM chunk WHERE id = @chunk ON CONFLICT (chunk_id) DO NOTHING`;
