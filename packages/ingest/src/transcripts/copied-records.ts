import { existsSync } from 'node:fs';
import type { TranscriptWriter } from '@causantic/storage';
import { fileOf } from './open-transcript.js';

export interface CopiedState {
  lastCopied: string | null;
  /** The copied record that the first own one follows: its owner is the session that this one continues. */
  forkOf: string | null;
}

const NOTHING_COPIED: CopiedState = { lastCopied: null, forkOf: null };

/** Detects records that are copies of another session's, such as those a fork begins with. */
export class CopiedRecords {
  /** Others that are to be read again: records were taken back from them, or left to them, or are theirs after all. */
  readonly takenFrom: string[] = [];
  /** Whether records were taken back. */
  private hasTaken = false;
  private lastCopied: string | null;
  private forkOf: string | null;
  /** Of the latest record that was asked for: its agent and its events ask one after the other. */
  private latest: { uuid: string; isCopied: boolean } | null = null;

  constructor(
    private readonly writer: TranscriptWriter,
    { lastCopied, forkOf }: CopiedState = NOTHING_COPIED,
  ) {
    this.lastCopied = lastCopied;
    this.forkOf = forkOf;
  }

  state(): CopiedState {
    return { lastCopied: this.lastCopied, forkOf: this.forkOf };
  }

  has(uuid: string): boolean {
    if (this.latest?.uuid !== uuid) this.latest = { uuid, isCopied: this.isOthers(uuid) };
    return this.latest.isCopied;
  }

  /** What a fork has taken while this file was cut off is taken back, if the fork can be read again. */
  private isOthers(uuid: string): boolean {
    if (!this.writer.isOwnedByOther(uuid)) return false;
    const fork = this.writer.continuationHolding(uuid);
    if (fork === null || !existsSync(fileOf(fork))) return true;
    this.writer.takeRecord(uuid, fork);
    this.hasTaken = true;
    if (!this.takenFrom.includes(fork)) this.takenFrom.push(fork);
    return false;
  }

  /** What this transcript holds no more is left to those that go on from it, where they have it, too. */
  leaveToForks(): void {
    for (const fork of this.writer.continuations()) this.readAnew(fork);
  }

  /** What was taken back from a fork of this session may be that of the one which this goes on from: a fork has both. */
  leaveToOriginal(session: string): void {
    if (this.hasTaken) for (const path of this.writer.pathsRead(session)) this.readAnew(path);
  }

  /** Has another transcript read from its start, if it is there. */
  private readAnew(path: string): void {
    if (!existsSync(fileOf(path)) || this.takenFrom.includes(path)) return;
    this.writer.reopen(path);
    this.takenFrom.push(path);
  }

  /** The main stream has a copied record here. */
  noteCopied(uuid: string): void {
    this.lastCopied = uuid;
  }

  /** The main stream has a record of its own here. */
  noteOwn(): void {
    this.forkOf ??= this.lastCopied;
  }
}
