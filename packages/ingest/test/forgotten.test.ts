import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSqlite } from '@causantic/storage';
import { describe, expect, it } from 'vitest';
import { ingestTree } from '../src/index.js';
import { ingested, sessionId, TestStore } from './ingested.js';
import { Recording, temporaryFolder } from './recording.js';

function readAnew(store: TestStore, path: string): void {
  appendFileSync(path, '\n');
  expect(store.ingest(path).status).toBe('ingested');
}

const texts = (store: TestStore): string[] => store.chunks().map(({ text }) => text);
const paragraph = (word: string): string =>
  `${word} ${`is what this paragraph is about, `.repeat(24)}and ends.`;
const long = ['Apples', 'Bananas', 'Kumquats', 'Dates', 'Elderberries'].map(paragraph).join('\n\n');

describe('what the user deleted', () => {
  it('stays away, and nothing else of the same line', () => {
    const { store, path } = ingested(new Recording(sessionId(1)).user('fruit?').answer(long).user('thanks'));
    const before = texts(store);
    expect(before.length).toBeGreaterThan(4);
    store.forget('Kumquats');
    const left = before.filter((text) => !text.includes('Kumquats'));
    expect(texts(store)).toEqual(left);
    readAnew(store, path);
    expect(texts(store)).toEqual(left);
  });

  it('stays away however often it stood in a line', () => {
    const said = ['Apples', 'Kumquats', 'Kumquats', 'Dates'].map(paragraph).join('\n\n');
    const { store, path } = ingested(new Recording(sessionId(1)).user('fruit?').answer(said));
    const kumquats = texts(store).filter((text) => text.includes('Kumquats'));
    expect(kumquats).toHaveLength(2);
    store.forget('Kumquats');
    const left = texts(store);
    readAnew(store, path);
    expect(texts(store)).toEqual(left);
  });

  it('stays away when the turn goes on and is cut otherwise', () => {
    const recording = new Recording(sessionId(1))
      .user('fruit?')
      .answer(long)
      .answer('Also figs.')
      .call('c', 'Bash', { command: 'echo grapes' });
    const { store, path } = ingested(recording);
    store.forget('Elderberries');
    for (const more of ['and honey', 'and ink', 'and jam']) {
      recording
        .result('c', more)
        .answer(more)
        .appendTo(path, recording.lines.length - 2);
      store.ingest(path);
      expect(JSON.stringify(store.contents())).not.toContain('Elderberries');
      for (const kept of ['Apples', 'Bananas', 'Kumquats', 'Dates', 'and honey']) {
        expect(store.text()).toContain(kept);
      }
    }
    expect(store.saidBy('assistant')).toContain('and jam');
  });

  it('takes no thoughts, agents or calls with it that stand between its lines', () => {
    const recording = new Recording(sessionId(1))
      .user('go')
      .answer(`the kumquat ${'and so on, '.repeat(120)}`)
      .call('c1', 'Bash', { command: 'echo kumquat' })
      .assistant([{ type: 'thinking', thinking: 'a thought between' }]);
    const parent = recording.at;
    recording
      .backTo(null)
      .user('side task', { isSidechain: true })
      .answer('side answer', { isSidechain: true });
    recording.backTo(parent).result('c1', 'kumquat result').answer('after all of it');
    const { store, path } = ingested(recording);
    store.forget('kumquat result');
    readAnew(store, path);
    const all = store.text();
    expect(all).not.toContain('kumquat result');
    for (const kept of ['a thought between', 'side task', 'side answer']) expect(all).toContain(kept);
  });

  it('leaves the same words said elsewhere', () => {
    const filler = 'Something of enough length to stand alone in its chunk. '.repeat(30);
    const { store, path } = ingested(
      new Recording(sessionId(1))
        .user('yes')
        .answer(filler)
        .user('yes')
        .answer('a kumquat, as I said before and say again')
        .user('yes'),
    );
    store.forget('kumquat');
    const left = texts(store);
    // The first piece ends before the words that were deleted.
    store.ingest(path, { maxNewBytes: 1_000 });
    readAnew(store, path);
    expect(texts(store)).toEqual(left);
  });

  it('stays away when the client writes it once more, in another branch, as it reopens a session', () => {
    const recording = new Recording(sessionId(1)).user('fruit?').answer('Apples.');
    const parent = recording.at;
    const again = (): Recording =>
      recording
        .backTo(parent)
        .user('the kumquat?', { timestamp: '2026-03-01T11:00:00.000Z' })
        .answer('A kumquat is small.', { timestamp: '2026-03-01T11:00:01.000Z' });
    const { store, path } = ingested(again());
    store.forget('kumquat');
    readAnew(store, path);
    again().user('the kumquat?');
    for (const line of recording.lines.slice(4)) {
      appendFileSync(path, `${line}\n`);
      store.ingest(path);
    }
    readAnew(store, path);
    expect(store.saidBy('user')).toEqual(['fruit?', 'the kumquat?']);
    expect(JSON.stringify(store.contents())).not.toContain('is small');
    expect(store.facts()).toEqual([{ request: 'fruit?' }, { request: 'the kumquat?' }]);
  });

  it('stays away when it is written once more, though the same was said twice', () => {
    const recording = new Recording(sessionId(1)).user('fruit?').answer('Apples.');
    const parent = recording.at;
    const again = (): Recording => {
      recording.backTo(parent);
      for (const hour of ['11', '12'])
        recording
          .user('the kumquat?', { timestamp: `2026-03-01T${hour}:00:00.000Z` })
          .answer('A kumquat is small.', { timestamp: `2026-03-01T${hour}:00:01.000Z` });
      return recording;
    };
    const { store, path } = ingested(again());
    store.forget('kumquat');
    readAnew(store, path);
    again().answer('Pears.').appendTo(path, 6);
    store.ingest(path);
    expect(store.saidBy('user')).toEqual(['fruit?']);
    expect(JSON.stringify(store.contents())).not.toContain('is small');
    expect(store.facts()).toEqual([{ request: 'fruit?' }, {}]);
  });

  it('stays away with what stood between its lines and was deleted, too', () => {
    const recording = new Recording(sessionId(1))
      .user('the kumquat plan')
      .assistant([{ type: 'thinking', thinking: 'Kumquats, hmm: a kumquat.' }])
      .call('b', 'Bash', { command: 'git commit -m kumquat' })
      .result('b', '[main 1234567] kumquat')
      .answer(long.replaceAll('Kumquats', 'Figs'));
    const { store, path } = ingested(recording);
    expect(store.chunks('thinking')).toHaveLength(1);
    store.forget('kumquat');
    readAnew(store, path);
    expect(JSON.stringify(store.contents())).not.toContain('kumquat');
  });

  it('stays away where one of two that said the same is gone, and the other has moved', () => {
    const begun = (recording: Recording): Recording => recording.user('fruit?').answer(paragraph('Apples'));
    const both = begun(new Recording(sessionId(1)));
    for (const fruit of ['Bananas', 'Dates']) both.user('a kumquat').answer(paragraph(fruit));
    const { store, path } = ingested(both);
    store.forget('kumquat');
    const moved = new Recording(sessionId(1));
    for (let line = 0; line < 8; line++) moved.raw('{}');
    begun(moved).user('a kumquat').answer(paragraph('Dates')).writeTo(path);
    store.ingest(path);
    expect(store.saidBy('user')).toEqual(['fruit?']);
  });

  it('is in no fact of its turn, and no name of an agent', () => {
    const recording = new Recording(sessionId(1))
      .user('the kumquat plan')
      .call('t', 'Task', { subagent_type: 'Explore', description: 'kumquat look', prompt: 'kumquats' })
      .result('t', 'done', { toolUseResult: { agentId: 'a1' } })
      .call('b', 'Bash', { command: 'git commit -m kumquat' })
      .result('b', '[main 1234567] kumquat')
      .answer(long.replaceAll('Kumquats', 'Figs'))
      .user('and now something else')
      .call('d', 'Bash', { command: 'ls' })
      .result('d', 'till.ts');
    const { store, path } = ingested(recording);
    store.forget('kumquat');
    recording
      .raw('{"type":"custom-title","customTitle":"All about kumquats"}')
      .answer('well')
      .appendTo(path, 8);
    store.ingest(path);
    readAnew(store, path);
    expect(JSON.stringify(store.contents())).not.toContain('kumquat');
    const db = openSqlite(store.path, { readonly: true });
    expect(JSON.stringify(db.prepare('SELECT checkpoint FROM transcript').all())).not.toContain('kumquat');
    db.close();
    expect(store.facts()).toEqual([
      {},
      { request: 'and now something else', commands: ['ls'], toolCounts: { Bash: 1 } },
    ]);
  });

  it('takes its branch with it, which comes back only with something new on it', () => {
    const recording = new Recording(sessionId(1), { gitBranch: 'add-kumquats' })
      .user('the kumquats?')
      .answer('ripe');
    const { store, path } = ingested(recording);
    store.store.forgetting.delete(store.store.forgetting.ids({}));
    readAnew(store, path);
    const db = openSqlite(store.path, { readonly: true });
    const branches = () => db.prepare('SELECT git_branch FROM session').pluck().all();
    expect(branches()).toEqual([null]);
    expect(JSON.stringify(db.prepare('SELECT checkpoint FROM transcript').all())).not.toContain('kumquats');
    recording.user('and figs?').answer('not yet').appendTo(path, 2);
    store.ingest(path);
    expect(branches()).toEqual(['add-kumquats']);
    expect(store.text()).toContain('and figs?');
    db.close();
  });

  it('stays away, with its lines, where its text is not met as it was cut', () => {
    const { store, path } = ingested(new Recording(sessionId(1)).user('fruit?').answer(long).user('thanks'));
    store.forget('Kumquats');
    const db = openSqlite(store.path);
    db.exec('UPDATE forgotten SET piece = randomblob(16)');
    db.close();
    readAnew(store, path);
    expect(store.text()).not.toContain('Kumquats');
    expect(store.saidBy('user')).toEqual(expect.arrayContaining(['thanks']));
  });

  it('by an earlier version, which noted lines only, stays away with its lines', () => {
    const { store, path } = ingested(new Recording(sessionId(1)).user('fruit?').answer(long).user('thanks'));
    store.forget('Kumquats');
    const db = openSqlite(store.path);
    db.exec('UPDATE forgotten SET piece = NULL');
    db.close();
    readAnew(store, path);
    expect(store.saidBy('user')).toEqual(['fruit?', 'thanks']);
    expect(store.saidBy('assistant')).toEqual([]);
  });

  it('of a note stays away while the note is edited around it', () => {
    const projects = temporaryFolder();
    const path = join(projects, '-home-ada-shop', 'memory', 'MEMORY.md');
    const store = new TestStore();
    new Recording(sessionId(1)).writeTo(path);
    const write = (text: string): void => {
      writeFileSync(path, text);
      ingestTree(store.store, [projects]);
    };
    const section = (word: string): string => `# ${word}\n${paragraph(word)}\n\n`;
    write(section('Apples') + section('Kumquats') + section('Dates'));
    store.forget('Kumquats');
    write(
      `One more line.\n\n${section('Apples')}${section('Bananas')}${section('Kumquats')}${section('Dates')}`,
    );
    expect(store.text()).not.toContain('Kumquats');
    for (const kept of ['One more line', 'Apples', 'Bananas', 'Dates']) expect(store.text()).toContain(kept);
    // What stands now in the lines of what is gone was not deleted.
    write(section('Apples') + section('Elderberries') + section('Dates'));
    for (const kept of ['Apples', 'Elderberries', 'Dates']) expect(store.text()).toContain(kept);
  });
});
