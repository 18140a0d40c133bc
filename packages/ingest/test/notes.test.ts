import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { ingestTree } from '../src/index.js';
import { sessionId, TestStore } from './ingested.js';
import { Recording, temporaryFolder } from './recording.js';

const NOTE = `The shop sells tills.

# Tests
Run them with \`npm test\`.

\`\`\`sh
# no heading
npm test
\`\`\`

## End to end
They need the drawer. The key is AKIAIOSFODNN7EXAMPLF.

# Release
`;

describe("Claude Code's notes", () => {
  let projects: string;
  let notes: string;
  let store: TestStore;

  beforeEach(() => {
    projects = join(temporaryFolder(), 'projects');
    const project = join(projects, '-home-ada-shop');
    notes = join(project, 'memory');
    mkdirSync(notes, { recursive: true });
    new Recording(sessionId(1)).user('hello').writeTo(join(project, `${sessionId(1)}.jsonl`));
    store = new TestStore();
  });

  let minutes = 0;
  function write(name: string, text: string): void {
    const path = join(notes, name);
    writeFileSync(path, text);
    const time = new Date(Date.UTC(2026, 2, 1, 10, minutes++));
    utimesSync(path, time, time);
  }

  function texts(): string[] {
    ingestTree(store.store, [projects]);
    return store.chunks().flatMap(({ text }) => (text.startsWith('Note ') ? text.split('\n\nNote ') : []));
  }

  it('are cut at their headings, each part under the headings it stands under', () => {
    write('MEMORY.md', NOTE);
    expect(texts()).toEqual([
      'Note MEMORY.md:\nThe shop sells tills.',
      'MEMORY.md › Tests:\nRun them with `npm test`.\n\n```sh\n# no heading\nnpm test\n```',
      'MEMORY.md › Tests › End to end:\nThey need the drawer. The key is [REDACTED:aws].',
    ]);
  });

  it('are of the project that a session beside them names, whatever else lies there that cannot be read', () => {
    mkdirSync(join(notes, '..', '00.jsonl'));
    write('MEMORY.md', '# Tests\nRun them.');
    expect(texts()).toEqual(['Note MEMORY.md › Tests:\nRun them.']);
    expect(store.contents()['sessions']).toMatchObject([
      { cwd: '/home/ada/shop' },
      { cwd: '/home/ada/shop' },
    ]);
  });

  it('keep a name with a sign of headings at its end, and code that holds fences', () => {
    const code = '````md\n```sh\n# no heading\n```\n# none\n````';
    write('a.md', `# C#\nSharp.\n## Closed ##\n${code}\n> \`\`\`\n> quoted\n> \`\`\`\n# End\nlast`);
    expect(texts()).toEqual([
      'Note a.md › C#:\nSharp.',
      `a.md › C# › Closed:\n${code}\n> \`\`\`\n> quoted\n> \`\`\``,
      'a.md › End:\nlast',
    ]);
  });

  it('are cut at headings behind a line that begins with code', () => {
    write('a.md', '# Tests\n```npm test``` runs them.\n# Release\nBy hand.');
    expect(texts()).toEqual(['Note a.md › Tests:\n```npm test``` runs them.', 'a.md › Release:\nBy hand.']);
  });

  it('are read where a heading has very many blanks in it', () => {
    write('a.md', `# a${' '.repeat(100_000)}b\ntext`);
    expect(texts()).toHaveLength(1);
  });

  it.each([
    'type: project\noriginSessionId: 1',
    'metadata: \n  node_type: memory\n  type: project\n  modified: 2026-02-01T10:00:00.000Z',
  ])('are kept without what the client alone needs above them: %j', (fields) => {
    write(
      'till.md',
      `---\nname: till\ndescription: The till is red.\n${fields}\n---\n\nIt rings.\n\n---\ntype: it\n\n# Drawer\n---\ntype: it\n---`,
    );
    expect(texts()).toEqual([
      'Note till.md:\nname: till\ndescription: The till is red.\n\nIt rings.\n\n---\ntype: it',
      'till.md › Drawer:\n---\ntype: it\n---',
    ]);
    write('till.md', '# Drawer\n---\ntype: it\n---');
    expect(texts()).toEqual(['Note till.md › Drawer:\n---\ntype: it\n---']);
  });

  it('are of the time that their client notes, which a copy does not change', () => {
    write(
      'till.md',
      '---\nmetadata: \n  modified: 2026-02-01T10:00:00.000Z\n---\n\nIt rings.\n\n# Drawer\nIt sticks.',
    );
    write('door.md', '---\nmetadata: \n  modified: 2031-02-01T10:00:00.000Z\n---\n\nIt creaks.');
    texts();
    const chunks = store.contents()['chunks'] as { text: string; start_time: number }[];
    const times = chunks.map(({ text, start_time: time }) => [text, time]);
    expect(times).toContainEqual([expect.stringContaining('It sticks.'), Date.UTC(2026, 1, 1, 10)]);
    expect(times).not.toContainEqual([expect.stringContaining('It creaks.'), Date.UTC(2031, 1, 1, 10)]);
  });

  it('belong to the project of the sessions beside them, and are no conversation', () => {
    write('MEMORY.md', NOTE);
    write('till.md', 'It rings.');
    texts();
    const sessions = store.contents()['sessions'] as { source: string; project: string }[];
    expect(sessions.map(({ source, project }) => [source, project]).toSorted()).toEqual([
      ['claude-code', '/home/ada/shop'],
      ['claude-code-notes', '/home/ada/shop'],
    ]);
    const { id } = store.store.projects.findByPath('/home/ada/shop')!;
    expect(store.store.sessions.list({ projectId: id }).map(({ source }) => source)).toEqual(['claude-code']);
    expect(store.store.statistics().sessions).toBe(1);
  });

  it.each([
    ['-home-ada-till', '-home-ada-till-src-api', '/home/ada/till/src_api', '/home/ada/till'],
    ['C--work-Till', 'c--work-Till-api', 'c:\\work\\Till\\api', 'C:\\work\\Till'],
    ['-home-ada-till', '-home-ada-till-api', '/home/ada/till-api', null],
  ])(
    'of a repository that is gone belong to it, where sessions were begun below it: %s',
    (name, other, cwd, path) => {
      mkdirSync(join(projects, name, 'memory'), { recursive: true });
      writeFileSync(join(projects, name, 'memory', 'MEMORY.md'), 'Oil the till.');
      const session = new Recording(sessionId(2), { cwd }).user('hello');
      session.writeTo(join(projects, other, `${sessionId(2)}.jsonl`));
      writeFileSync(join(projects, `${name}-a.txt`), 'no folder');
      ingestTree(store.store, [projects]);
      const sessions = store.contents()['sessions'] as { source: string; project: string }[];
      const [notesSession] = sessions.filter(({ source }) => source === 'claude-code-notes');
      expect(notesSession).toMatchObject({ project: path ?? join(projects, name) });
    },
  );

  it('follow their edits and deletions', () => {
    write('MEMORY.md', 'The till is red.');
    write('till.md', 'It rings.');
    expect(texts()).toEqual(['Note MEMORY.md:\nThe till is red.', 'Note till.md:\nIt rings.']);
    write('MEMORY.md', 'The till is blue.\n\n# Since Monday\nIt shines.');
    expect(texts()).toEqual([
      'Note MEMORY.md:\nThe till is blue.',
      'MEMORY.md › Since Monday:\nIt shines.',
      'Note till.md:\nIt rings.',
    ]);
    rmSync(join(notes, 'till.md'));
    expect(texts()).toHaveLength(2);
    rmSync(notes, { recursive: true });
    expect(texts()).toEqual([]);
    expect(store.contents()['sessions']).toHaveLength(1);
    expect(store.saidBy('user')).toEqual(['hello']);
  });

  it('do not bring back what the user deleted of them, whatever was gone for a while and came since', () => {
    const text = 'The till is red.\n\n# Drawer\nIt sticks.';
    write('floor.md', 'It is of wood.');
    write('MEMORY.md', text);
    texts();
    const drawer = store.store.forgetting.ids({}).filter((id) => {
      return store.store.chunks.find(id)!.text.includes('It sticks.');
    });
    store.store.forgetting.delete(drawer);
    rmSync(join(notes, 'MEMORY.md'));
    expect(texts()).toEqual(['Note floor.md:\nIt is of wood.']);
    write('till.md', 'It rings.');
    texts();
    write('MEMORY.md', text);
    expect(texts().join()).not.toContain('It sticks.');
  });

  it('that stood on both sides of a deleted one are linked', () => {
    for (const name of ['a.md', 'b.md', 'c.md']) write(name, 'It rings.');
    texts();
    expect(store.edgeTypes()).toEqual(['adjacent', 'adjacent']);
    rmSync(join(notes, 'b.md'));
    texts();
    expect(store.edgeTypes()).toEqual(['adjacent']);
  });

  it('are read again only when they have changed', () => {
    write('MEMORY.md', NOTE);
    texts();
    const before = store.contents();
    expect(ingestTree(store.store, [projects])).toMatchObject({ skipped: 2, chunks: 0 });
    expect(store.contents()).toEqual(before);
  });

  it('are not other Markdown files', () => {
    for (const folder of [join(projects, 'docs', 'memory'), join(projects, '-home-ada-shop', 'docs')]) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'guide.md'), 'How to use memory.');
    }
    expect(texts()).toEqual([]);
  });

  it('stay when their whole project is gone, as its sessions do', () => {
    write('MEMORY.md', NOTE);
    texts();
    const before = store.contents();
    rmSync(join(projects, '-home-ada-shop'), { recursive: true });
    texts();
    expect(store.contents()).toEqual(before);
  });

  it('of another tree stay when they are not among the sources', () => {
    write('MEMORY.md', NOTE);
    texts();
    rmSync(join(notes, 'MEMORY.md'));
    ingestTree(store.store, [temporaryFolder()]);
    expect(store.text()).toContain('The shop sells tills.');
  });
});
