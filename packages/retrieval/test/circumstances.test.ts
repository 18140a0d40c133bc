import { expect, it } from 'vitest';
import { chunkDraft, sessionDraft, turnDraft } from '../../../test/drafts.js';
import { chunksIn, circumstancesOf, sessionsIn } from '../src/question/circumstances.js';
import { search } from '../src/index.js';
import { Memory } from './memory.js';

const TOLD = 'The miller mended the wheel of the mill.';
const APART = 'fix/réseau'.normalize('NFD');
const BRANCHES = ['main', 'fix/wheel-7', 'rewrite', 'सुधार/पहिया', null, 'release/1.2', APART];

/** One session on each branch, in which the same is said. */
function onBranches(): { memory: Memory; idOn: (branch: string | null) => number } {
  const memory = new Memory();
  for (const [n, gitBranch] of BRANCHES.entries()) {
    memory.store.transcripts.write(`/${n}.jsonl`, (writer) => {
      writer.putSession(sessionDraft(`${n}bcdef01-1111-4222-8333-444444444444`), {
        path: '/mill',
        name: 'mill',
      });
      const spans = [{ speaker: 'assistant' as const, start: 0, end: TOLD.length }];
      writer.putTurn(turnDraft(0, [chunkDraft(0, TOLD, { gitBranch, spans })]));
    });
  }
  const chunks = [...memory.store.chunks.walk({}, 'oldest')];
  return { memory, idOn: (branch) => chunks.find(({ gitBranch }) => gitBranch === branch)!.id };
}

function named({ store }: Memory, query: string, scope: { projectId?: number } = {}): Map<number, number> {
  return chunksIn(store, circumstancesOf(store, query), scope);
}

it.each([
  ['who mended the wheel on fix/wheel-7?', 'fix/wheel-7'],
  ['who mended the wheel on the branch fix/wheel-7.', 'fix/wheel-7'],
  ['who mended the wheel on the rewrite branch', 'rewrite'],
  ['who mended the wheel on fix/réseau', APART],
  [`who mended the wheel on ${APART}`, APART],
  ['who mended the wheel on branch release/1.2.', 'release/1.2'],
  ['who mended the wheel on branch main', 'main'],
  ['who mended the wheel on branch `rewrite`?', 'rewrite'],
  ['who mended the wheel on the "rewrite" branch?', 'rewrite'],
  ['who mended the wheel on branch: main', 'main'],
  ['who mended the wheel on a branch called “rewrite”', 'rewrite'],
  ['who mended the wheel on सुधार/पहिया', 'सुधार/पहिया'],
  ['who mended the wheel in 1bcdef01?', 'fix/wheel-7'],
  ['who mended the wheel in session 2bcdef01-1111-4222-8333-444444444444?', 'rewrite'],
])('"%s" asks for what was said on %s', async (query, branch) => {
  const { memory, idOn } = onBranches();
  await memory.store.directory.refresh();
  expect([...named(memory, query)]).toEqual([[idOn(branch), 1]]);
  const { hits } = await search(memory.context, { query, scope: {}, budgetTokens: 2_000 });
  expect(hits[0]!.chunk.id).toBe(idOn(branch));
});

it('one or more sessions are named, by ids of any form', async () => {
  const memory = new Memory();
  const told = (text: string) => [{ text, speaker: 'assistant' as const }];
  memory.session('mill', told('The stone is new.'));
  memory.session('mill', told('The wheel is new.'));
  for (const uuid of ['ses_6B1fA9d2e001kQ', '1752345678901_k4x9', 'ses_7C2gA1', 'ses_7C2gB2'])
    memory.store.transcripts.write(`/${uuid}`, (writer) => {
      writer.putSession(sessionDraft(uuid), { path: '/mill', name: 'mill' });
      writer.putTurn(turnDraft(0, [chunkDraft(0, `Told in ${uuid}.`)]));
    });
  const found = async (query: string) => {
    const { hits, text } = await search(memory.context, { query, scope: {}, budgetTokens: 2_000 });
    expect(text).not.toContain('no passage');
    return hits.map(({ chunk }) => chunk.text).toSorted();
  };
  const ofOpencode = ['Told in ses_6B1fA9d2e001kQ.'];
  expect(await found('what did we do in session ses_6B1fA9d2e001kQ?')).toEqual(ofOpencode);
  expect(await found('what did we do in session `ses_6B1f`?')).toEqual(ofOpencode);
  expect(await found('what did we do in session 1752345678901_k4x9?')).toEqual([
    'Told in 1752345678901_k4x9.',
  ]);
  const both = ['The stone is new.', 'The wheel is new.'];
  expect(await found('what happened in sessions 00000001 and 00000002?')).toEqual(both);
  expect(await found('what happened in session 00000002, and in session 00000001?')).toEqual(both);
  const { sessionIds } = circumstancesOf(memory.store, 'session handling, as in session 00000002');
  expect(sessionIds).toHaveLength(1);
  expect(circumstancesOf(memory.store, 'session ses_7C2g, of two').sessionIds).toEqual([]);
});

it('a name is left out where it stands, and not within another word', () => {
  const { memory } = onBranches();
  const questionOf = (query: string): string => circumstancesOf(memory.store, query).question;
  expect(questionOf('the maintenance on branch main')).toMatch(/^the maintenance on\s+$/);
  expect(questionOf('the rewriter of the rewrite branch')).toMatch(/^the rewriter of the\s+$/);
  expect(questionOf('x1bcdef01, as in session 1bcdef01')).toMatch(/^x1bcdef01, as in\s+$/);
  expect(questionOf('the wheel on "fix/wheel-7"')).toMatch(/^the wheel on\s+$/);
  expect(questionOf('the wheel on the `rewrite` branch')).toMatch(/^the wheel on the\s+$/);
  expect(questionOf("the rewrite branch's wheel")).toMatch(/^the\s+'s wheel$/);
});

it.each([
  'the main reason for the rewrite',
  'who mended wheel-7?',
  'the hash abcdef01',
  `fix/wheel-7 ${'and so on, '.repeat(50)}`,
])('"%s" names none', (query) => {
  const { memory } = onBranches();
  expect(named(memory, query).size).toBe(0);
});

it('a branch of another project is not meant', () => {
  const { memory, idOn } = onBranches();
  memory.session('shop', ['The shop is open.']);
  const ofProject = (slug: string) => {
    const projectId = memory.store.projects.findBySlug(slug)!.id;
    return [...named(memory, 'work on fix/wheel-7', { projectId }).keys()];
  };
  expect(ofProject('mill')).toEqual([idOn('fix/wheel-7')]);
  expect(ofProject('shop')).toEqual([]);
});

it('what names a branch and no subject is answered with the work there', async () => {
  const { memory, idOn } = onBranches();
  await memory.store.directory.refresh();
  for (const query of ['what did we do on the branch rewrite?', 'rewrite branch', 'fix/wheel-7']) {
    const { hits } = await search(memory.context, { query, scope: {}, budgetTokens: 2_000 });
    const branch = query.includes('rewrite') ? 'rewrite' : 'fix/wheel-7';
    expect(hits.map(({ chunk }) => chunk.id)).toEqual([idOn(branch)]);
  }
});

it('more than one branch may be named', async () => {
  const { memory, idOn } = onBranches();
  await memory.store.directory.refresh();
  for (const query of [
    'what did we do on release/1.2 and on fix/wheel-7?',
    'what did we do on branch release/1.2, and on the fix/wheel-7 branch?',
    'what did we do on branches release/1.2 and fix/wheel-7?',
  ]) {
    const { hits } = await search(memory.context, { query, scope: {}, budgetTokens: 2_000 });
    expect(new Set(hits.map(({ chunk }) => chunk.id))).toEqual(
      new Set([idOn('release/1.2'), idOn('fix/wheel-7')]),
    );
  }
});

/** The same is said in each of these projects, in this order. */
const PROJECTS = ['mill', 'old-mill', 'shop'];

function inProjects(): { memory: Memory; projectId: (slug: string) => number } {
  const memory = new Memory();
  for (const project of PROJECTS) memory.session(project, [TOLD]);
  return { memory, projectId: (slug) => memory.store.projects.findBySlug(slug)!.id };
}

async function projectsFound(memory: Memory, query: string, own?: number, scope = {}): Promise<string[]> {
  await memory.store.directory.refresh();
  const context = { ...memory.context, ownProjectId: own };
  const { hits } = await search(context, { query, scope, budgetTokens: 2_000 });
  return hits.map(({ chunk }) => chunk.projectSlug);
}

it.each([
  ['who mended the wheel in old-mill?', 'old-mill'],
  ['who mended the wheel in the Old Mill project?', 'old-mill'],
  ['who mended the wheel of project shop', 'shop'],
  ['who mended the wheel in the shop repo?', 'shop'],
  ['who mended the wheel of project `shop`?', 'shop'],
  ['who mended the wheel in the "shop" repo?', 'shop'],
  ['who mended the wheel of the project named shop', 'shop'],
  ['who mended the wheel in repo: shop', 'shop'],
  ['who mended the wheel in `old-mill`?', 'old-mill'],
])('"%s" asks for what was said in %s', async (query, project) => {
  const { memory, projectId } = inProjects();
  const [first, ...others] = await projectsFound(memory, query, projectId('mill'));
  expect(first).toBe(project);
  expect(others).toHaveLength(PROJECTS.length - 1);
  expect(circumstancesOf(memory.store, query).question).not.toMatch(/old.mill|shop|["`]/i);
});

it.each(['NFC', 'NFD'] as const)(
  'accents are no matter where a project and a question differ in %s',
  (form) => {
    const memory = new Memory();
    memory.session('café-crème'.normalize(form === 'NFC' ? 'NFD' : 'NFC'), [TOLD]);
    const query = 'qui a réparé la roue dans café-crème ?'.normalize(form);
    const { projectIds, question } = circumstancesOf(memory.store, query);
    expect(projectIds).toEqual([1]);
    expect(question).toBe('qui a réparé la roue dans   ?'.normalize('NFC'));
  },
);

it('where one project is asked for, no session of it counts more for that', () => {
  const { memory, projectId } = inProjects();
  const [mill, shop] = [projectId('mill'), projectId('shop')];
  const circumstances = circumstancesOf(memory.store, 'who mended the wheel in the shop repo?');
  expect(sessionsIn(memory.store, circumstances, {}, mill).size).toBe(1);
  expect(sessionsIn(memory.store, circumstances, { projectId: shop }, mill).size).toBe(0);
});

it('of several projects that a question names, each counts', async () => {
  const { memory, projectId } = inProjects();
  const query = 'who mended the wheel in old-mill, and who in the shop repo?';
  const [first, second, third] = await projectsFound(memory, query, projectId('mill'));
  expect([first, second].toSorted()).toEqual(['old-mill', 'shop']);
  expect(third).toBe('mill');
  expect(circumstancesOf(memory.store, query).question).not.toMatch(/old.mill|shop/i);
});

it('what asks for nothing but a project is looked up with its name', () => {
  const { memory } = inProjects();
  const questionOf = (query: string): string => circumstancesOf(memory.store, query).question;
  for (const query of [
    'what is old-mill?',
    'what do we know about project shop',
    'remind me of the shop repo',
  ])
    expect(questionOf(query)).toBe(query);
});

it('a name that is a common word, too, names no project by itself', () => {
  const { memory } = inProjects();
  for (const query of ['who mended the wheel in the shop?', 'the mills', 'the old mill', 'my-old-mill-wheel'])
    expect(circumstancesOf(memory.store, query).projectIds).toEqual([]);
});

it('what was said in the caller’s project comes first, and nothing is left out for it', async () => {
  const { memory, projectId } = inProjects();
  const query = 'who mended the wheel?';
  for (const own of PROJECTS) {
    const found = await projectsFound(memory, query, projectId(own));
    expect(found[0]).toBe(own);
    expect(found.toSorted()).toEqual(PROJECTS);
  }
  expect(await projectsFound(memory, query, projectId('mill'), { projectId: projectId('shop') })).toEqual([
    'shop',
  ]);
});

it('a better answer of another project comes before one of the caller’s', async () => {
  const { memory, projectId } = inProjects();
  memory.session('harbour', ['The harbour master mended the wheel of the crane in March.']);
  const [first] = await projectsFound(
    memory,
    'who mended the wheel of the harbour crane?',
    projectId('shop'),
  );
  expect(first).toBe('harbour');
});
