import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Store, openSqlite } from '@causantic/storage';
import { expect, onTestFinished } from 'vitest';
import { type IngestOptions, type IngestReport, ingestTranscript, ingestTree } from '../src/index.js';
import { type Recording, sessionId, temporaryFolder } from './recording.js';
import { storeContents } from './store-contents.js';

export interface Row {
  kind: string;
  /** 2 behind a blank line. */
  continues: 0 | 1 | 2;
  text: string;
  tokens: number;
  spans: [string, number, number][];
  files: string[];
  tools: string[];
  agent: string | null;
}

/** What is stored of a file that is read each time it has grown to a cut, in bytes. */
export function contentsInPieces(bytes: Buffer, cuts: readonly number[]): unknown {
  const path = join(temporaryFolder(), 'session.jsonl');
  const store = new TestStore();
  for (const cut of cuts) {
    writeFileSync(path, bytes.subarray(0, cut));
    store.ingest(path);
  }
  return store.contentsOf(path);
}

/** What is stored is the same, whether a file with this text is read at once or each time it has grown to a cut. */
export function expectSameInPieces(text: string, cutsIn: (bytes: Buffer) => number[] = lineEnds): void {
  const bytes = Buffer.from(text);
  expect(contentsInPieces(bytes, cutsIn(bytes))).toEqual(contentsInPieces(bytes, [bytes.length]));
}

/** A cut after each so many bytes, and at the end. */
export function every(step: number): (bytes: Buffer) => number[] {
  return ({ length }) => Array.from({ length: Math.ceil(length / step) }, (_, n) => (n + 1) * step);
}

/** Where a file ends that holds the first line, the first two, and so on, in bytes. */
export function lineEnds(bytes: Buffer): number[] {
  return [...bytes.entries()].filter(([, byte]) => byte === 10).map(([at]) => at + 1);
}

/** What a folder of transcripts holds, in which nothing is wrong. */
export function read(folder: string): TestStore {
  const store = new TestStore();
  expect(ingestTree(store.store, [folder]).issues).toEqual([]);
  return store;
}

/** Sessions as their client lays them out, read. */
export function stored(...sessions: readonly { writeTo(folder: string): string }[]): TestStore {
  const folder = temporaryFolder();
  for (const session of sessions) session.writeTo(folder);
  return read(folder);
}

let ofEmptyMemory: Buffer | undefined;

/** The file of a new memory: to copy it takes a fraction of the time that it takes to make one, and a thousand tests do. */
function emptyMemory(): Buffer {
  if (ofEmptyMemory) return ofEmptyMemory;
  const path = join(temporaryFolder(), 'memory.db');
  Store.open(path).close();
  return (ofEmptyMemory = readFileSync(path));
}

/** A store in a folder of its own, with what tests ask of it. */
export class TestStore {
  readonly path: string;
  readonly store: Store;

  constructor(folder = temporaryFolder()) {
    this.path = join(folder, 'memory.db');
    if (!existsSync(this.path)) writeFileSync(this.path, emptyMemory());
    this.store = Store.open(this.path);
    onTestFinished(() => this.store.close());
  }

  ingest(path: string, options: IngestOptions = {}): IngestReport {
    return ingestTranscript(this.store, path, options);
  }

  contents(): ReturnType<typeof storeContents> {
    return storeContents(this.path);
  }

  /** The contents, the same for every temporary folder: `path` is called PATH in them. */
  contentsOf(path: string): unknown {
    const asInJson = JSON.stringify(path).slice(1, -1);
    return JSON.parse(JSON.stringify(this.contents()).replaceAll(asInJson, 'PATH'));
  }

  edgeTypes(): string[] {
    const db = openSqlite(this.path, { readonly: true });
    const types = db.prepare('SELECT type FROM edge ORDER BY type').pluck().all() as string[];
    db.close();
    return types;
  }

  /** All chunks in file order. */
  chunks(kind?: string): Row[] {
    const rows = this.contents()['chunks'] as (Omit<Row, 'spans' | 'files' | 'tools'> &
      Record<string, string>)[];
    return rows
      .filter((row) => kind === undefined || row.kind === kind)
      .map((row) => ({
        ...row,
        spans: JSON.parse(row['spans']!) as Row['spans'],
        files: JSON.parse(row['files']!) as string[],
        tools: JSON.parse(row['tools']!) as string[],
      }));
  }

  text(kind?: string): string {
    return this.chunks(kind)
      .map((chunk) => chunk.text)
      .join('\n---\n');
  }

  /** What one speaker said, in order. */
  saidBy(speaker: string): string[] {
    return this.chunks().flatMap((chunk) =>
      chunk.spans.filter(([who]) => who === speaker).map(([, start, end]) => chunk.text.slice(start, end)),
    );
  }

  /** Delete the chunks that hold this text: some, and not all. */
  forget(text: string): void {
    const db = openSqlite(this.path, { readonly: true });
    const ids = db.prepare('SELECT id FROM chunk WHERE instr(text, ?) > 0').pluck().all(text) as number[];
    db.close();
    expect(ids.length).toBeGreaterThan(0);
    expect(ids.length).toBeLessThan(this.chunks().length);
    this.store.forgetting.delete(ids);
  }

  transcriptPaths(): string[] {
    const turns = this.contents()['turns'] as { path: string }[];
    return [...new Set(turns.map(({ path }) => path))];
  }

  facts(): Record<string, unknown>[] {
    const turns = this.contents()['turns'] as { facts: string }[];
    return turns.map((turn) => JSON.parse(turn.facts) as Record<string, unknown>);
  }
}

/** Ingest one recording as a session's main file. */
export function ingested(
  recording: Recording,
  options?: IngestOptions,
): { store: TestStore; report: IngestReport; path: string } {
  const store = new TestStore();
  const path = recording.writeTo(
    join(temporaryFolder(), 'projects', '-home-ada-shop', `${recording.session}.jsonl`),
  );
  return { store, path, report: store.ingest(path, options) };
}

export { sessionId };
