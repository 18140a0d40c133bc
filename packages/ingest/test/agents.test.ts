import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ingestTree } from '../src/index.js';
import { agentRuns } from '../src/links/link-agents.js';
import { expectSameInPieces, ingested, sessionId, TestStore } from './ingested.js';
import { Recording, temporaryFolder } from './recording.js';

const spawn = { subagent_type: 'Explore', description: 'Look for the till', prompt: 'Find the till' };

function parent(): Recording {
  return new Recording(sessionId(1))
    .user('where is the till')
    .call('t1', 'Task', spawn)
    .result('t1', [{ type: 'text', text: 'In the cellar.' }], {
      toolUseResult: { agentId: 'a1', status: 'completed' },
    })
    .answer('It is in the cellar.');
}

function subagent(): Recording {
  return new Recording(sessionId(1), { agentId: 'a1', isSidechain: true })
    .user('Find the till')
    .call('g1', 'Grep', { pattern: 'till' })
    .result('g1', 'cellar/till.ts')
    .answer('Found it in the cellar.');
}

const progress = (record: Recording): Recording => {
  const result = parent();
  for (const line of record.lines) {
    const { uuid, timestamp, type, message } = JSON.parse(line) as Record<string, unknown>;
    const data = {
      type: 'agent_progress',
      agentId: 'a1',
      prompt: 'Find the till',
      message: { uuid, timestamp, type, message },
    };
    result.record({ type: 'progress', parentToolUseID: 't1', data });
  }
  return result;
};

const explorer = {
  key: 'a1',
  kind: 'subagent',
  name: 'Explore',
  description: 'Look for the till',
  tool_use_id: 't1',
};

function expectExplorer(store: TestStore): void {
  expect(store.contents()['agents']).toMatchObject([explorer]);
  const own = store.chunks().filter((chunk) => chunk.agent === 'a1');
  const text = own.map((chunk) => chunk.text).join('\n');
  expect(text).toContain('Assignment: Find the till');
  expect(text).toContain('[Grep] till\n→ cellar/till.ts');
  expect(text.match(/Found it in the cellar/g)).toHaveLength(1);
  expect(store.saidBy('user')).toEqual(['where is the till']);
}

/** The files of a session and of its agent `a1`, with what the client notes beside that. */
function withAgent(main: Recording, agent: Recording, metadata: object): TestStore {
  const folder = temporaryFolder();
  main.writeTo(join(folder, `${sessionId(1)}.jsonl`));
  const path = agent.writeTo(join(folder, sessionId(1), 'subagents', 'agent-a1.jsonl'));
  writeFileSync(path.replace('.jsonl', '.meta.json'), JSON.stringify(metadata));
  const store = new TestStore();
  ingestTree(store.store, [folder]);
  return store;
}

const ofAgent = (): Recording => new Recording(sessionId(1), { agentId: 'a1', isSidechain: true });

describe('a sub-agent with notes beside its file', () => {
  it('that is a fork of its caller is told the call once, and its directive', () => {
    const call = { subagent_type: 'fork', description: 'Find it', prompt: 'Find the till' };
    const main = new Recording(sessionId(1))
      .user('go')
      .call('t1', 'Agent', call)
      .result('t1', 'Async agent launched successfully. (internal)', { toolUseResult: { agentId: 'a1' } })
      .answer('Started.');
    const fork = ofAgent()
      .call('t1', 'Agent', call)
      .user([
        { type: 'tool_result', tool_use_id: 't1', content: 'Fork started — that fork is you.' },
        {
          type: 'text',
          text: '<fork-boilerplate>\nYou are a fork.\n</fork-boilerplate>\n\nYour directive: Find the till',
        },
      ])
      .answer('Found.');
    const store = withAgent(main, fork, { agentType: 'fork', toolUseId: 't1', spawnDepth: 1 });
    const own = store.chunks('dialogue').filter(({ agent }) => agent === 'a1');
    expect(own.map(({ text }) => text)).toEqual(['Assignment: Find the till\n\nAssistant: Found.']);
    expect(store.facts()).toContainEqual({ request: 'Find the till' });
  });

  it('has its name, and the messages of its caller are that one’s', () => {
    const main = new Recording(sessionId(1))
      .user('go')
      .call('t1', 'Agent', { subagent_type: 'Explore', name: 'ada', description: 'Be ada', prompt: 'Look' })
      .result('t1', 'Async agent launched successfully.', { toolUseResult: { agentId: 'a1' } })
      .call('t2', 'SendMessage', { to: 'ada', message: 'Look in the cellar' })
      .result('t2', 'sent');
    const above = 'The coordinator sent a message while you were working:\n';
    const below = '\n\nAddress this before completing your current task.';
    const agent = ofAgent()
      .user('Look')
      .answer('Where?')
      .user(`${above}Look in the cellar${below}`, { isMeta: true, origin: { kind: 'coordinator' } })
      .answer('Found.')
      .user('<agent-message from="bob">\nIs it oiled?\n</agent-message>', { isMeta: true });
    const store = withAgent(main, agent, { name: 'ada', agentType: 'Explore', spawnDepth: 1 });
    expect(store.text('dialogue')).toContain(
      'Where?\n\nmain → ada: Look in the cellar\n\nAssistant: Found.\n\nbob → ada: Is it oiled?',
    );
  });

  it('is a member of a team, though its records do not say so', () => {
    const main = new Recording(sessionId(1))
      .user('go')
      .call('t1', 'Agent', { name: 'ada', team_name: 'crew', description: 'Be ada', prompt: 'Look' })
      .result('t1', 'Spawned successfully. (This tool result is internal.)\nagent_id: a1', {
        toolUseResult: { status: 'teammate_spawned', agent_id: 'a1' },
      })
      .user('<teammate-message teammate_id="ada">\nIn the cellar\n</teammate-message>');
    const agent = ofAgent()
      .user('<teammate-message teammate_id="team-lead" summary="Be ada">\nLook\n</teammate-message>')
      .call('t2', 'SendMessage', { to: 'team-lead', message: 'In the cellar' });
    const store = withAgent(main, agent, { name: 'ada', agentType: 'ada', teamName: 'crew' });
    expect(store.contents()['agents']).toMatchObject([{ name: 'ada', kind: 'teammate', team_name: 'crew' }]);
    expect(store.text('dialogue')).toContain('team-lead → ada: Look\n\n[SendMessage] ada → team-lead: In');
    expect(store.text('dialogue')).toContain('→ Spawned successfully.\n\nada → team-lead: In the cellar');
    expect(store.edgeTypes()).toContain('team-report');
  });

  it('hears what its own agents report', () => {
    const notice =
      '[SYSTEM NOTIFICATION - NOT USER INPUT]\nThis is an automated event.\n\n<task-notification>\n<task-id>a2</task-id>\n<summary>Agent "Look" finished</summary>\n<result>In the cellar.</result>\n</task-notification>';
    const agent = ofAgent()
      .user('Look')
      .call('t2', 'Agent', { subagent_type: 'Explore', description: 'Look', prompt: 'Look' })
      .result('t2', 'Async agent launched successfully.', { toolUseResult: { agentId: 'a2' } })
      .user(notice, { isMeta: true, origin: { kind: 'task-notification' } });
    const store = withAgent(new Recording(sessionId(1)).user('go'), agent, { agentType: 'lead' });
    expect(store.text('dialogue')).toContain('Explore (Agent "Look" finished) → lead: In the cellar.');
  });
});

describe('a sub-agent', () => {
  it('that is only to warm the client up says nothing', () => {
    const folder = temporaryFolder();
    parent().writeTo(join(folder, `${sessionId(1)}.jsonl`));
    ofAgent().user('Warmup').answer('I am ready.').writeTo(join(folder, 'agent-a1.jsonl'));
    const store = new TestStore();
    expect(ingestTree(store.store, [folder])).toMatchObject({ files: 1, issues: [] });
    expect(store.text()).not.toContain('I am ready.');
  });

  it('that is only to warm the client up says nothing where the file lacks what it was told', () => {
    const folder = temporaryFolder();
    parent().writeTo(join(folder, `${sessionId(1)}.jsonl`));
    ofAgent().answer('I am ready.').writeTo(join(folder, 'agent-a2.jsonl'));
    ofAgent().answer('I am ready.', { parentUuid: 'of-the-prompt' }).writeTo(join(folder, 'agent-a3.jsonl'));
    const store = new TestStore();
    expect(ingestTree(store.store, [folder])).toMatchObject({ files: 1, issues: [] });
    const file = ofAgent().answer('I will look.').call('t', 'Bash', { command: 'ls' });
    file.writeTo(join(folder, 'agent-a2.jsonl'));
    expect(ingestTree(store.store, [folder])).toMatchObject({ files: 2, issues: [] });
    expect(store.text()).toContain('I will look.');
    expect(store.text()).not.toContain('I am ready.');
  });

  it('that answers a question beside the work is told the person’s words, behind a copy of the session', () => {
    const folder = temporaryFolder();
    const main = parent();
    const aside = new Recording(sessionId(1), { agentId: 'aside_question-1f', isSidechain: true });
    aside.lines.push(...main.lines);
    const note = 'This is a side question from the user. You must answer it in a single response.';
    aside
      .backTo(main.at)
      .user(`<system-reminder>${note}</system-reminder>\n\nand the key?`)
      .answer('In the drawer.');
    main
      .user('oil it')
      .answer('Oiled.')
      .writeTo(join(folder, `${sessionId(1)}.jsonl`));
    aside.writeTo(join(folder, sessionId(1), 'subagents', 'agent-aside_question-1f.jsonl'));
    const store = new TestStore();
    ingestTree(store.store, [folder]);
    expect(store.saidBy('user').sort()).toEqual(['and the key?', 'oil it', 'where is the till']);
    expect(store.saidBy('assistant')).toEqual(
      expect.arrayContaining(['It is in the cellar.', 'Oiled.', 'In the drawer.']),
    );
    expect(store.store.sessions.agentNames()).toEqual(['side-question']);
  });

  it('is known by name when its call was cut off, by what it showed of its work', () => {
    const folder = temporaryFolder();
    const main = new Recording(sessionId(1)).user('where is the till').call('t1', 'Task', spawn);
    const message = { type: 'user', message: { role: 'user', content: 'Find the till' } };
    const data = { type: 'agent_progress', agentId: 'a1', message };
    main.record({ type: 'progress', parentToolUseID: 't1', data });
    main.writeTo(join(folder, `${sessionId(1)}.jsonl`));
    subagent().writeTo(join(folder, sessionId(1), 'subagents', 'agent-a1.jsonl'));
    const store = new TestStore();
    ingestTree(store.store, [folder]);
    expectExplorer(store);
  });

  it('by which the client guesses the next prompt, or sums up, says nothing', () => {
    const folder = temporaryFolder();
    parent().writeTo(join(folder, `${sessionId(1)}.jsonl`));
    for (const agent of ['aprompt_suggestion-6d19a9', 'acompact-0c0c4e']) {
      const path = join(folder, sessionId(1), 'subagents', `agent-${agent}.jsonl`);
      ofAgent().user('[SUGGESTION MODE: …]').answer('commit this').writeTo(path);
    }
    const store = new TestStore();
    expect(ingestTree(store.store, [folder])).toMatchObject({ files: 1, issues: [] });
    expect(store.text()).not.toContain('commit this');
  });

  it('of a workflow has the task that the script gave it', () => {
    const frame =
      '[Workflow harness — computed task] The task text below was computed. The computed task text follows:';
    const agent = new Recording(sessionId(1), { agentId: 'a1', isSidechain: true })
      .user(`${frame}\n  Find the till.\n\n    - quickly`)
      .answer('Found.');
    const folder = temporaryFolder();
    parent().writeTo(join(folder, `${sessionId(1)}.jsonl`));
    agent.writeTo(join(folder, sessionId(1), 'subagents', 'workflows', 'wf_1', 'agent-a1.jsonl'));
    const store = new TestStore();
    ingestTree(store.store, [folder]);
    expect(store.text()).toContain('Assignment: Find the till.\n\n  - quickly\n\nAssistant: Found.');
    expect(store.facts()).toContainEqual({ request: 'Find the till. - quickly' });
  });

  it.each([
    ['in the session’s folder', join(sessionId(1), 'subagents', 'agent-a1.jsonl')],
    ['beside the session', 'agent-a1.jsonl'],
  ])('with a file %s', (_what, place) => {
    const folder = temporaryFolder();
    parent().writeTo(join(folder, `${sessionId(1)}.jsonl`));
    subagent().writeTo(join(folder, place));
    const store = new TestStore();
    ingestTree(store.store, [folder]);
    expectExplorer(store);
    expect(store.contents()['sessions']).toHaveLength(1);
  });

  it('read before its parent gets its name from it', () => {
    const folder = temporaryFolder();
    const main = parent().writeTo(join(folder, `${sessionId(1)}.jsonl`));
    const own = subagent().writeTo(join(folder, 'agent-a1.jsonl'));
    const store = new TestStore();
    for (const path of [own, main, own]) store.ingest(path);
    expectExplorer(store);
  });

  it('shown by progress records only', () => {
    expectExplorer(ingested(progress(subagent())).store);
  });

  it('shown by progress records and a file is stored once, whichever is read first', () => {
    for (const order of [
      ['main', 'own'],
      ['own', 'main'],
    ]) {
      const folder = temporaryFolder();
      const paths: Record<string, string> = {
        main: progress(subagent()).writeTo(join(folder, `${sessionId(1)}.jsonl`)),
        own: subagent().writeTo(join(folder, 'agent-a1.jsonl')),
      };
      const store = new TestStore();
      for (const name of order) store.ingest(paths[name]!);
      expectExplorer(store);
      const chunks = store.contents()['chunks'] as { agent: string | null; path: string }[];
      expect(chunks.filter(({ agent }) => agent === 'a1').map(({ path }) => path)).toEqual([paths['own']]);
    }
  });

  it('shown by progress records stays where its file turns up later, and its session goes on', () => {
    const folder = temporaryFolder();
    const main = progress(subagent());
    const path = main.writeTo(join(folder, `${sessionId(1)}.jsonl`));
    const store = new TestStore();
    ingestTree(store.store, [folder]);
    subagent().writeTo(join(folder, 'agent-a1.jsonl'));
    for (const more of ['', 'And', 'so', 'on']) {
      if (more !== '') main.answer(more).writeTo(path);
      ingestTree(store.store, [folder]);
      expectExplorer(store);
    }
    store.forget('It is in the cellar.');
    ingestTree(store.store, [folder]);
    expect(store.text()).toContain('Found it in the cellar.');
  });

  it('moves with its session into the project that becomes known, though their files are gone', () => {
    const withoutFolder = { cwd: null };
    const folder = temporaryFolder();
    const [before, after] = [join(folder, 'before'), join(folder, 'after')];
    const main = new Recording(sessionId(1), withoutFolder)
      .user('where is the till')
      .answer('In the cellar.');
    main.writeTo(join(before, `${sessionId(1)}.jsonl`));
    new Recording(sessionId(1), { ...withoutFolder, agentId: 'a1', isSidechain: true })
      .user('Find the till')
      .answer('Found it in the cellar.')
      .writeTo(join(before, sessionId(1), 'subagents', 'agent-a1.jsonl'));
    const store = new TestStore();
    ingestTree(store.store, [folder]);
    // The main file has moved, and its rows with it; that of the agent is gone.
    const rows = (table: 'chunks' | 'records'): unknown[] =>
      store
        .contents()
        [table]!.map((row) => ({ ...(row as object), path: basename((row as { path: string }).path) }));
    const [chunks, records] = [rows('chunks'), rows('records')];
    const ids = store.store.retention.oldest(9);
    rmSync(before, { recursive: true });
    main.user('thanks', { cwd: '/home/ada/shop' }).writeTo(join(after, `${sessionId(1)}.jsonl`));
    for (let run = 0; run < 2; run++) {
      ingestTree(store.store, [folder]);
      expect(store.contents()['sessions']).toMatchObject([{ project: '/home/ada/shop' }]);
      expect(rows('chunks')).toEqual(expect.arrayContaining(chunks));
      expect(rows('records')).toEqual(expect.arrayContaining(records));
      expect(store.chunks()).toHaveLength(3);
    }
    const projectId = store.store.projects.findByPath('/home/ada/shop')!.id;
    const weights = { prompt: 1, said: 1, tools: 1, results: 1, words: 1 };
    const found = store.store.keywords.postings('cellar', { projectId }, weights, 9).ids;
    expect(found).toHaveLength(2);
    expect(found.filter((id) => ids.includes(id))).toEqual([]);
  });

  it('in a sidechain of the session file', () => {
    const recording = new Recording(sessionId(1)).user('where is the till').call('t1', 'Task', spawn);
    const place = recording.at;
    const side = { isSidechain: true };
    recording.backTo(null).user('Find the till', side).call('g1', 'Grep', { pattern: 'till' }, side);
    recording.result('g1', 'cellar/till.ts', side).answer('Found it in the cellar.', side);
    const { store } = ingested(recording.backTo(place).result('t1', 'In the cellar.').answer('There.'));
    expect(store.contents()['agents']).toMatchObject([
      { kind: 'sidechain', name: 'Explore', description: 'Look for the till', tool_use_id: 't1' },
    ]);
    expect(store.contents()['turns']).toMatchObject([
      { agent: null },
      { agent: expect.stringMatching(/^sidechain-/) as string },
    ]);
    expect(store.saidBy('user')).toEqual(['where is the till']);
  });

  it('says nothing in a sidechain where it is only to warm the client up', () => {
    const side = { isSidechain: true };
    const recording = new Recording(sessionId(1));
    recording.user('Warmup', side).answer('I am ready.', side);
    const warm = recording.at;
    recording.backTo(null).user('Find the till', side).answer('Found it.', side);
    recording.backTo(warm).answer('Still ready.', side);
    const { store, path } = ingested(recording.backTo(null).user('open the till').answer('Open.'));
    recording
      .backTo(warm)
      .answer('As ready as before.', side)
      .appendTo(path, recording.lines.length - 1);
    store.ingest(path);
    expect(store.contents()['agents']).toHaveLength(1);
    expect(store.text()).toContain('Found it.');
    expect(store.text()).not.toMatch(/Warmup|ready/);
  });

  it('stands in a sidechain where it worked, not behind what its report led to', () => {
    const recording = new Recording(sessionId(1)).user('where is the till').call('t1', 'Task', spawn);
    const place = recording.at;
    recording
      .backTo(null)
      .user('Find the till', { isSidechain: true })
      .answer('Found it.', { isSidechain: true });
    recording
      .backTo(place)
      .result('t1', 'In the cellar.')
      .answer(`There.${' Really.'.repeat(600)}`);
    const { store } = ingested(recording);
    const inOrder = [...store.store.chunks.walk({}, 'oldest')];
    const agents = inOrder.map(({ agentId }) => (agentId === null ? 'main' : 'agent'));
    expect(agents.filter((agent, at) => agent !== agents[at - 1])).toEqual(['main', 'agent', 'main']);
  });

  it('is still known by name when another session was deleted before its file came', () => {
    const folder = temporaryFolder();
    const main = parent().writeTo(join(folder, `${sessionId(1)}.jsonl`));
    const other = new Recording(sessionId(2))
      .user('kumquats?')
      .writeTo(join(folder, `${sessionId(2)}.jsonl`));
    const store = new TestStore();
    for (const path of [main, other]) store.ingest(path);
    store.forget('kumquats');
    store.ingest(subagent().writeTo(join(folder, 'agent-a1.jsonl')));
    expectExplorer(store);
  });

  it('is none to ask for where nothing that it said is kept', () => {
    const store = ingested(parent()).store.store;
    const { sessions } = store;
    expect([sessions.agentIds('Explore'), sessions.agentNames()]).toEqual([[], []]);
    expect(store.statistics().agents).toBe(0);
    expect(ingested(progress(subagent())).store.store.sessions.agentIds('explore')).toHaveLength(1);
  });

  it('reports later through a notification', () => {
    const recording = new Recording(sessionId(1))
      .user('look around')
      .call('t1', 'Agent', spawn)
      .result('t1', 'Async agent launched', { toolUseResult: { agentId: 'a1', status: 'async_launched' } })
      .user(
        '<task-notification><task-id>a1</task-id><status>completed</status><summary>Agent "Look" completed</summary><result>The till is in the cellar, behind the <b>barrels</b>. <details><summary>More</summary>Bells</details></result></task-notification>\nFull transcript available at: /tmp/x',
      );
    const { store } = ingested(recording);
    expect(store.text('dialogue')).toContain(
      'Explore (Agent "Look" completed) → main: The till is in the cellar, behind the <b>barrels</b>. <details>',
    );
    expect(store.saidBy('user')).toEqual(['look around']);
  });

  it('reports nothing where its report is empty, and is told of as the client tells of it', () => {
    const notice =
      '<task-notification><task-id>a1</task-id><summary></summary><result></result><usage>9</usage></task-notification>';
    const { store } = ingested(new Recording(sessionId(1)).user('look around').user(notice));
    expect(store.text('dialogue')).toBe('User: look around');
    expect(store.text('meta')).toContain('<usage>9</usage>');
  });

  it('reports code as it stands in the file, where the notification writes entities', () => {
    const report = (text: string) =>
      ingested(
        new Recording(sessionId(1))
          .user('look around')
          .user(`<task-notification><task-id>a1</task-id><result>${text}</result></task-notification>`),
      ).store.text('dialogue');
    expect(report('`if (a &lt; b &amp;&amp; c-&gt;d)`, in HTML &amp;lt;')).toContain(
      '`if (a < b && c->d)`, in HTML &lt;',
    );
    expect(report('in <b>HTML</b> it is &lt;')).toContain('in <b>HTML</b> it is &lt;');
  });

  it('hands its report back as a message of another session', () => {
    const handBack =
      '[Subagent hand-back] The text below is the final report of a subagent. It is model output, NOT a message from the user. The report follows:\n  # Till\n  \n    - behind the barrels';
    const recording = new Recording(sessionId(1))
      .user('look around', { origin: { kind: 'human' } })
      .call('t1', 'Agent', spawn)
      .result('t1', 'Async agent launched', { toolUseResult: { agentId: 'a1', status: 'async_launched' } })
      .user(
        `Another Claude session sent a message:\n<agent-message from="a1">\n${handBack}\n</agent-message>\n\nThat "other Claude session" is an agent working inside this same session — a subagent or teammate.`,
        { isMeta: true, origin: { kind: 'peer', from: 'a1', senderTaskId: 'a1', handback: true } },
      )
      .call('t2', 'Agent', spawn)
      .result('t2', handBack);
    const { store } = ingested(recording);
    expect(store.saidBy('user')).toEqual(['look around']);
    expect(store.text('dialogue')).toContain('Explore → main: # Till\n\n  - behind the barrels');
    expect(store.text('dialogue')).toContain('→ # Till\n\n  - behind the barrels');
    expect(store.text()).not.toMatch(/hand-back|working inside this same session/);
  });

  it('is named by the client’s own notes where nothing else does', () => {
    const folder = temporaryFolder();
    const own = subagent().writeTo(join(folder, 'agent-a1.jsonl'));
    const notes = { agentType: 'reviewer', description: 'Try it with API_KEY=x7Kq2mZ9' };
    writeFileSync(join(folder, 'agent-a1.meta.json'), JSON.stringify(notes));
    const store = new TestStore();
    store.ingest(own);
    const description = 'Try it with API_KEY=[REDACTED:assignment]';
    expect(store.contents()['agents']).toMatchObject([{ key: 'a1', name: 'reviewer', description }]);
  });

  it('has the name that is noted beside another of its files, where it is a member of a team', () => {
    const folder = temporaryFolder();
    const of = (key: string): Recording =>
      new Recording(sessionId(1), { agentId: key, isSidechain: true })
        .user('<teammate-message teammate_id="team-lead" summary="Tills">\nRead up\n</teammate-message>')
        .answer('Reading.');
    const first = of('a1');
    first.writeTo(join(folder, 'agent-a1.jsonl'));
    writeFileSync(join(folder, 'agent-a1.meta.json'), '{"agentType":"reader"}');
    const further = new Recording(sessionId(1), { agentId: 'a2', isSidechain: true });
    further.lines.push(...first.lines.map((line) => line.replace('"agentId":"a1"', '"agentId":"a2"')));
    further.answer('And on.').writeTo(join(folder, 'agent-a2.jsonl'));
    of('a3').writeTo(join(folder, 'agent-a3.jsonl'));
    const store = new TestStore();
    ingestTree(store.store, [folder]);
    expect(store.contents()['agents']).toMatchObject([
      { key: 'a1', name: 'reader' },
      { key: 'a2', name: 'reader' },
      { key: 'a3', name: 'a3' },
    ]);
    expect(store.text()).toContain('And on.');
  });

  it('is read also where these notes cannot be', () => {
    const folder = temporaryFolder();
    const own = subagent().writeTo(join(folder, 'agent-a1.jsonl'));
    mkdirSync(join(folder, 'agent-a1.meta.json'));
    const store = new TestStore();
    store.ingest(own);
    expect(store.contents()['agents']).toMatchObject([{ key: 'a1', name: 'a1' }]);
  });
});

it('a record of an agent in the session’s file whose parent is in no record goes to the latest agent', () => {
  const recording = parent().backTo(null).user('Find the till', { isSidechain: true });
  const { store } = ingested(
    recording.answer('Lost and found.', { isSidechain: true, parentUuid: 'f'.repeat(32) }),
  );
  expect(store.contents()['agents']).toHaveLength(2);
  expect(store.text()).toContain('Lost and found.');
});

describe('an agent team', () => {
  const lead = new Recording(sessionId(1), { teamName: 'shop', agentName: 'team-lead' })
    .user('build it together')
    .call('t0', 'TeamCreate', { team_name: 'shop', description: 'Builds the shop' })
    .result('t0', 'created')
    .call('t1', 'Task', {
      subagent_type: 'general-purpose',
      team_name: 'shop',
      name: 'researcher',
      description: 'Research',
      prompt: 'Read up',
    })
    .result('t1', 'Spawned', {
      toolUseResult: { status: 'teammate_spawned', agent_id: 'researcher@shop', name: 'researcher' },
    })
    .call('t2', 'SendMessage', {
      type: 'message',
      recipient: 'researcher@shop',
      content: 'How far are you?',
      summary: 's',
    })
    .user(
      '<teammate-message teammate_id="researcher" color="blue">\nTills are mechanical.\n</teammate-message>\nAnswer it.',
    )
    .user('<teammate-message teammate_id="researcher">{"type":"idle_notification"}</teammate-message>');

  it('names members as people call them, and says who speaks to whom', () => {
    const { store } = ingested(lead);
    expect(store.contents()['agents']).toMatchObject([
      { key: 'researcher@shop', kind: 'teammate', name: 'researcher', team_name: 'shop' },
    ]);
    expect(store.text('dialogue')).toContain('[SendMessage] team-lead → researcher: How far are you?');
    expect(store.text('dialogue')).toContain('researcher → team-lead: Tills are mechanical.');
    expect(store.text('meta')).toContain('idle_notification');
    expect(store.saidBy('user')).toEqual(['build it together']);
  });

  it('has a member who stays one where the client shows its work without its call', () => {
    const data = {
      type: 'agent_progress',
      agentId: 'a1',
      message: subagent().lines.map((l) => JSON.parse(l) as object)[3],
    };
    const recording = new Recording(sessionId(1))
      .user('build it together')
      .call('t1', 'Task', { ...spawn, name: 'researcher' })
      .result('t1', 'Spawned', { toolUseResult: { agentId: 'a1' } })
      .user('go on')
      .record({ type: 'progress', data });
    expect(ingested(recording).store.contents()['agents']).toMatchObject([
      { key: 'a1', kind: 'teammate', name: 'researcher' },
    ]);
    expectSameInPieces(recording.text);
  });

  it('hears from members also while the lead is at work', () => {
    const messages = [
      { from: 'researcher', text: 'Tills are heavy.', timestamp: '2026-03-01T10:00:00.000Z' },
      { from: 'researcher', text: '{"type":"idle_notification"}' },
    ];
    const { store } = ingested(
      new Recording(sessionId(1))
        .user('build it together')
        .call('t0', 'TeamCreate', { team_name: 'shop' })
        .record({ type: 'attachment', attachment: { type: 'teammate_mailbox', messages } }),
    );
    expect(store.text('dialogue')).toContain('researcher → team-lead: Tills are heavy.');
    expect(store.text('meta')).toContain('idle_notification');
  });

  it('a member’s own session is that member’s stream', () => {
    const member = new Recording(sessionId(2), { teamName: 'shop', agentName: 'researcher' })
      .user('<teammate-message teammate_id="team-lead">Read up</teammate-message>')
      .answer('Reading.')
      .call('t1', 'SendMessage', { to: 'team-lead', message: 'Tills are mechanical.' });
    const { store } = ingested(member);
    expect(store.contents()['agents']).toMatchObject([
      { kind: 'teammate', name: 'researcher', team_name: 'shop' },
    ]);
    expect(store.chunks().every((chunk) => chunk.agent === 'researcher')).toBe(true);
    expect(store.text()).toContain('team-lead → researcher: Read up');
    expect(store.text()).toContain('[SendMessage] researcher → team-lead: Tills are mechanical.');
  });
});

describe('a message of another session', () => {
  const below =
    '\n\nThis came from another Claude session — not typed by your user, but very likely working on their behalf.';
  const messages: [form: string, text: string, fields: object, shown: string][] = [
    [
      'in its tag',
      `Another Claude session sent a message:\n<cross-session-message from="uds:/tmp/1.sock" from-name="api" from-mode="prompting">\nThe port is 9464.\n</cross-session-message>${below}`,
      { origin: { kind: 'peer', from: 'uds:/tmp/1.sock', name: 'api' } },
      'api → main: The port is 9464.',
    ],
    [
      'in its tag alone',
      '<cross-session-message from="uds:/tmp/1.sock">The port is 9464.</cross-session-message>',
      {},
      'another session → main: The port is 9464.',
    ],
    [
      'without a tag',
      `Another Claude session sent a message while you were working:\nThe port is 9464.${below}`,
      { isMeta: true },
      'another session → main: The port is 9464.',
    ],
    [
      'as it was sent',
      'The port is 9464.',
      { isMeta: true, origin: { kind: 'peer', from: 'api' } },
      'api → main: The port is 9464.',
    ],
    [
      'of another of the person’s sessions, as a notice',
      'The port is 9464.',
      { promptSource: 'system', origin: { kind: 'task-notification', subkind: 'peer-send-message' } },
      'another session → main: The port is 9464.',
    ],
    [
      'of a team',
      `Another Claude session sent a message:\n<teammate-message teammate_id="ada" color="red">\nThe port is 9464.\n</teammate-message>${below}`,
      {},
      'ada → main: The port is 9464.',
    ],
    [
      'of a plugin',
      'The till@shop plugin sent a message:\nThe port is 9464.\n\nThis is how Claude Code surfaces a prompt a plugin submits between turns: it starts this turn.',
      { promptSource: 'system', origin: { kind: 'plugin', name: 'till@shop' } },
      'the plugin till@shop → main: The port is 9464.',
    ],
    [
      'of a plugin in the midst of a turn',
      'The till plugin sent a message while you were working:\nThe port is 9464.\n\nThis is how Claude Code surfaces a prompt a plugin submits within the running turn. Address the message above.',
      {},
      'the plugin till → main: The port is 9464.',
    ],
    [
      'of a coordinator',
      'The coordinator sent a message while you were working:\nThe port is 9464.',
      { isMeta: true, origin: { kind: 'coordinator' } },
      'coordinator → main: The port is 9464.',
    ],
  ];
  it.each(messages)('%s is not a person’s', (_form, text, fields, shown) => {
    const queued = { type: 'queued_command', prompt: text, commandMode: 'prompt', ...fields };
    for (const recording of [
      new Recording(sessionId(1)).user('start it').user(text, { ...fields }),
      new Recording(sessionId(1)).user('start it').record({ type: 'attachment', attachment: queued }),
    ]) {
      const { store } = ingested(recording.answer('Thanks.'));
      expect(store.saidBy('user')).toEqual(['start it']);
      expect(store.text('dialogue')).toContain(shown);
      expect(store.text()).not.toMatch(/not typed by your user|sent a message/);
    }
  });

  it.each([{ kind: 'plugin', name: 'till', asUser: true }, { kind: 'slack-ping' }])(
    'is a person’s where an app sends what the person typed: %j',
    (origin) => {
      const { store } = ingested(
        new Recording(sessionId(1))
          .user('oil it', { origin, promptSource: 'system', turnOrigin: 'system' })
          .answer('Done.'),
      );
      expect(store.saidBy('user')).toEqual(['oil it']);
    },
  );

  it('is a person’s where a person asks about it', () => {
    const question = 'Another Claude session sent a message: what does that mean?';
    const { store } = ingested(new Recording(sessionId(1)).user(question, { origin: { kind: 'human' } }));
    expect(store.saidBy('user')).toEqual([question]);
  });
});

describe('an agent that a plugin has sum up sessions', () => {
  const task =
    'Context: This summary will be shown in a list to help users and Claude choose which conversations are relevant.\n\nPlease write a concise summary.\n\nUser: oil the till\n\nAgent: Done.';

  it.each([[task], [[{ type: 'text', text: task }]]])('has no session: %j', (content) => {
    const folder = temporaryFolder();
    new Recording(sessionId(1))
      .user(content)
      .answer('<summary>The till is oiled.</summary>')
      .writeTo(join(folder, `${sessionId(1)}.jsonl`));
    const store = new TestStore();
    expect(ingestTree(store.store, [folder])).toMatchObject({ files: 0, issues: [] });
    expect(store.chunks()).toEqual([]);
  });
});

describe('an agent that a plugin sends to learn from the sessions', () => {
  const task =
    'Read /home/ada/.claude/homunculus/observations.jsonl and identify patterns. If you find 3+ occurrences of the same pattern, create an instinct file in /home/ada/.claude/homunculus/instincts/.';
  const unasked =
    'IMPORTANT: You are running in non-interactive --print mode. Do NOT ask for permission.\n\n';

  it.each([task, `${unasked}${task}`])('has no session: %s', (prompt) => {
    const started = { type: 'progress', data: { type: 'hook_progress', hookEvent: 'SessionStart' } };
    const hooks = Array.from({ length: 6 }, () => started);
    const session = hooks.reduce((all, hook) => all.record(hook), new Recording(sessionId(1)));
    const folder = temporaryFolder();
    session
      .user(prompt)
      .answer('I need permission.')
      .writeTo(join(folder, `${sessionId(1)}.jsonl`));
    const store = new TestStore();
    expect(ingestTree(store.store, [folder])).toMatchObject({ files: 0, issues: [] });
    expect(store.chunks()).toEqual([]);
  });

  it.each([`Why is there a session that says: ${task}`, 'Read the log and identify patterns'])(
    'is not who asks about it: %s',
    (prompt) => {
      const { store } = ingested(new Recording(sessionId(1)).user(prompt).user(task));
      expect(store.saidBy('user')).toEqual([prompt, task]);
    },
  );
});

it('reads no chunk once for each of the agents that a session started', () => {
  const agents = 200;
  let reads = 0;
  const chunk = (id: number, agentKey: string | null, speaker: 'tool_use' | 'tool_result', text: string) => ({
    ...{
      id,
      sessionUuid: sessionId(1),
      agentKey,
      turnId: id,
      orderTimeMs: id,
      startTimeMs: id,
      endTimeMs: id,
    },
    ...{ files: [], tools: speaker === 'tool_use' ? ['Task'] : [], kind: 'dialogue' as const },
    ...{ continues: false, clock: null, spans: [{ speaker, start: 0, end: text.length }] },
    get text() {
      reads++;
      return text;
    },
  });
  const numbers = Array.from({ length: agents }, (_, i) => i);
  const chunks = numbers.flatMap((i) => [
    chunk(3 * i, null, 'tool_use', `[Task] Explore Look into drawer ${i}.`),
    chunk(3 * i + 1, `a${i}`, 'tool_use', 'It is empty.'),
    chunk(3 * i + 2, null, 'tool_result', 'It is empty.'),
  ]);
  const linkable = numbers.map((i) => ({
    ...{ sessionUuid: sessionId(1), key: `a${i}`, kind: 'subagent', name: 'Explore' },
    description: `Look into drawer ${i}.`,
  }));
  const runs = agentRuns(linkable, chunks);
  expect(runs.map(({ resultChunkId }) => resultChunkId)).toEqual(numbers.map((i) => 3 * i + 2));
  expect(reads).toBeLessThan(3 * chunks.length);
});
