import { describe, expect, it } from 'vitest';
import { literalTexts, queryTerms, questionLanguage } from '../src/question/query.js';

const phrases = (query: string): string[] => queryTerms(query).map((term) => term.phrase);
const entities = (query: string): string[] =>
  queryTerms(query)
    .filter((term) => term.isEntity)
    .map((term) => term.phrase);

describe('the terms of a question', () => {
  it.each<[query: string, terms: string[]]>([
    ['How did we fix the login timeout?', ['fix', 'login', 'timeout']],
    ['What is it?', ['what', 'is', 'it']],
    ['I am about to change the login', ['change', 'login']],
    ['Did anyone ever test the login, and whose is it really?', ['test', 'login']],
    ['what do we usually run regarding the login', ['run', 'login']],
    ['Fehler am Server', ['fehler', 'server']],
    ["why doesn't the cart's total match", ['cart', 'total', 'match']],
    ['Login LOGIN login', ['login']],
    ['Größe der Öltanks', ['größe', 'öltanks']],
    ['Como configuramos o login com impressão digital?', ['configuramos', 'login', 'impressão', 'digital']],
    ['como the Larian café', ['como', 'larian', 'café']],
    ['経糸が切れました', ['経糸', '切れ']],
    ['React组件为什么慢', ['react', '组件', '件为']],
    ['さくら', ['さく', 'くら']],
    ['Wie haben wir das mit dem Speicher gelöst?', ['speicher', 'gelöst']],
    ["Pourquoi est-ce que l'import a échoué ?", ['import', 'échoué']],
    ['perche il server andava in crash', ['server', 'andava', 'crash']],
    ['Почему падает сборка?', ['падает', 'сборка']],
    ['नया सर्वर क्यों बंद हुआ?', ['नया', 'सर्वर', 'बंद']],
    ['我们是怎么修复的', ['修复', '复的']],
    ['comment in the war file', ['comment', 'war', 'file']],
    ['the to-do list', ['to-do', 'list']],
    [
      'close https://example.com/ann/mill/issues/12#note-3 of the mill',
      ['https://example.com/ann/mill/issues/12#note-3', 'close', 'issues', '12', 'note', '3', 'mill'],
    ],
    [
      '[one](https://example.com/ann/mill/issues/12),[two](https://example.com/ann/mill/pull/40)',
      [
        'https://example.com/ann/mill/issues/12',
        'https://example.com/ann/mill/pull/40',
        'one',
        'issues',
        '12',
        'two',
        'pull',
        '40',
      ],
    ],
    ['https://example.com/docs', ['https://example.com/docs', 'https', 'example', 'com', 'docs']],
    [
      'drop the non-string entries per CI job',
      ['non-string', 'drop', 'non', 'string', 'entries', 'per', 'ci', 'job'],
    ],
    ['डेटाबेस कनेक्शन', ['डेटाबेस', 'कनेक्शन']],
    ['Größe der Öltanks'.normalize('NFD'), ['größe', 'öltanks']],
    ['die/Größe.txt'.normalize('NFD'), ['die/größe.txt', 'größe', 'txt']],
    ['', []],
    ['!?…', []],
  ])('%j', (query, expected) => {
    expect(phrases(query)).toEqual(expected);
  });
});

describe('names are kept whole, and looked up in parts as well', () => {
  it.each<[query: string, name: string, parts: string[]]>([
    [
      'where is src/auth/session-client.ts',
      'src/auth/session-client.ts',
      ['src', 'auth', 'session', 'client', 'ts'],
    ],
    ['the user_name column', 'user_name', ['user', 'name']],
    ['ticket ABC-123.', 'abc-123', ['abc', '123']],
    ['getUserName fails', 'getusername', ['user', 'name']],
    ['parseHTTPRequest', 'parsehttprequest', ['parse', 'http', 'request']],
    ['std::vector', 'std::vector', ['std', 'vector']],
    ['version 2.1.52', '2.1.52', ['2', '1', '52']],
  ])('%s', (query, name, parts) => {
    expect(entities(query)).toContain(name);
    expect(phrases(query)).toEqual(expect.arrayContaining(parts));
    const weights = new Map(queryTerms(query).map((term) => [term.phrase, term.weight]));
    for (const part of parts) expect(weights.get(part)).toBeLessThan(weights.get(name)!);
  });

  it.each([
    ['error E4711 again', 'e4711'],
    ['ECONNREFUSED on start', 'econnrefused'],
    ['commit 0be77a1', '0be77a1'],
  ])('%s: a code is a name', (query, code) => {
    expect(entities(query)).toEqual([code]);
  });

  it.each([
    ['Please show me when the ferry leaves. And why?', ['ferry', 'leaves']],
    ['Pourquoi le bac renvoie-t-il les passagers ?', ['bac', 'renvoie', 'passagers']],
    ['Quando o barco chamou-se assim?', ['barco', 'chamou']],
    ['Почему кто-то закрыл порт?', ['закрыл', 'порт']],
  ])('an ordinary sentence has none: %s', (query, words) => {
    expect(entities(query)).toEqual([]);
    expect(queryTerms(query).map(({ phrase, weight }) => [phrase, weight])).toEqual(
      words.map((word) => [word, 1]),
    );
  });
});

describe('questions out of all proportion stay small', () => {
  it.each<[what: string, query: string]>([
    ['one word many times', 'firmware '.repeat(300)],
    ['many words', Array.from({ length: 5_000 }, (_, n) => `word${n}`).join(' ')],
    ['one endless word', 'x'.repeat(200_000)],
    ['one endless compound', 'a-'.repeat(100_000)],
    ['dots only', '.'.repeat(100_000)],
    ['compounds that nearly match', `${'a.'.repeat(50_000)}!`],
    ['capitals', 'aB'.repeat(50_000)],
  ])('%s', (_what, query) => {
    const terms = queryTerms(query);
    expect(terms.length).toBeLessThanOrEqual(80);
    for (const { phrase } of terms) expect(phrase.length).toBeLessThanOrEqual(4_000);
  });

  it('the first words of a long text are kept', () => {
    const pasted = `E4711 of the card reader\n${'noise '.repeat(20_000)}`;
    expect(phrases(pasted).slice(0, 4)).toEqual(['e4711', 'card', 'reader', 'noise']);
  });

  it('lines of a log that differ only in numbers are read once, so that what follows them is read, too', () => {
    const served = Array.from({ length: 100 }, (_, n) => `10:${n % 60}:07 GET /berths/${n} id=${n}f3a`);
    const pasted = ['This came up again:', ...served, 'Error: the jib tangled'].join('\n');
    expect(phrases(pasted)).toEqual(expect.arrayContaining(['came', 'berths', 'jib', 'tangled']));
    expect(phrases(pasted)).not.toContain('10:59:07');
  });

  it('codes of a short list are read, though they differ only in numbers', () => {
    expect(phrases('E4711\nE4712')).toEqual(['e4711', 'e4712']);
  });

  it('a list of paths is no name, however few signs stand between them', () => {
    const classPath = (jars: number): string => Array.from({ length: jars }, () => 'lib/dock.jar').join(':');
    expect(entities(classPath(13))).toEqual([classPath(13)]);
    expect(entities(classPath(14))).toEqual([]);
    expect(phrases(classPath(14))).toEqual(['lib', 'dock', 'jar']);
  });

  it('the end of a long text is read', () => {
    const pasted = `who moored\n${'noise '.repeat(2_000)}\nthe jib tangled`;
    expect(phrases(pasted)).toEqual(expect.arrayContaining(['moored', 'noise', 'jib', 'tangled']));
  });
});

describe('texts that may stand in memory word by word', () => {
  it.each([
    ['Error: no such file', ['Error: no such file']],
    ['no file', []],
    [
      'why “cannot find it” or `not a function`',
      ['why “cannot find it” or `not a function`', 'cannot find it', 'not a function'],
    ],
    ['word '.repeat(41), []],
  ])('of %s', (query, texts) => expect(literalTexts(query)).toEqual(texts));

  it('are few, whatever is quoted', () => {
    expect(literalTexts(Array.from({ length: 99 }, (_, n) => `"one two ${n}"`).join(' '))).toHaveLength(4);
  });
});

describe('what stands around a question', () => {
  const asked = (query: string): string[] =>
    queryTerms(query)
      .filter(({ weight }) => weight === 1)
      .map(({ phrase }) => phrase);

  it.each<[query: string, asked: string[]]>([
    ['Do you remember why the till jams?', ['till', 'jams']],
    ['Find the earlier conversation where we discussed this: why the till jams', ['till', 'jams']],
    [
      'I was going through our previous conversation about the till. Can you remind me why it jams?',
      ['till', 'jams'],
    ],
    ['why the till jams, give me all relevant details from previous sessions', ['till', 'jams']],
    ['I need some context on the till', ['till']],
    ['What do we already know about the till?', ['till']],
    ['do you know anything about the till', ['till']],
    ['what do cashiers know about the till', ['cashiers', 'know', 'till']],
    ['search your memory: till jams', ['till', 'jams']],
    ['what reminds him of the till', ['reminds', 'till']],
    ['remember-me cookie', ['remember-me', 'cookie']],
    ['look into the memory leak of the till', ['look', 'memory', 'leak', 'till']],
    ['does the previous session end in session.ts', ['session.ts', 'previous', 'end']],
    ['What did I say about the till?', ['till']],
    ['which till did the user ask for', ['till']],
    ["the user's preferences regarding the till", ['till']],
    ['how does the user like the till?', ['till']],
    ['user preferences in the till', ['user', 'preferences', 'till']],
    ['the user preferences table', ['user', 'preferences', 'table']],
    ['Can you find the session where we oiled the till?', ['oiled', 'till']],
    ['in which conversation did you oil the till', ['oil', 'till']],
    ['we had a chat about the till', ['till']],
    ['Do we have a decision on the till?', ['till']],
    ['do we have anything about the till', ['till']],
    ['is there something in your memory about the till', ['till']],
    ['what is known about the till', ['till']],
    ['What happened when I asked you to oil the till?', ['oil', 'till']],
    ['what went wrong when we tried to oil the till', ['oil', 'till']],
    ['what problems did we have with the till', ['till']],
    ["what's the status of the till", ['till']],
    ['where did we leave off with the till', ['till']],
    ['which files did we change for the till', ['till']],
    ['the last time we oiled the till', ['oiled', 'till']],
    ['list all the times you oiled the till', ['oiled', 'till']],
    ['a while ago we oiled the till', ['oiled', 'till']],
    ['give me a short summary of the till', ['till']],
    ['what is the session token of the till for', ['session', 'token', 'till']],
    ['which sessions of the till expire', ['sessions', 'till', 'expire']],
    ['which sessions were removed with the till', ['sessions', 'removed', 'till']],
    ['which session did we oil the till in', ['oil', 'till']],
    ['what is the status code of the till', ['status', 'code', 'till']],
    ['whose plan has ten tills', ['plan', 'ten', 'tills']],
    ['Erinnerst du dich an unser letztes Gespräch: warum klemmt die Kasse?', ['klemmt', 'kasse']],
    ['Tu te souviens de la dernière session ? la caisse est bloquée', ['caisse', 'bloquée']],
    ['Recuerdame de la ultima sesion: caja atascada', ['caja', 'atascada']],
    ['Помнишь, мы обсуждали это в прошлой сессии? касса не открывается', ['касса', 'открывается']],
    ['Önceki sohbetten hatırlat: kasa neden açılmıyor?'.normalize('NFD'), ['kasa', 'açılmıyor']],
    ['你还记得上次会话吗？收银机卡住', ['收银', '银机', '机卡', '卡住']],
    ['前回のセッションで話したことを覚えていますか？勘定', ['勘定']],
    ['지난 세션에서 이야기한 거 기억나? 금고', ['거', '금고']],
    ['la dernière session', ['dernière', 'session']],
    ['in previous sessions', ['previous', 'sessions']],
    ['what did we do in the last session', ['last', 'session']],
  ])('counts less: %j', (query, expected) => {
    expect(asked(query)).toEqual(expected);
  });

  it('is looked up all the same, as it may be what is asked about', () => {
    const terms = queryTerms('why does the shop forget carts in previous sessions');
    expect(terms.map(({ phrase, weight }) => [phrase, weight])).toEqual([
      ['shop', 1],
      ['forget', 1],
      ['carts', 1],
      ['previous', 0.2],
      ['sessions', 0.2],
    ]);
  });
});

describe('a question is in another language', () => {
  it.each([
    ['dove sono i file della configurazione', 'other'],
    ['warum ist die Kasse gesperrt', 'taught'],
    ['dónde están los archivos de la configuración', 'taught'],
    ['onde estão os arquivos da configuração', 'taught'],
    ['où sont les fichiers de la configuration', 'taught'],
  ])('by its stop words: %j', (query, language) => {
    expect(questionLanguage(query)).toBe(language);
  });

  it.each(['認証 エラー 修正', '收银机 卡住', 'касса зависла', 'JWT トークン 更新 失敗'])(
    'by its letters: %j',
    (query) => expect(questionLanguage(query)).toBe('other script'),
  );

  it.each(['γιατί αποτυγχάνει το docker build', 'ทำไมการทดสอบล้มเหลวใน docker', 'מדוע הבנייה נכשלת'])(
    'in a script that the built-in model was not taught: %j',
    (query) => expect(questionLanguage(query)).toBe('other'),
  );

  it.each(['why is the till locked', 'naïve till café', 'PostgreSQL migration エラー', 'E404', '…'])(
    'or else counts as English: %j',
    (query) => expect(questionLanguage(query)).toBe('English'),
  );

  it('by the part of it that is looked up', () => {
    const log = '認証エラー '.repeat(2_000);
    expect(questionLanguage(`${'till '.repeat(400)}${log}${' till'.repeat(400)}`)).toBe('English');
  });
});
