import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { databasePath } from '@causantic/domain';
import { ingestTree } from '@causantic/ingest';
import { Store } from '@causantic/storage';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.js';
import { TranscriptBuilder } from '../../../test/e2e/transcript-builder.js';

export const SHOP = '/home/ada/shop';

/** Session ids whose first eight characters are the day. */
export const sessionOn = (day: string): string => `${day.replaceAll('-', '')}-1111-4222-8333-444444444444`;

/** A home with a memory of its own, which is filled from transcripts. */
export class RememberingHome {
  readonly folder = temporaryFolder();
  readonly home = join(this.folder, 'home');
  readonly projects = join(this.folder, 'claude', 'projects');
  readonly store: Store;

  constructor() {
    mkdirSync(this.projects, { recursive: true });
    this.store = Store.open(databasePath(this.home));
    onTestFinished(() => this.store.close());
  }

  /** A transcript of a session in the shop on this day, at ten o'clock. */
  session(day: string, cwd = SHOP, branch = 'main'): TranscriptBuilder {
    return new TranscriptBuilder({ session: sessionOn(day), cwd, branch, start: `${day}T10:00:00Z` });
  }

  remember(...sessions: TranscriptBuilder[]): this {
    for (const session of sessions) session.writeTo(this.projects);
    ingestTree(this.store, [this.projects]);
    return this;
  }

  /** All that is remembered, in order. */
  get text(): string {
    return [...this.store.chunks.walk({}, 'oldest')].map(({ text }) => text).join('\n');
  }

  get project(): { id: number; slug: string; path: string } {
    return this.store.projects.findByPath(SHOP)!;
  }
}
