import { describe, expect, it } from 'vitest';
import { lookAtFiles } from '../src/files/file-listing.js';
import { NO_HASH } from '../src/extraction/file-tags.js';
import { readFiles } from '../src/parse-task.js';
import { mergeUpdate, planUpdate } from '../src/project-update.js';
import { project, write } from './project.js';

const context = { cancelled: () => false, progress: () => undefined };

describe('an update of what is known', () => {
  async function known(files: Record<string, string>) {
    const root = project(files);
    const { listing } = await lookAtFiles(root, context).actual;
    const numbers = Uint32Array.from(listing.paths.keys());
    const read = await readFiles({ root, files: numbers, paths: listing.paths }, context);
    const cached = mergeUpdate(listing, planUpdate(root, listing, undefined), undefined, [read]);
    return { root, listing, cached, later: { ...cached, readAtMs: cached.readAtMs + 60_000 } };
  }

  it('reads again what could not be read, though nothing shows that it changed', async () => {
    const { root, listing, later } = await known({ 'locked.ts': 'x()', 'read.ts': 'y()' });
    expect(planUpdate(root, listing, later).toRead).toEqual([]);
    later.hashes[0] = NO_HASH;
    expect(planUpdate(root, listing, later).toRead).toEqual([0]);
  });

  it('does not trust the times of a file that was written just before it was read', async () => {
    const { root, listing, cached, later } = await known({ 'a.ts': 'x()', 'b.ts': 'y()' });
    expect(planUpdate(root, listing, cached)).toMatchObject({ toRead: [], cacheIsStale: false });
    write(root, { 'b.ts': 'z()' });
    // As it looks where times are in seconds.
    expect(planUpdate(root, listing, cached).toRead).toEqual([1]);
    expect(planUpdate(root, listing, later).toRead).toEqual([]);
  });

  it.each(['mtimeMs', 'ctimeMs'] as const)(
    'looks into files of which one time is another: %s',
    async (time) => {
      const { root, listing, later } = await known({ 'a.ts': 'x()', 'b.ts': 'y()' });
      write(root, { 'b.ts': 'z()' });
      const touched = { ...listing, [time]: listing[time].map((ms) => ms + 1) };
      expect(planUpdate(root, touched, later)).toMatchObject({ toRead: [1], cacheIsStale: true });
    },
  );

  it('keeps of what is known only what still holds, where not all was read', async () => {
    const { root, listing, cached } = await known({ 'a.ts': 'x()', 'b.ts': 'y()' });
    const issue = (file: string) => ({ file, code: 'PARSE_FAILED', message: 'x' }) as const;
    const withIssues = { ...cached, issues: [issue('a.ts'), issue('b.ts')] };
    write(root, { 'a.ts': 'z()' });
    const plan = planUpdate(root, listing, withIssues);
    const updated = mergeUpdate(listing, plan, withIssues, []);
    expect(updated).toMatchObject({ paths: ['b.ts'], issues: [{ file: 'b.ts' }] });
  });

  it('remembers that the times of such a file can be trusted now', async () => {
    const { root, listing, cached } = await known({ 'a.ts': 'x()' });
    const looked = { ...listing, listedAtMs: listing.listedAtMs + 60_000 };
    const plan = planUpdate(root, looked, cached);
    expect(plan).toMatchObject({ toRead: [], cacheIsStale: true });
    const updated = mergeUpdate(looked, plan, cached, []);
    expect(planUpdate(root, looked, updated)).toMatchObject({ toRead: [], cacheIsStale: false });
  });
});
