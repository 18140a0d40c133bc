import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { searchKeywords, searchKeywordsWithPauses } from '../src/matching/keyword-search.js';
import { synonymsOf } from '../src/matching/synonyms.js';
import type { WeighedTerm } from '../src/matching/weighed-terms.js';
import { Memory } from './memory.js';

it.each([
  ['javascriptwalk', 'JavascriptWalkerPool'],
  ['walkerpool', 'JavascriptWalkerPool'],
  ['walker', 'JavascriptWalkerPool'],
  ['script', 'JavascriptWalkerPool'],
  ['scriptwalk', 'nothing'],
  ['parseHTTPRequests', 'nothing'],
])('%s finds %s', (query, name) => {
  const memory = new Memory();
  const [id] = memory.session('loom', ['The JavascriptWalkerPool stops at ten hops.', 'The kettle boils.']);
  const { found } = searchKeywords(memory.store, query, {});
  expect(found.ids).toEqual(name === 'nothing' ? [] : [id]);
});

it('a name counts more than a word that is as rare', () => {
  const memory = new Memory();
  const ids = memory.session('loom', ['The kettle boils.', 'The MAST boils.']);
  const { found } = searchKeywords(memory.store, 'kettle MAST', {});
  const [ofWord, ofName] = ids.map((id) => found.scores[found.ids.indexOf(id)]!);
  expect(ofName).toBeGreaterThan(ofWord!);
});

it('what is not worthwhile is not looked for, and its terms are told', () => {
  const memory = new Memory();
  memory.session('loom', ['The kettle boils.']);
  const isWorthwhile = ([kettle]: readonly WeighedTerm[]): boolean => kettle!.documentFrequency > 1;
  const { found, terms } = searchKeywords(memory.store, 'kettle', {}, { isWorthwhile });
  expect(found.ids).toEqual([]);
  expect(terms).toMatchObject([{ phrase: 'kettle', documentFrequency: 1 }]);
});

it('a search is given up between two of its steps when its time is over', () => {
  const memory = new Memory();
  memory.session('loom', ['The kettle boils.']);
  let asked = 0;
  const within = (steps: number) => ({ isInTime: () => ++asked <= steps });
  const givenUp = searchKeywords(memory.store, 'kettle boils', {}, within(1));
  expect(givenUp).toMatchObject({ found: { ids: [] }, problem: 'the search took too long' });
  expect(asked).toBe(2);
  expect(searchKeywords(memory.store, 'kettle boils', {}, within(100)).found.ids).toHaveLength(1);
});

const HASH = 'a80692bc41d5e7f60912a3b4c5d6e7f8091a2bed';

it.each([
  ['as git commit prints it', '[main a80692b] Reef the sails', HASH.slice(0, 8)],
  ['as git commit prints it', '[main a80692b] Reef the sails', `why was ${HASH} made`],
  ['as git log prints it', `commit ${HASH}`, 'A80692B'],
  ['as git log prints it', `commit ${HASH}`, HASH.slice(0, 12)],
  ['stemmed', '[main 80692ba6ed] Reef the sails', `80692ba6ed${HASH.slice(10)}`],
  ['a longer one with the same beginning', `commit ${HASH}`, 'a80692b'],
])('a commit that memory has %s is found by another length of its hash', (_, text, query) => {
  const memory = new Memory();
  const [id] = memory.session('sloop', [{ text, speaker: 'tool_result' }, 'The kettle boils.']);
  const { found, entityIds } = searchKeywords(memory.store, query, {});
  expect(found.ids).toEqual([id]);
  expect(entityIds).toEqual(new Set([id]));
});

it.each(['1234567', 'defaced'])('%s is no hash, which others that begin so are like', (word) => {
  const memory = new Memory();
  memory.session('sloop', [`order ${word}8a`]);
  expect(searchKeywords(memory.store, word, {}).found.ids).toEqual([]);
});

it('a hash in several lengths is one term, and another that begins alike for some letters is none of it', () => {
  const memory = new Memory();
  const [made, seen] = memory.session('sloop', [
    { text: '[main a80692b] Reef the sails', speaker: 'tool_result' },
    { text: `commit ${HASH}`, speaker: 'tool_result' },
    { text: 'commit a80692f and the word a8069', speaker: 'tool_result' },
  ]);
  const { found, terms } = searchKeywords(memory.store, HASH.slice(0, 8), {});
  expect(new Set(found.ids)).toEqual(new Set([made, seen]));
  expect(terms).toMatchObject([{ phrase: 'a80692bc', documentFrequency: 2 }]);
  expect([made!, seen!].map((id) => found.coverageOf(id))).toEqual([1, 1]);
});

it.each([
  ['two tests', '2 tests'],
  ['12 tests', 'twelve tests'],
  ['configuration tests', 'config tests'],
  ['docs tests', 'documentation tests'],
])('%s are found as %s, and as one term', (query, told) => {
  const memory = new Memory();
  const [id] = memory.session('sloop', [`Failed: ${told}.`, 'Failed: 3 other tests.']);
  const { found, terms } = searchKeywords(memory.store, query, {});
  expect(terms).toHaveLength(2);
  expect(found.coverageOf(id!)).toBe(1);
});

it('two words are found as one, where more than one chunk has them so', () => {
  const memory = new Memory();
  const ids = memory.session('sloop', [
    'The timezone is wrong.',
    'Which timezone?',
    'A mainsail.',
    'A sail.',
  ]);
  const { found, terms } = searchKeywords(memory.store, 'time zone wrong', {});
  expect(terms.map(({ phrase }) => phrase)).toEqual(['time', 'zone', 'wrong']);
  expect(found.coverageOf(ids[0]!)).toBe(1);
  expect(found.ids).toEqual([ids[0], ids[1]]);
  const parts = searchKeywords(memory.store, 'timeZone', {}).terms;
  expect(parts.map(({ spellings }) => spellings)).toEqual([undefined, undefined, undefined]);
  expect(searchKeywords(memory.store, 'main sail', {}).found.coverageOf(ids[2]!)).toBe(0);
});

it.each([
  ['has_doc_files', 'The call hasDocFiles( fails.'],
  ['has-doc-files', 'The call hasDocFiles( fails.'],
  ['has doc files', 'The call hasDocFiles( fails.'],
  ['why does Has doc files fail', 'The call hasDocFiles( fails.'],
  ['hasDocFiles', 'The column has_doc_files fails.'],
  ['has-doc-files', 'The column has_doc_files fails.'],
  ['has_doc_files', 'The flag --has-doc-files fails.'],
])('%s names what others write in another way: %s', (query, text) => {
  const memory = new Memory();
  const [id, prose] = memory.session('loom', [text, 'This one has doc files, which fail.']);
  for (let n = 0; n < 10; n++) memory.session('kettle', ['The kettle boils.']);
  const { found, entityIds, byTerm } = searchKeywords(memory.store, query, {});
  expect([...entityIds]).toEqual([id]);
  for (const { postings } of byTerm) expect(postings.scores).toHaveLength(postings.ids.length);
  expect(found.scoreOf(id!)).toBeGreaterThan(found.scoreOf(prose!));
});

it.each(['lines 10-20', 'port 45_67', 'options 1 2 3'])(
  'numbers in "%s" are no name in one word',
  (query) => {
    const memory = new Memory();
    memory.session('loom', ['Line 1020: port 4567 has 123 options.']);
    expect([...searchKeywords(memory.store, query, {}).entityIds]).toEqual([]);
  },
);

it('a name that is given is not looked up once more for words in a row', () => {
  const memory = new Memory();
  memory.session('loom', ['The hasDocFiles call.']);
  const { terms } = searchKeywords(memory.store, 'why is hasDocFiles for has doc files', {});
  expect(terms.filter(({ phrase }) => phrase === 'hasdocfiles')).toHaveLength(1);
});

it('a name in another writing is found where it is all that memory has', () => {
  const memory = new Memory();
  const [id] = memory.session('loom', ['The call hasDocFiles( is new.']);
  const { found } = searchKeywords(memory.store, 'has_doc_files', {});
  expect(found.ids).toEqual([id]);
  expect(found.coverageOf(id!)).toBe(1);
});

it('a name of words is looked up in one word, too, if memory has it so', () => {
  const memory = new Memory();
  memory.session('loom', ['The hasDocFiles call.']);
  const spellings = (query: string): (readonly string[] | undefined)[] =>
    searchKeywords(memory.store, query, {})
      .terms.slice(0, 1)
      .map((term) => term.spellings);
  expect(spellings('has-doc-files')).toEqual([['has-doc-files', 'hasdocfiles']]);
  expect(spellings('no-doc-files')).toEqual([undefined]);
});

it('nothing is missing where words in a row are no name, and pasted ones are not taken for one', () => {
  const memory = new Memory();
  const [id] = memory.session('loom', ['It has doc files', 'A hasDocFiles']);
  const { found, terms } = searchKeywords(memory.store, 'which doc files there', {});
  expect(found.coverageOf(id!)).toBe(1);
  expect(terms.map(({ phrase }) => phrase)).toEqual(['doc', 'files']);
  const pasted = `has doc files ${'or else '.repeat(30)}`;
  expect([...searchKeywords(memory.store, pasted, {}).entityIds]).toEqual([]);
});

it('a word that is looked up as another spelling is not looked up as a synonym, too', () => {
  const memory = new Memory();
  memory.session('sloop', ['The config boils.', 'The configuration boils.']);
  const [short, long] = searchKeywords(memory.store, 'config', {}).found.scores;
  expect(long).toBe(short);
});

it('a name has no synonyms', () => {
  const memory = new Memory();
  memory.session('sloop', ['HTTP boils.', 'The web boils.']);
  const lookedUp = (query: string): string[] =>
    searchKeywords(memory.store, query, {}).byTerm.map(({ term }) => term.phrase);
  expect(lookedUp('http')).toEqual(['http', 'web']);
  expect(lookedUp('HTTP')).toEqual(['http']);
});

it('who asks for one is not asked for how many', () => {
  const memory = new Memory();
  memory.session('sloop', ['Failed: 1.']);
  expect(searchKeywords(memory.store, 'which one', {}).found.ids).toEqual([]);
});

it('several words are looked up though each stands in more chunks than are read of one', () => {
  const memory = new Memory();
  memory.session('loom', Array<string>(5_000).fill('the default report of the terminal is json'));
  const { found, byTerm } = searchKeywords(memory.store, 'default terminal report json', {});
  expect(byTerm.length).toBeGreaterThanOrEqual(3);
  expect(found.coverageOf(found.ids[0]!)).toBeGreaterThan(0.7);
});

it('of a page its rarest words are looked up, wherever they stand in it', () => {
  const memory = new Memory();
  const common = Array.from(
    { length: 40 },
    (_, n) => `sail${'abcdefghij'[n % 10]!}${'klmnopqrst'[Math.floor(n / 10)]!}`,
  );
  const [id] = memory.session('mill', ['The jib tangled.', ...Array<string>(20).fill(common.join(' '))]);
  const { found, byTerm } = searchKeywords(memory.store, `${common.join(' ')} tangled`, {});
  expect(byTerm.map(({ term }) => term.phrase)).toContain('tangled');
  expect(found.ids).toContain(id);
});

it('words that memory lacks do not take the places of those it has', () => {
  const memory = new Memory();
  const [id] = memory.session('mill', ['The jib tangled.', 'The kettle boils.']);
  const lacking = Array.from(
    { length: 30 },
    (_, n) => `sail${'abcdef'[n % 6]!}${'klmno'[Math.floor(n / 6)]!}`,
  );
  expect(searchKeywords(memory.store, `${lacking.join(' ')} tangled`, {}).found.ids).toEqual([id]);
});

it.each(['env_from', 'why was env_from renamed?', 'Env_From'])(
  '%s finds the name before prose with its words, which does not name it',
  (query) => {
    const memory = new Memory();
    const texts = [
      'Copy env from the primary.',
      'env_from is now envFile',
      'the env from staging',
      'nothing',
    ];
    const ids = memory.session('loom', texts);
    const { found, entityIds } = searchKeywords(memory.store, query, {});
    expect([...found.ids].sort()).toEqual(ids.slice(0, 3));
    expect(entityIds).toEqual(new Set([ids[1]]));
    expect(found.scoreOf(ids[1]!)).toBeGreaterThan(2 * found.scoreOf(ids[0]!));
  },
);

it('a web address finds its page before others of the site, whatever else the question says', () => {
  const memory = new Memory();
  const [asked, other, told] = memory.session('mill', [
    'https://example.com/ann/mill/issues/12 is open',
    'https://example.com/ann/mill/issues/40 is open',
    'The mill has a problem for its users: the wheel.',
  ]);
  const query = 'why was https://example.com/ann/mill/issues/12 a problem for users of the wheel?';
  const { found } = searchKeywords(memory.store, query, {});
  const scores = [asked, told, other].map((id) => found.scoreOf(id!));
  expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  expect(scores[0]).toBeGreaterThan(2 * scores[1]!);
});

it('the address of a site, whose words are looked up, counts like any other name', () => {
  const memory = new Memory();
  const [named, told] = memory.session('mill', [
    'Open http://localhost:3000 to see the wheel.',
    'The wheel refuses all connections because its port is taken.',
  ]);
  const query = 'why does http://localhost:3000 refuse connections on the port of the wheel?';
  const { found } = searchKeywords(memory.store, query, {});
  expect(found.scoreOf(told!)).toBeGreaterThan(found.scoreOf(named!));
});

it('a web address that no chunk has leaves the other words of the question their share', () => {
  const memory = new Memory();
  const [id] = memory.session('mill', ['The jib of the crane tangled.', 'The kettle boils.']);
  const query = 'the jib of the crane tangled: https://example.com/ann/mill/pull/x';
  expect(searchKeywords(memory.store, query, {}).found.coverageOf(id!)).toBeGreaterThan(0.3);
});

it('a name that no chunk has is looked up as words, and none names it', () => {
  const memory = new Memory();
  const [copied] = memory.session('loom', ['Copy env from the primary.', 'The kettle boils.']);
  const { found, entityIds } = searchKeywords(memory.store, 'env_from', {});
  expect(found.ids).toEqual([copied]);
  expect(entityIds).toEqual(new Set());
});

it('chunks with another word for one of the question are found, behind those that have its own', () => {
  const memory = new Memory();
  const [own, other] = memory.session('post', [
    'The mail is put off until Monday.',
    'What the emails say is put off until Friday.',
    'The kettle boils on Friday.',
  ]);
  const { found, terms } = searchKeywords(memory.store, 'mail', {});
  expect(terms.map(({ phrase }) => phrase)).toEqual(['mail']);
  expect(found.ids).toEqual([own, other]);
  expect(found.scoreOf(own!)).toBeGreaterThan(2 * found.scoreOf(other!));
  // What a question says is not answered by what it could have said.
  expect(found.coverageOf(other!)).toBe(0);
});

it('words that follow each other in the question count more where they stand side by side', () => {
  const memory = new Memory();
  const [apart, together, turned] = memory.session('press', [
    'Once the old report is done the one mode is chosen.',
    'Once the old one is done the report mode is chosen.',
    'Once the old one is done the mode report is chosen.',
    ...Array<string>(9).fill('The kettle boils.'),
  ]);
  const { found } = searchKeywords(memory.store, 'what is the report mode?', {});
  expect(found.scoreOf(together!)).toBeGreaterThan(found.scoreOf(apart!));
  expect(found.scoreOf(turned!)).toBe(found.scoreOf(together!));
  // It says nothing of how much of the question a chunk holds.
  expect(found.coverageOf(together!)).toBe(found.coverageOf(apart!));
  const other = searchKeywords(memory.store, 'is the mode of that sort a report?', {}).found;
  expect(other.scoreOf(together!)).toBe(other.scoreOf(apart!));
});

it.each([
  ['Error: Unknown sail: east', true],
  ['where did we see "Unknown sail: east" at last', true],
  ['is the sail of an error in the east unknown', false],
])('%s: a message that is pasted or quoted counts where it stands as it is', (query, isLiteral) => {
  const memory = new Memory();
  const [result, told] = memory.session('mill', [
    { text: '→ Error: Unknown sail: east', speaker: 'tool_result' },
    'Unknown to all is this error: the east has one sail, the sail of the east.',
    ...Array<string>(9).fill('The kettle boils.'),
  ]);
  const { found } = searchKeywords(memory.store, query, {});
  expect(found.scoreOf(result!) > found.scoreOf(told!)).toBe(isLiteral);
});

it.each([
  ['why do I get Error: Unknown sail east of mast 12 in harbour when I sail?', true],
  ['I see this again since yesterday:\nError: Unknown sail east of mast 99 in harbour', true],
  ['which sail of an unknown mast is in error in the east harbour?', false],
])(
  '%s: a message between other words, or with another number, counts where it nearly stands',
  (query, isNear) => {
    const memory = new Memory();
    const [result] = memory.session('mill', [
      { text: '→ Error: Unknown sail east of mast 12 in harbour', speaker: 'tool_result' },
      'Unknown to all is this error: the east harbour has one mast with a sail.',
      ...Array<string>(9).fill('The kettle boils.'),
    ]);
    const { byTerm } = searchKeywords(memory.store, query, {});
    const whole = byTerm.filter(({ term }) => term.phrase === query);
    expect(whole.map(({ postings }) => postings.ids)).toEqual(isNear ? [[result]] : []);
  },
);

it('words that stand in too many chunks are not compared word for word, however rare the name of them in one is', () => {
  const memory = new Memory();
  const often = Array<string>(1_001).fill('The mill and the wheel have a brake.');
  const [first] = memory.session('mill', ['The mill wheel brake holds, as millWheelBrake does.', ...often]);
  const literally = (query: string): number[] => [...searchKeywords(memory.store, query, {}).literalIds];
  expect(literally('mill wheel brake holds')).toEqual([first]);
  expect(literally('mill wheel brake')).toEqual([]);
});

it('words in a row in one make no pair with the last of them', () => {
  const memory = new Memory();
  memory.session('mill', [
    'The wheel brake millWheelBrake holds.',
    ...Array<string>(9).fill('The kettle boils.'),
  ]);
  const { byTerm } = searchKeywords(memory.store, 'mill wheel brake', {});
  const phrases = byTerm.map(({ term }) => term.phrase);
  expect(phrases).toEqual(expect.arrayContaining(['millwheelbrake', 'wheel brake']));
  expect(phrases).not.toContain('brake millwheelbrake');
});

it('a word for which half the memory has another does not find it', () => {
  const memory = new Memory();
  memory.session('post', Array<string>(600).fill('The emails are read.'));
  expect(searchKeywords(memory.store, 'mail', {}).found.ids).toEqual([]);
});

it.each(['mail', 'login', 'aaa', 'zzseries'])('the list has other words for %s', (word) => {
  const synonyms = synonymsOf(word);
  expect(synonyms.length).toBeGreaterThan(0);
  expect(synonyms.every((synonym) => synonym.similarity >= 0.5 && synonym.similarity < 1)).toBe(true);
  const similarities = synonyms.map(({ similarity }) => similarity);
  expect(similarities).toEqual(similarities.toSorted((a, b) => b - a));
  expect(synonyms.map((synonym) => synonym.word)).not.toContain(word);
});

it.each(['', 'a', 'zzzzzz', 'Mail', 'größe'])('and none for %j', (word) => {
  expect(synonymsOf(word)).toEqual([]);
});

it('between two words, messages of workers and requests have their turn; what is found is the same', async () => {
  const memory = new Memory();
  memory.session('loom', ['The shuttle flies over the warp.', 'The weft is beaten by the reed.']);
  const query = 'shuttle warp weft reed';
  let isOver = false;
  const searching = searchKeywordsWithPauses(memory.store, query, {}).finally(() => (isOver = true));
  let turns = 0;
  for (; !isOver; turns++) await setImmediate();
  expect(turns).toBeGreaterThan(query.split(' ').length);
  expect(await searching).toEqual(searchKeywords(memory.store, query, {}));
});
