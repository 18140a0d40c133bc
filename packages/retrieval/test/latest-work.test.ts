import { expect, it } from 'vitest';
import { explain, recall, search } from '../src/index.js';
import { circumstancesOf } from '../src/question/circumstances.js';
import { asksForLatestWork, type LatestWork } from '../src/question/asked-latest-work.js';
import { asking } from './asking.js';
import { Memory } from './memory.js';

function latestAsked({ store }: Memory, query: string): LatestWork | undefined {
  return asksForLatestWork(store, query, circumstancesOf(store, query));
}

const BUDGET = { scope: {}, budgetTokens: 20_000 };

it.each([
  'what did we do yesterday?',
  'What did I work on last week',
  'what did we do on July 9?',
  'the day before 2026-07-09',
  'what did we do on July 9 at 3pm?',
  'what did we do today between 10:00 and 12:00?',
  'what did we do between Monday and Wednesday?',
  'what happened in the week of July 6?',
  'what did we do in the last 30 minutes?',
  'what did we do in the last hour?',
  'what did we do half an hour ago?',
  'what did we work on in 2025?',
  'summarize the latest session',
  'show me recent work',
  'Can you remind me what we were doing in our last 2 sessions?',
  'What did we do in the past three sessions?',
  'what’s left to do',
  'continue where we left off',
  'where did we leave off?',
  'Where were we',
  'what have I been working on?',
  'What were we doing?',
  'what were we talking about?',
  'what did we just do?',
  'what have you just done?',
  'what were we just doing?',
  'what just happened?',
  'what did we do?',
  'What have we done so far?',
  'what happened before',
  'what did you change?',
  'what has changed so far?',
  'Recap, please',
  'give me a quick summary',
  'what do you remember?',
  'how far did we get?',
  'how far along are we with the mill?',
  'what’s new in mill?',
  'anything left to do?',
  'what is still left to do?',
  'what’s still open in mill?',
  'what did we already do today, and what is still to do?',
  'what’s the status of the project?',
  'what is in progress?',
  'open tasks in mill',
  'what did I ask last?',
  'what did we do in the first session?',
  'what was the very first thing we did in mill?',
  'what did we do first yesterday?',
  'what happened in the beginning?',
  'how did our first conversation begin?',
  'latest commits in mill',
  'which files did we edit yesterday?',
  'what did we decide in the last session?',
  'which decisions were made recently?',
  'the outcome of yesterday’s work',
  'what was the result of the last session?',
  'what did the user ask for yesterday?',
  'what was fixed and added yesterday?',
  'what did we build yesterday?',
  'what did we just add?',
  'what was just implemented?',
  'final results of last week',
  'results of the last two sessions',
  'the final result of the session before last',
  'list all decisions made in March',
  'which files did we edit in the last session?',
  'what did the user want last?',
  'previous session context',
  'most recent work',
  'the most recent conversation with the user',
  'what did the user request yesterday?',
  'the user’s last decision',
  'recent fixes and features',
  'prior sessions',
  'ongoing work',
  'pending work',
  'what are we currently working on?',
  'project history',
  'remind me where we are',
  'context from previous sessions',
  'current status',
  'what is the current task?',
  'project status',
  'what happened while I was away?',
  'hey, catch me up please',
  'recent changes in the mill.',
  'recent changes in the mill',
  'What was the last thing we did on MILL?',
  'was haben wir gestern gemacht',
  'Woran haben wir zuletzt gearbeitet?',
  'woran arbeite ich gerade?',
  'was sind die offenen Aufgaben?',
  'sur quoi je travaillais ?',
  '¿en qué estaba trabajando?',
  'Was haben wir in der letzten Sitzung gemacht?',
  'Wo waren wir stehengeblieben?',
  'letzte Änderungen in mill',
  'Was ist Ende Juli passiert?',
  'Que s’est-il passé fin juillet ?',
  '¿Qué hicimos a finales de julio?',
  'Qu’est-ce qu’on a fait hier ?',
  'Où en étions-nous ?',
  'Résumé de notre dernière conversation',
  'Resume de notre derniere conversation',
  '¿Qué hicimos ayer?',
  '¿Dónde lo dejamos?',
  '¿En qué quedamos?',
  '¿En qué nos quedamos la última vez?',
  'On en était où ?',
  'rappelle-moi où on en est',
  'Em que ponto paramos?',
  'A che punto eravamo rimasti?',
  'Waar waren we gebleven?',
  'Hoe ver zijn we gekomen?',
  'Wat hebben we gisteren gedaan?',
  'Vat de vorige sessie samen',
  'Waar hebben we vorige week aan gewerkt?',
  '还有什么没做完？',
  '還有什麼沒完成',
  '还剩下什么任务？',
  'Resume la última sesión',
  'No que trabalhamos na semana passada?',
  'Onde paramos?',
  'Su cosa abbiamo lavorato la settimana scorsa?',
  'Dove eravamo rimasti?',
  'Vat de laatste sessie samen',
  'Sampai di mana kita?',
  'Apa yang kita kerjakan kemarin?',
  'Apa saja yang sudah dikerjakan minggu lalu?',
  'rangkum sesi terakhir',
  'Co robiliśmy wczoraj?',
  'Podsumuj ostatnią sesję',
  'Geçen hafta ne üzerinde çalıştık?',
  'Что мы делали вчера?',
  'Подведи итоги последней сессии',
  'На чому ми зупинилися?',
  'Hôm qua chúng ta đã làm gì?',
  '我们昨天做了什么?',
  '总结一下上次会话',
  '最近的修改',
  '昨日の作業内容',
  '前回のセッションをまとめて',
  '前回どこまで進んだ？',
  '前回どこまで進んだ？続きから始めたい',
  'Onde paramos da última vez?',
  '¿Qué hicimos la última vez?',
  'Cosa abbiamo fatto l’ultima volta?',
  '어디까지 했지?',
  '지난주에 한 작업',
  '어제 진행한 작업',
  '¿Qué terminamos ayer?',
  'Nad czym pracowaliśmy wczoraj?',
  'Dün neler yapıldı, neyi bitirdik ve ne değişti?',
  'Що ми змінили вчора?',
])('"%s" says when, and not about what', (query) => {
  const memory = new Memory();
  memory.session('mill', ['The wheel turns.']);
  expect(latestAsked(memory, query)).toBeDefined();
});

it.each([
  'what did we do about the wheel yesterday?',
  'recent changes in the harbour',
  'latest version of node',
  'what am I doing wrong?',
  'what did we just do about the wheel?',
  'just do it',
  'just add it',
  'the current user',
  'the last user table',
  'git history',
  'message history',
  'pending requests',
  'pending changes',
  'current version of node',
  'the current session',
  'current time',
  'current branch',
  'chat history',
  'commit history',
  'continue with the session files',
  'what happened before the wheel turned?',
  'what did we do so that it turns?',
  'what did you change in the wheel?',
  'what do you remember about the wheel?',
  'is there a summary?',
  'status of the wheel',
  'what’s new in the wheel?',
  'how far did we get with the wheel?',
  'the last file',
  'the latest results',
  'what was the result of the last test?',
  'what did we decide about the wheel yesterday?',
  'the last user',
  'the latest build',
  'was the build fixed yesterday?',
  'what was fixed?',
  'last_updated',
  'next/previous',
  'last item in the list',
  'where are we with the wheel',
  'the speed last week',
  'what did Ada do last week',
  'show me the sessions',
  'what should I do first?',
  'what was the first wheel like?',
  'was the first test green?',
  'work',
  'yesterday’s build failed on windmill',
  'recent changes in mill-tools',
  'Was haben wir gestern am Rad gemacht?',
  'Wann haben wir zuletzt Redis aktualisiert?',
  'Comment le dernier élément de la liste est-il trié ?',
  '¿Cuál es la última versión de node?',
  '¿En qué quedamos con el servidor?',
  'Waar waren we gebleven met de server?',
  'Wat is de laatste versie van node?',
  '服务器还有什么没做完？',
  '还剩下什么服务器？',
  'O que fizemos ontem no servidor?',
  'Cosa abbiamo fatto ieri con il server?',
  'Jaka jest ostatnia wersja node?',
  'Son sürüm hangisi?',
  'Почему последний тест упал?',
  '我们昨天对服务器做了什么?',
  '前回のエラーの原因',
  'サーバーはどこまで進んだ？',
  'Onde paramos o servidor da última vez?',
  '지난 오류의 원인',
  '어제 진행바 뭐 했지?',
  '¿Qué hicimos ayer en la terminal?',
  'O que fizemos ontem nos terminais?',
  'Co robiliśmy wczoraj z pracownikami?',
  'Dün yapılandırmada ne yaptık?',
  'Dün yapı için ne yaptık?',
  'Bu hafta değişkenlerle ne yaptık?',
  'Dün bit ile ne yaptık?',
  'Що ми зробили зі змінними вчора?',
  'Що ми зробили з працівниками вчора?',
  'Что мы сделали вчера в чатботе?',
  'Что мы делали вчера с работниками?',
  `what did we do yesterday? ${'and before, and again, '.repeat(10)}`,
])('"%s" has a subject, or says no time', (query) => {
  const memory = new Memory();
  memory.session('mill', ['The wheel turns.']);
  expect(latestAsked(memory, query)).toBeUndefined();
});

it.each([
  ['what did we do in old-mill?', true],
  ['what happened in old-mill', true],
  ['what work was done on the old-mill project?', true],
  ['summary of `old-mill`', true],
  ['changes in old-mill', true],
  ['Was ist in old-mill passiert?', true],
  ['what is old-mill?', false],
  ['old-mill', false],
  ['how does old-mill work?', false],
  ['what does old-mill do?', false],
  ['how do I start old-mill?', false],
  ['sessions in old-mill', false],
  ['what happened to the wheel in old-mill?', false],
  // It may be any mill.
  ['what happened in the mill?', false],
])('"%s" asks for the work on a project: %s', (query, isAsked) => {
  const memory = new Memory();
  for (const project of ['mill', 'old-mill']) memory.session(project, ['The wheel turns.']);
  const asked = latestAsked(memory, query);
  const projectId = memory.store.projects.findBySlug('old-mill')!.id;
  expect(asked).toEqual(
    isAsked ? { times: [], branches: [], sessionIds: [], projectIds: [projectId] } : undefined,
  );
});

it.each([
  ['what did we do in mill and in shop yesterday?', ['mill', 'shop']],
  ['what did we work on last?', []],
  ['recent work', []],
  ['what did we do last in the work project?', ['Work']],
  ['what did we do last in the user-service?', ['user-service']],
  ['recent changes in old-mill', ['old-mill']],
])('"%s" asks for the latest work on %j', (query, projects) => {
  const memory = new Memory();
  for (const project of ['mill', 'old-mill', 'shop', 'user-service', 'Work'])
    memory.session(project, ['The wheel turns.']);
  const ids = projects.map((slug) => memory.store.projects.findBySlug(slug)!.id);
  expect(latestAsked(memory, query)?.projectIds.toSorted()).toEqual(ids.toSorted());
});

const DAYS = ['wheel', 'stone', 'sluice', 'hopper'];

function fourDaysAtTheMill(): Memory {
  const memory = new Memory();
  for (const part of DAYS) {
    memory.session('mill', [
      { text: `Please mend the ${part}, as in the last session.`, request: `mend the ${part}`, branch: part },
      { text: `[Bash] mend ${part}`, speaker: 'tool_use', sameTurn: true },
      { text: `The ${part} is mended.`, speaker: 'assistant', sameTurn: true },
      { text: `I looked at the ${part}.`, speaker: 'assistant', agent: 'inspector' },
    ]);
  }
  memory.session('harbour', ['The boats are in.']);
  return memory;
}

it('what came of the latest turns is found, behind what was asked', async () => {
  const { store, context } = fourDaysAtTheMill();
  await store.directory.refresh();
  const { text, hits } = await search(context, { query: 'what did we do in the last session?', ...BUDGET });
  expect(hits[0]!.chunk.text).toBe('The boats are in.');
  const places = DAYS.map((part) => text.indexOf(`The ${part} is mended.`));
  expect(places).toEqual(places.toSorted((a, b) => b - a));
  expect(text).toMatch(
    /Please mend the hopper, as in the last session\.[^]*The hopper is mended\.[^]*sluice/,
  );
  expect(text).not.toContain('I looked at');
});

it('asked for what was done first, the earliest turns are', async () => {
  const { store, context } = fourDaysAtTheMill();
  await store.directory.refresh();
  const ownProjectId = store.projects.findBySlug('mill')!.id;
  const own = { ...context, ownProjectId, ownBranch: () => 'hopper' };
  const mended = async (query: string) => {
    const { text } = await search(own, { query, ...BUDGET });
    return [...text.matchAll(/The (\w+) is mended/g)].map(([, part]) => part);
  };
  expect(await mended('what did we do in the first session?')).toEqual(DAYS);
  expect(await mended('what did we do in the first and in the last session?')).not.toEqual(DAYS);
  expect(await mended('what did we do first in the last 3 days?')).toEqual(DAYS.toReversed());
  // West of Greenwich it was the day before.
  expect(await mended('what did we do first between 2026-02-07 and 2026-02-08?')).toEqual(DAYS);
});

it('a project that the question names, and an agent that was asked for, are the only ones', async () => {
  const { store, context } = fourDaysAtTheMill();
  const query = 'what did we do last in mill';
  const inMill = await search(context, { query, ...BUDGET });
  expect(new Set(inMill.hits.map(({ chunk }) => chunk.projectSlug))).toEqual(new Set(['mill']));
  const projectId = store.projects.findBySlug('harbour')!.id;
  const inHarbour = await search(context, { query, ...BUDGET, scope: { projectId } });
  expect(inHarbour.hits.map(({ chunk }) => chunk.text)).toEqual(['The boats are in.']);
  const agentIds = store.sessions.agentIds('inspector');
  const ofInspector = await search(context, { query, ...BUDGET, scope: { agentIds } });
  expect(ofInspector.hits.map(({ chunk }) => chunk.agentName)).toEqual(DAYS.map(() => 'inspector'));
  const ofClient = { agentIds: store.sessions.mainAgentIds('claude-code') };
  const ofMain = await search(context, { query, ...BUDGET, scope: ofClient });
  expect(ofMain.hits).toEqual(inMill.hits);
});

it('of several projects, the latest work on any comes first', async () => {
  const memory = fourDaysAtTheMill();
  memory.session('farm', ['The cows are milked.']);
  await memory.store.directory.refresh();
  const { hits } = await search(memory.context, { query: 'recent changes in mill and harbour', ...BUDGET });
  expect([...new Set(hits.map(({ chunk }) => chunk.projectSlug))]).toEqual(['harbour', 'mill']);
});

it('where one left off is asked in a project, and a time of all', async () => {
  const { store, context } = fourDaysAtTheMill();
  const ownProjectId = store.projects.findBySlug('mill')!.id;
  const projectsOf = async (query: string) => {
    const { hits } = await search({ ...context, ownProjectId }, { query, ...BUDGET });
    return new Set(hits.map(({ chunk }) => chunk.projectSlug));
  };
  expect(await projectsOf('where did we leave off?')).toEqual(new Set(['mill']));
  expect(await projectsOf('where did we leave off in harbour?')).toEqual(new Set(['harbour']));
  expect(await projectsOf('what did we do in the last 3 days?')).toEqual(new Set(['harbour', 'mill']));
});

it('the branch that the caller is on is one of their own project', async () => {
  const memory = fourDaysAtTheMill();
  for (const [part, branch] of [
    ['crane', 'stone'],
    ['pier', 'main'],
  ] as const)
    memory.session('harbour', [
      { text: `Please mend the ${part}.`, branch },
      { text: `The ${part} is mended.`, speaker: 'assistant', sameTurn: true },
    ]);
  const [ownProjectId, projectId] = ['mill', 'harbour'].map(
    (slug) => memory.store.projects.findBySlug(slug)!.id,
  );
  const own = { ...memory.context, ownProjectId, ownBranch: () => 'stone' };
  const scope = { projectId: projectId! };
  const { hits } = await search(own, { query: 'where did we leave off?', ...BUDGET, scope });
  expect(hits.map(({ chunk }) => chunk.text).filter((text) => text.endsWith('is mended.'))).toEqual([
    'The pier is mended.',
    'The crane is mended.',
  ]);
});

it('where one left off begins with the branch that the caller is on', async () => {
  const { store, context } = fourDaysAtTheMill();
  const [mill, harbour] = ['mill', 'harbour'].map((slug) => store.projects.findBySlug(slug)!.id);
  const mended = async (query: string, ownBranch?: string, projectId?: number) => {
    const own = { ...context, ownProjectId: mill, ownBranch: () => ownBranch };
    const { text } = await search(own, { query, ...BUDGET, scope: projectId ? { projectId } : {} });
    return [...text.matchAll(/The (\w+) is mended/g)].map(([, part]) => part);
  };
  const latestFirst = DAYS.toReversed();
  expect(await mended('where did we leave off?')).toEqual(latestFirst);
  expect(await mended('where did we leave off?', 'unheard-of')).toEqual(latestFirst);
  const stoneFirst = ['stone', 'hopper', 'sluice', 'wheel'];
  expect(await mended('where did we leave off?', 'stone')).toEqual(stoneFirst);
  expect(await mended('where did we leave off?', 'stone', mill)).toEqual(stoneFirst);
  expect(await mended('where did we leave off?', 'stone', harbour)).toEqual([]);
  expect(await mended('what did we do on sluice?', 'stone')).toEqual(['sluice']);
  expect(await mended('what did we do in the last 3 days?', 'stone')).toEqual(latestFirst);
});

it('a session that the question names is told, and nothing else', async () => {
  const memory = fourDaysAtTheMill();
  const { store, context } = memory;
  await store.directory.refresh();
  for (const query of [
    '00000002',
    'what happened in session 00000002-1111-4222-8333-444444444444?',
    '00000002 what was the outcome',
    'what came of session 00000002?',
  ]) {
    const { hits } = await search(context, { query, ...BUDGET });
    expect(new Set(hits.map(({ chunk }) => chunk.sessionShortId))).toEqual(new Set(['00000002']));
    expect(hits[0]!.chunk.text).toBe('Please mend the stone, as in the last session.');
  }
  // The hash of a commit is a subject, and so is what stands beside a session's id.
  expect(latestAsked(memory, 'the last change of b8381b97')).toBeUndefined();
  expect(latestAsked(memory, 'the wheel in session 00000002')).toBeUndefined();
});

it('a time that the question names is the one that is told, or what was before it', async () => {
  const memory = new Memory();
  const told = ['2026-02-03', '2026-02-05', '2026-02-08'].map((day) => {
    const atMs = new Date(`${day}T12:00`).getTime();
    memory.session('mill', [{ text: `On ${day} the wheel turned.`, atMs }]);
    return `On ${day} the wheel turned.`;
  });
  const found = async (query: string) => {
    const { hits } = await search(memory.context, { query, ...BUDGET });
    return hits.map(({ chunk }) => chunk.text);
  };
  expect(await found('what did we do on 2026-02-05?')).toEqual([told[1]]);
  expect(await found('what happened on Feb 5?')).toEqual([told[1]]);
  expect(await found('what did we do in February 2026?')).toEqual(told.toReversed());
  expect(await found('what did we do on 2026-02-06?')).toEqual([told[1], told[0]]);
  expect(await found('what did we do on 2026-01-06?')).toEqual([]);
  expect(await found('what did we do on 2026-02-03 and on 2026-02-08?')).toEqual([told[2], told[0]]);
  expect(await found('what did we do first on 2026-02-03 and on 2026-02-08?')).toEqual([told[0], told[2]]);
  expect(await found('what did we do in February 2026, and on 2026-02-05?')).toEqual(told.toReversed());
  expect(await found('what did we do on 2026-02-05 or 2026-02-06?')).toEqual([told[1]]);
});

it('of a time that is named, each session tells what came of it, before the last tells more', async () => {
  const memory = new Memory();
  for (const [part, startHour] of [
    ['wheel', 9],
    ['stone', 14],
  ] as const) {
    const turns = ['mended', 'painted'].map((done, hours) => {
      const atMs = new Date(2026, 1, 5, startHour + hours).getTime();
      return [
        { text: `Is the ${part} ${done}?`, atMs },
        { text: `[Bash] ls ${part}/${done}`, speaker: 'tool_use' as const, sameTurn: true, atMs },
        { text: `The ${part} is ${done}.`, speaker: 'assistant' as const, sameTurn: true, atMs },
      ];
    });
    memory.session('mill', turns.flat());
  }
  const told = async (query: string) => {
    const { text } = await search(memory.context, { query, ...BUDGET });
    return [...text.matchAll(/The (\w+ is \w+)\./g)].map(([, done]) => done);
  };
  const [stone, wheel] = ['stone', 'wheel'].map((part) =>
    ['painted', 'mended'].map((done) => `${part} is ${done}`),
  );
  expect(await told('what did we do on 2026-02-05?')).toEqual([stone![0], wheel![0], stone![1], wheel![1]]);
  expect(await told('what did we do in our recent sessions?')).toEqual(
    await told('what did we do on 2026-02-05?'),
  );
  expect(await told('where did we leave off?')).toEqual([...stone!, ...wheel!]);
});

it('so many sessions are told as are asked for', async () => {
  const { store, context } = fourDaysAtTheMill();
  const ownProjectId = store.projects.findBySlug('mill')!.id;
  const sessions = async (query: string) => {
    const { text } = await search({ ...context, ownProjectId }, { query, ...BUDGET });
    return [...text.matchAll(/The (\w+) is mended/g)].map(([, part]) => part);
  };
  expect(await sessions('summarize our last 3 sessions')).toEqual(DAYS.toReversed().slice(0, 3));
  expect(await sessions('what did we do in the two last conversations?')).toEqual(
    DAYS.toReversed().slice(0, 2),
  );
  expect(await sessions('what did we do in the last sessions?')).toEqual(DAYS.toReversed());
});

it.each([
  ['what did we do one session ago?', 0],
  ['what did we do two sessions ago?', 1],
  ['what happened in the session before last?', 1],
  ['Summarize the penultimate conversation', 1],
  ['what was done 3 sessions back', 2],
])('"%s" asks for one session', async (query, at) => {
  const { store, context } = fourDaysAtTheMill();
  const ownProjectId = store.projects.findBySlug('mill')!.id;
  const { text } = await search({ ...context, ownProjectId }, { query, ...BUDGET });
  expect([...text.matchAll(/The (\w+) is mended/g)].map(([, part]) => part)).toEqual([DAYS.toReversed()[at]]);
});

it('so many sessions are told, however long the last one is', async () => {
  const memory = new Memory();
  for (const [day, part] of ['stone', 'hopper'].entries()) {
    const said = [...Array.from({ length: 250 }, (_, n) => `Turn ${n} of the wheel.`), `Mend the ${part}`];
    memory.session(
      'mill',
      said.map((text, n) => ({ text, atMs: day * 86_400_000 + n * 1_000 })),
    );
  }
  for (const count of ['two', '2']) {
    const query = `what did we do in the last ${count} sessions?`;
    const { text } = await search(memory.context, { query, ...BUDGET });
    expect(text.match(/Mend the \w+/g)).toEqual(['Mend the hopper', 'Mend the stone']);
  }
});

it('a request that nobody answered does not tell what came of a session', async () => {
  const memory = new Memory();
  const atMs = (hour: number) => new Date(2026, 1, 5, hour).getTime();
  for (const [day, part] of ['stone', 'hopper'].entries()) {
    const said = (text: string, tokens: number) => ({ text, tokens, atMs: atMs(12 + day) });
    memory.session('mill', [
      said(`Mend the ${part}`, 9),
      { ...said(`The ${part} is mended.`, 600), speaker: 'assistant', sameTurn: true },
      // So long that it does not join the answer.
      said(`Leave the ${part}`, 600),
    ]);
  }
  memory.session('mill', [{ text: 'Oil the wheel', atMs: atMs(14) }]);
  for (const when of ['on 2026-02-05', 'in the last three sessions']) {
    const { hits } = await search(memory.context, { query: `what did we do ${when}?`, ...BUDGET });
    expect(hits.map(({ chunk }) => chunk.text)).toEqual([
      'Oil the wheel',
      ...['Mend the hopper', 'The hopper is mended.'],
      ...['Mend the stone', 'The stone is mended.'],
      ...['Leave the hopper', 'Leave the stone'],
    ]);
  }
});

it('a session in which nobody answered anything is told by its last request', async () => {
  const memory = new Memory();
  const atMs = (hour: number) => new Date(2026, 1, 5, hour).getTime();
  memory.session('mill', [
    { text: 'Oil the wheel', tokens: 600, atMs: atMs(12) },
    { text: 'Dress the stone', tokens: 600, atMs: atMs(13) },
  ]);
  const { hits } = await search(memory.context, { query: 'what did we do on 2026-02-05?', ...BUDGET });
  expect(hits.map(({ chunk }) => chunk.text)).toEqual(['Dress the stone', 'Oil the wheel']);
});

it('a turn that is told with the one before it is not told again', async () => {
  const memory = new Memory();
  const requests = ['Oil the wheel', 'Dress the stone', 'Mend the sluice'];
  memory.session('mill', requests);
  await memory.store.directory.refresh();
  const { text } = await search(memory.context, { query: 'what did we do last?', ...BUDGET });
  expect(text.match(/\[Session: /g)).toHaveLength(1);
  expect(text.match(/^.* the .*$/gm)).toEqual(requests);
});

it('asked for what was done first at a time, all is told in order', async () => {
  const memory = new Memory();
  for (const [n, part] of ['stone', 'hopper'].entries())
    memory.session(
      'mill',
      [1, 2].map((day) => ({
        text: `Mend the ${part} ${day}`,
        tokens: 600,
        atMs: new Date(2026, 1, 5, 12 + 2 * n + day).getTime(),
      })),
    );
  const { hits } = await search(memory.context, { query: 'what did we do first on 2026-02-05?', ...BUDGET });
  expect(hits.map(({ chunk }) => chunk.text)).toEqual([
    'Mend the stone 1',
    'Mend the stone 2',
    'Mend the hopper 1',
    'Mend the hopper 2',
  ]);
});

it('what does not fit is not replaced by what was done long before', async () => {
  const memory = new Memory();
  const said = ['It is oiled.', 'The stone is dressed.', 'The wheel turns.'];
  said.forEach((text, at) => memory.session('mill', [{ text, tokens: at === 0 ? 10 : 250 }]));
  const told = async (budgetTokens: number) => {
    const { hits } = await search(memory.context, { query: 'recent work', scope: {}, budgetTokens });
    return hits.map(({ chunk }) => chunk.text);
  };
  expect(await told(450)).toEqual(['The wheel turns.']);
  // Nothing else would be told.
  expect(await told(200)).toEqual(['It is oiled.']);
});

it('an answer says where nothing was done in the time that was asked for', async () => {
  const memory = new Memory();
  const atMs = new Date(2026, 1, 5, 12).getTime();
  memory.session('mill', [{ text: 'The wheel turned.', atMs, edited: ['/mill/wheel.ts'] }]);
  for (const tool of ['search', 'recall', 'predict', 'explain'] as const) {
    const asked = (query: string, budgetTokens?: number) => asking(query)[tool](memory, budgetTokens);
    const one = await asked('what did we do on 2026-02-08?');
    expect(one.text).toMatch(
      /^\[files: wheel\.ts\]\n\n\[nothing from Feb 8, 2026; the latest before that:\]\n\n\[Session: /,
    );
    expect((await asked('what did we do in March 2026?')).text).toContain(
      '[nothing from Mar 1, 2026 – Mar 31, 2026; the latest before that:]',
    );
    const there = await asked('what did we do on 2026-02-05?');
    for (const { text } of [there, await asked('recent work'), await asked('what did we do on 2026-01-05?')])
      expect(text).not.toContain('nothing from');
    expect(one.tokens).toBeGreaterThan(there.tokens + 10);
    const { text, tokens } = await asked('what did we do on 2026-02-08?', 200);
    expect(text).toMatch(/^\[/);
    expect(tokens).toBeLessThanOrEqual(200);
  }
});

it('what was done since a time or before it is told', async () => {
  const memory = new Memory();
  const told = [3, 5, 8].map((day) => {
    const atMs = new Date(2026, 1, day, 12).getTime();
    memory.session('old-mill', [{ text: `On day ${day} the wheel turned.`, atMs }]);
    return `On day ${day} the wheel turned.`;
  });
  const found = async (query: string) => {
    const { hits } = await search(memory.context, { query, ...BUDGET });
    return hits.map(({ chunk }) => chunk.text);
  };
  expect(await found('what changed in old mill since 2026-02-05?')).toEqual([told[2], told[1]]);
  expect(await found('what did we do before 2026-02-05?')).toEqual([told[0]]);
  expect(await found('what did we do between 2026-02-02 and 2026-02-05?')).toEqual([told[1], told[0]]);
});

it('a client’s notes are no work', async () => {
  const memory = new Memory();
  memory.session('mill', ['The wheel turns.']);
  memory.note('mill', ['The stone is old.']);
  const { hits } = await search(memory.context, { query: 'recent work', ...BUDGET });
  expect(hits.map(({ chunk }) => chunk.text)).toEqual(['The wheel turns.']);
});

it('turns that ended with the same words are different work', async () => {
  const requests = ['Paint the door', 'Mend the roof', 'Sell the till'];
  for (const isLinked of [false, true]) {
    const memory = new Memory();
    const done = { text: 'Done.', speaker: 'assistant' as const, sameTurn: true };
    const ids = memory.session(
      'mill',
      requests.flatMap((text) => [text, done]),
    );
    if (isLinked) memory.link('adjacent', ...ids);
    for (const tool of ['search', 'recall', 'predict', 'explain'] as const) {
      const { text } = await asking('what did we do in the last session?')[tool](memory);
      for (const request of requests) expect(text).toContain(`${request}\n\nDone.`);
    }
  }
});

it('the first question of a process gets whole messages, too', async () => {
  const memory = new Memory();
  memory.session('mill', [
    'Turn the wheel',
    { text: 'It turns.', speaker: 'assistant', sameTurn: true },
    { text: 'It squeaks.', speaker: 'assistant', continues: true },
  ]);
  const { text } = await search(memory.context, { query: 'what did we do in the last session?', ...BUDGET });
  expect(text).toContain('Turn the wheel\n\nIt turns.\nIt squeaks.');
});

it('a long history fills 5,000 tokens', async () => {
  const memory = new Memory();
  const day = 'We turned the stone and carried the sacks. '.repeat(40);
  for (let n = 0; n < 9; n++)
    memory.session(
      'mill',
      Array.from({ length: 9 }, (_, turn) => `Day ${n}, turn ${turn}: ${day}`),
    );
  const { tokens } = await search(memory.context, { query: 'recent work', ...BUDGET });
  expect(tokens).toBeGreaterThan(4_000);
  expect(tokens).toBeLessThanOrEqual(5_000);
});

it('recall begins with the latest, explain ends with it', async () => {
  const { store, context } = fourDaysAtTheMill();
  await store.directory.refresh();
  const recalled = await recall(context, { query: 'what happened in the last session?', ...BUDGET });
  expect(recalled.hits[0]!.chunk.text).toBe('The boats are in.');
  const explained = await explain(context, { topic: 'recent changes in mill', ...BUDGET });
  expect(explained.hits.at(-1)!.chunk.text).toBe('The hopper is mended.');
});

it('of a long session, explain tells what was done last, in order, however long the answer is', async () => {
  const memory = new Memory();
  const sacks = Array.from({ length: 9 }, (_, turn) => `Sack ${turn} is carried`);
  memory.session(
    'mill',
    sacks.map((text) => ({ text, tokens: 500 })),
  );
  const { hits } = await explain(memory.context, { topic: 'recent changes in mill', ...BUDGET });
  expect(hits.map(({ chunk }) => chunk.text)).toEqual(sacks.slice(3));
});
