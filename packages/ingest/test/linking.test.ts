import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openSqlite, type TranscriptWriter } from '@causantic/storage';
import { describe, expect, it } from 'vitest';
import { sessionDraft } from '../../../test/drafts.js';
import { ingestTree, linkSessions } from '../src/index.js';
import { projectFile } from '../src/links/project-file.js';
import { sessionId, TestStore } from './ingested.js';
import { Recording, temporaryFolder } from './recording.js';

/** `type session/agent: files or first line ⇒ session/agent: files or first line`, sorted. */
function edges({ path }: TestStore): string[] {
  const db = openSqlite(path, { readonly: true });
  const place = (c: string) =>
    `(SELECT substr(s.uuid, 8, 1) || coalesce('/' || a.name, '') || ': ' || CASE c.files WHEN '[]' THEN substr(c.text, 1, instr(c.text || char(10), char(10)) - 1) ELSE c.files END
      FROM chunk c JOIN session s ON s.id = c.session_id LEFT JOIN agent a ON a.id = c.agent_id WHERE c.id = e.${c})`;
  const sql = `SELECT e.type || ' ' || ${place('from_id')} || ' ⇒ ' || ${place('to_id')} FROM edge e`;
  const found = db.prepare(sql).pluck().all() as string[];
  db.close();
  return found.sort();
}

const edit = (file: string) => ({ file_path: `/home/ada/shop/${file}`, old_string: 'a', new_string: 'b' });
const filler = 'word '.repeat(700);

/** A session at an hour of its own that edits a file, one chunk a turn. */
function editing(n: number, hour: number, files: string[]): Recording {
  const recording = new Recording(sessionId(n));
  for (const file of files) {
    recording.user(`${file} in ${n} ${filler}`).call(`t-${n}-${file}`, 'Edit', edit(file));
    recording.result(`t-${n}-${file}`, 'done').answer(`${file} is done`);
  }
  recording.lines.splice(0, Infinity, ...recording.lines.map((line) => line.replace('T10:', `T${hour}:`)));
  return recording;
}

const recordings = () => [
  editing(1, 10, ['till.ts', 'shop.ts']),
  editing(2, 11, ['till.ts', 'door.ts']),
  editing(3, 12, ['till.ts', 'shop.ts']),
];

function written(): string[] {
  const folder = temporaryFolder();
  return recordings().map((each) => each.writeTo(join(folder, `${each.session}.jsonl`)));
}

function linkedInOrder(paths: readonly string[]): string[] {
  const store = new TestStore();
  for (const path of paths) ingestTree(store.store, [path]);
  return edges(store);
}

describe('edges', () => {
  it('follow a file over sessions, each touch to the next', () => {
    const found = linkedInOrder(written()).filter((edge) => edge.startsWith('file-path'));
    expect(found.map((edge) => edge.replaceAll('/home/ada/shop/', ''))).toEqual([
      'file-path 1: ["shop.ts"] ⇒ 3: ["shop.ts"]',
      'file-path 1: ["till.ts"] ⇒ 2: ["till.ts"]',
      'file-path 2: ["till.ts"] ⇒ 3: ["till.ts"]',
    ]);
  });

  it('follow a file past a session that is forgotten, where its transcript is gone', () => {
    const paths = written();
    const store = new TestStore();
    ingestTree(store.store, paths);
    for (const path of paths) rmSync(path);
    const { forgetting, sessions } = store.store;
    const [second] = sessions.withPrefix(sessionId(2), 1);
    forgetting.delete(forgetting.ids({ sessionId: second!.id }));
    linkSessions(store.store);
    const found = edges(store).filter((edge) => /^file-path .*till\.ts/.test(edge));
    expect(found.map((edge) => edge.replaceAll('/home/ada/shop/', ''))).toEqual([
      'file-path 1: ["till.ts"] ⇒ 3: ["till.ts"]',
    ]);
  });

  it('lead from no session that turns out to be continued itself', () => {
    const store = new TestStore();
    ingestTree(store.store, written());
    const tell = (session: string, what: (writer: TranscriptWriter) => void): void => {
      store.store.transcripts.write(`/${session}`, (writer) => {
        writer.putSession(sessionDraft(session), { path: '/home/ada/shop', name: 'shop' });
        what(writer);
      });
      linkSessions(store.store);
    };
    const links = (): string[] => edges(store).filter((edge) => edge.startsWith('cross-session'));
    tell(sessionId(2), (writer) => writer.linkPlan(sessionId(1)));
    expect(links()).toHaveLength(1);
    tell(sessionId(1), (writer) => writer.linkOriginal(sessionId(2)));
    expect(links()).toEqual([]);
  });

  it('of one project stay when another is linked', () => {
    const found = linkedInOrder(written());
    const other = editing(4, 13, ['till.ts']);
    other.lines.splice(
      0,
      Infinity,
      ...other.lines.map((line) => line.replaceAll('/home/ada/shop', '/home/ada/mill')),
    );
    const path = other.writeTo(join(temporaryFolder(), `${other.session}.jsonl`));
    const isOfOther = (edge: string): boolean => edge.includes(' 4: ');
    const all = linkedInOrder([...written(), path]);
    expect(all.filter((edge) => !isOfOther(edge))).toEqual(found);
    expect(all.filter(isOfOther).every((edge) => edge.startsWith('adjacent'))).toBe(true);
  });

  it('are the same in any order, twice, and all at once', () => {
    const paths = written();
    const expected = linkedInOrder(paths);
    expect(expected.filter((edge) => edge.startsWith('adjacent')).length).toBeGreaterThan(3);
    const [first, second, third] = paths as [string, string, string];
    expect(linkedInOrder([third, first, second])).toEqual(expected);
    expect(linkedInOrder([second, third, second, first, first])).toEqual(expected);
    const atOnce = new TestStore();
    ingestTree(atOnce.store, paths);
    expect(edges(atOnce)).toEqual(expected);
    atOnce.store.edges.clear();
    linkSessions(atOnce.store);
    expect(edges(atOnce)).toEqual(expected);
  });

  it('of a session that grew are those of the session read at once', () => {
    const [first, middle, last] = recordings() as [Recording, Recording, Recording];
    const folder = temporaryFolder();
    const growing = join(folder, `${middle.session}.jsonl`);
    const store = new TestStore();
    for (const each of [first, last]) each.writeTo(join(folder, `${each.session}.jsonl`));
    for (const lines of [2, 3, 5, middle.lines.length]) {
      writeFileSync(growing, `${middle.lines.slice(0, lines).join('\n')}\n`);
      ingestTree(store.store, [folder]);
    }
    expect(edges(store)).toEqual(linkedInOrder(written()));
  });

  it('are made by the next run when a run ends before it could', () => {
    const paths = written();
    const store = new TestStore();
    for (const path of paths) store.ingest(path);
    expect(edges(store)).toEqual([]);
    ingestTree(store.store, paths);
    expect(edges(store)).toEqual(linkedInOrder(paths));
  });

  it('are made once by two processes at once', async () => {
    const paths = written();
    const database = join(temporaryFolder(), 'memory.db');
    const program = fileURLToPath(new URL('ingesting-process.mjs', import.meta.url));
    const folder = join(paths[0]!, '..');
    const children = [1, 2].map(() => spawn(process.execPath, [program, database, folder]));
    await Promise.all(children.map((child) => (child.stdout.resume(), once(child, 'close'))));
    expect(edges({ path: database } as TestStore)).toEqual(linkedInOrder(paths));
  });

  it('close the gap that a session leaves whose folder becomes known', () => {
    const folder = temporaryFolder();
    const paths = recordings().map((each) => join(folder, `${each.session}.jsonl`));
    const write = (n: number, replacement: string): void =>
      writeFileSync(paths[n]!, recordings()[n]!.text.replaceAll('"cwd":"/home/ada/shop",', replacement));
    for (const n of paths.keys()) write(n, '');
    const store = new TestStore();
    ingestTree(store.store, paths);
    write(1, '"cwd":"/home/ada/elsewhere",');
    ingestTree(store.store, paths);
    const ofTill = edges(store).filter((edge) => /^file-path .*till/.test(edge));
    expect(ofTill.map((edge) => edge.replaceAll('/home/ada/shop/', ''))).toEqual([
      'file-path 1: ["till.ts"] ⇒ 3: ["till.ts"]',
    ]);
  });

  it('close the gap that a deletion leaves, with the next run', () => {
    const store = new TestStore();
    const paths = written();
    ingestTree(store.store, paths);
    const deleted = [...store.store.chunks.walk({}, 'oldest')].filter(
      (chunk) => chunk.sessionUuid === sessionId(2),
    );
    store.store.forgetting.delete(deleted.map((chunk) => chunk.id));
    ingestTree(store.store, paths);
    expect(edges(store)).toEqual(linkedInOrder([paths[0]!, paths[2]!]));
  });

  it('stop where a pause or a new topic lies between turns', () => {
    const store = new TestStore();
    const recording = new Recording(sessionId(1)).user('paint the till').answer('Painted.');
    recording.user('Unrelated: what is for lunch?').answer('Soup.').user('and for dinner?').answer('Bread.');
    ingestTree(store.store, [recording.writeTo(join(temporaryFolder(), `${sessionId(1)}.jsonl`))]);
    expect(edges(store)).toEqual([
      'adjacent 1: User: Unrelated: what is for lunch? ⇒ 1: User: and for dinner?',
    ]);
  });
});

describe('edges of a sub-agent', () => {
  const caller = () =>
    new Recording(sessionId(1))
      .user(`where is the till ${filler}`)
      .call('t1', 'Task', { subagent_type: 'Explore', description: 'Look for it', prompt: 'Find the till' });
  const parent = () =>
    caller()
      .result('t1', `In the cellar. ${filler}`, { toolUseResult: { agentId: 'a1' } })
      .answer('It is in the cellar.');
  const own = () => new Recording(sessionId(1), { agentId: 'a1' }).user('Find the till').answer('Found it.');

  it('lead from the call to its start and from its end to the result', () => {
    const folder = temporaryFolder();
    const paths = [
      parent().writeTo(join(folder, `${sessionId(1)}.jsonl`)),
      own().writeTo(join(folder, 'agent-a1.jsonl')),
    ];
    const found = linkedInOrder(paths).filter((edge) => !edge.startsWith('adjacent'));
    expect(found).toEqual([
      expect.stringMatching(/^brief 1: .* ⇒ 1\/Explore: Assignment: Find the till$/) as string,
      expect.stringMatching(/^debrief 1\/Explore: Assignment: Find the till ⇒ 1: (?!Assistant)/) as string,
    ]);
    expect(linkedInOrder(paths.toReversed()).filter((edge) => !edge.startsWith('adjacent'))).toEqual(found);
  });

  it('lead from its own call, also where another began before it', () => {
    const folder = temporaryFolder();
    const call = (type: string, description: string) => ({
      subagent_type: type,
      description,
      prompt: description,
    });
    const main = new Recording(sessionId(1))
      .user('where is it?')
      .call('t1', 'Task', call('Explore', 'Look for it'))
      .result('t1', 'Started.', { toolUseResult: { agentId: 'a1' } })
      .user('and what now?')
      .call('t2', 'Task', call('Plan', 'Plan it'))
      .result('t2', 'Started.', { toolUseResult: { agentId: 'a2' } });
    const later = join(folder, 'agent-a1.jsonl');
    writeFileSync(later, own().text.replaceAll('T10:', 'T11:'));
    const paths = [
      main.writeTo(join(folder, `${sessionId(1)}.jsonl`)),
      later,
      new Recording(sessionId(1), { agentId: 'a2' }).user('Plan it').writeTo(join(folder, 'agent-a2.jsonl')),
    ];
    expect(linkedInOrder(paths).filter((edge) => edge.startsWith('brief'))).toEqual([
      'brief 1: User: and what now? ⇒ 1/Plan: Assignment: Plan it',
      'brief 1: User: where is it? ⇒ 1/Explore: Assignment: Find the till',
    ]);
  });

  const inBackground = () =>
    caller()
      .result('t1', `Async agent launched successfully. ${filler}`, { toolUseResult: { agentId: 'a1' } })
      .answer(`It looks for it. ${filler}`)
      .user(
        '<task-notification><task-id>a1</task-id><status>completed</status><summary>Agent "Look for it" completed</summary><result>In the cellar.</result></task-notification>',
      );

  it.each([
    ['waited for', parent],
    ['told of when it ended', inBackground],
  ])('that was %s lead from its report, though it was asked more afterwards', (_, started) => {
    const folder = temporaryFolder();
    const asked = own().user(`And the key? ${filler}`).answer(`In the till. ${filler}`);
    const lines = asked.lines.map((line, at) => (at < 2 ? line : line.replace('T10:', 'T11:')));
    const agentPath = join(folder, 'agent-a1.jsonl');
    writeFileSync(agentPath, `${lines.join('\n')}\n`);
    const paths = [started().writeTo(join(folder, `${sessionId(1)}.jsonl`)), agentPath];
    expect(linkedInOrder(paths).filter((edge) => edge.startsWith('debrief'))).toEqual([
      expect.stringMatching(/^debrief 1\/Explore: Assignment: Find the till ⇒ 1: /) as string,
    ]);
  });
});

describe('edges of a session that goes on from another', () => {
  it('lead from the last chunk before it', () => {
    const folder = temporaryFolder();
    const first = new Recording(sessionId(1)).user('build the till').answer('Built.');
    const paths = [first.writeTo(join(folder, `${sessionId(1)}.jsonl`))];
    const copied = first.lines.map((line) => line.replaceAll(sessionId(1), sessionId(2)));
    const fork = new Recording(sessionId(2)).backTo(first.at);
    fork.user('now sell it').answer('Sold.');
    const own = fork.lines.map((line) => line.replace('T10:', 'T11:'));
    writeFileSync(join(folder, `${sessionId(2)}.jsonl`), `${[...copied, ...own].join('\n')}\n`);
    paths.push(join(folder, `${sessionId(2)}.jsonl`));
    expect(linkedInOrder(paths)).toEqual(['cross-session 1: User: build the till ⇒ 2: User: now sell it']);
    const store = new TestStore();
    ingestTree(store.store, paths);
    first.user('paint it').answer('Painted.').writeTo(paths[0]!);
    ingestTree(store.store, paths);
    expect(edges(store)).toContain('cross-session 1: User: paint it ⇒ 2: User: now sell it');
  });
});

describe('a session that carries out the plan of another', () => {
  const planning = () => new Recording(sessionId(1)).user('plan the till').answer('Here is a plan.');
  const note = (session: string) =>
    `\n\n\nIf you need specific details from before exiting plan mode (like exact code snippets), read the full transcript at: /home/ada/.claude/projects/shop/${session}.jsonl`;
  const doing = (session: string) => {
    const recording = new Recording(sessionId(2));
    recording.user(`Implement the following plan:\n\n# A till${note(session)}`).answer('Built.');
    recording.lines.splice(0, Infinity, ...recording.lines.map((line) => line.replace('T10:', 'T11:')));
    return recording;
  };
  const link = 'cross-session 1: User: plan the till ⇒ 2: User: Implement the following plan:';

  it.each([['first'], ['last']])('goes on from it, though that is read %s', (order) => {
    const folder = temporaryFolder();
    const paths = [planning(), doing(sessionId(1))].map((each) =>
      each.writeTo(join(folder, `${each.session}.jsonl`)),
    );
    expect(linkedInOrder(order === 'first' ? paths : paths.toReversed())).toEqual([link]);
  });

  it('goes on from none where it is its own, nobody knows it, or a person wrote so', () => {
    const folder = temporaryFolder();
    const path = planning().writeTo(join(folder, `${sessionId(1)}.jsonl`));
    const asked = new Recording(sessionId(4)).user(`${note(sessionId(1)).trim()} daily`).answer('I will.');
    for (const other of [doing(sessionId(2)), doing(sessionId(9)), asked])
      expect(linkedInOrder([path, other.writeTo(join(folder, `${other.session}.jsonl`))])).toEqual([]);
  });

  it('goes on from its original where it is a fork', () => {
    const folder = temporaryFolder();
    const original = doing(sessionId(1));
    const copied = original.lines.map((line) => line.replaceAll(sessionId(2), sessionId(3)));
    const own = new Recording(sessionId(3)).backTo(original.at).user('paint it').answer('Painted.');
    const lines = [...copied, ...own.lines.map((line) => line.replace('T10:', 'T12:'))];
    const fork = join(folder, `${sessionId(3)}.jsonl`);
    writeFileSync(fork, `${lines.join('\n')}\n`);
    const paths = [planning(), original].map((each) => each.writeTo(join(folder, `${each.session}.jsonl`)));
    expect(linkedInOrder([...paths, fork])).toEqual([
      link,
      'cross-session 2: User: Implement the following plan: ⇒ 3: User: paint it',
    ]);
  });
});

describe('edges of an agent team', () => {
  it('lead along its messages and from the call to each member', () => {
    const folder = temporaryFolder();
    const lead = new Recording(sessionId(1))
      .user('build it together')
      .call('t0', 'TeamCreate', { team_name: 'shop' })
      .result('t0', 'created')
      .call('t1', 'Task', { subagent_type: 'general', team_name: 'shop', name: 'ada', prompt: 'Read up' })
      .result('t1', 'Spawned', { toolUseResult: { agent_id: 'ada@shop', name: 'ada' } })
      .user('<teammate-message teammate_id="ada">Tills are mechanical.</teammate-message>');
    const member = new Recording(sessionId(2), { teamName: 'shop', agentName: 'ada' })
      .user('<teammate-message teammate_id="team-lead">Read up</teammate-message>')
      .answer(`Reading. ${filler}`)
      .call('t2', 'SendMessage', { to: 'team-lead', message: 'Tills are mechanical.' })
      .call('t3', 'SendMessage', { to: 'bob', message: 'Look at springs.' });
    const peer = new Recording(sessionId(3), { teamName: 'shop', agentName: 'bob' })
      .user('<teammate-message teammate_id="ada">Look at springs.</teammate-message>')
      .answer('Looking.');
    const paths = [lead, member, peer].map((each) => each.writeTo(join(folder, `${each.session}.jsonl`)));
    const types = linkedInOrder(paths).filter((edge) => !edge.startsWith('adjacent'));
    expect(types.map((edge) => edge.replace(/: .* ⇒ (.*?): .*/, ' ⇒ $1'))).toEqual([
      'peer-message 2/ada ⇒ 3/bob',
      'team-report 2/ada ⇒ 1',
      'team-spawn 1 ⇒ 2/ada',
    ]);
    expect(linkedInOrder(paths.toReversed()).filter((edge) => !edge.startsWith('adjacent'))).toEqual(types);
  });
});

describe('a file', () => {
  it.each([
    ['/home/ada/shop/src/a.ts', 'src/a.ts'],
    ['/tmp/tree/src/a.ts', 'src/a.ts'],
    ['/home/ada/shop/.claude/worktrees/blue/src/a.ts', 'src/a.ts'],
    ['/home/ada/shop.worktrees/blue/src/a.ts', 'src/a.ts'],
    ['/home/ada/shop__worktrees/blue/src/a.ts', 'src/a.ts'],
    ['/home/ada/shop-worktrees/blue/src/a.ts', 'src/a.ts'],
    ['C:\\till\\.worktrees\\blue\\src\\a.ts', 'src/a.ts'],
    ['C:\\shop\\src\\a.ts', 'C:/shop/src/a.ts'],
    ['C:\\till\\src\\a.ts', 'src/a.ts'],
    ['/c/till/src/a.ts', 'src/a.ts'],
    ['/c/shop/src/a.ts', 'C:/shop/src/a.ts'],
    ['./src/a.ts', 'src/a.ts'],
    ['/home/ada/shopping/a.ts', '/home/ada/shopping/a.ts'],
  ])('%s is called %s in every session', (file, expected) => {
    expect(projectFile(file, ['/home/ada/shop', '/tmp/tree/', 'c:\\till'])).toBe(expected);
  });
});
