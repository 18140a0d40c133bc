import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What ingest makes of one turn as written here, on the average; counted. */
const chunksPerTurn = 12.5;
const turnsPerSession = 40;
const stepsPerTurn = 8;
const projects = ['harbor-api', 'tidepool-web', 'lantern', 'quay-tools'];

/** About as many words as the sessions of some months hold. */
const vocabularySize = 30_000;
/** Those that questions leave out: in a language, the words that say nothing. */
const commonWords = 200;
const syllables = 'ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo yu zan ber cor del fin'.split(
  ' ',
);
const vocabulary = Array.from({ length: vocabularySize }, (_, rank) => wordOf(rank));

/** @param {number} rank */
function wordOf(rank) {
  let word = syllables[rank % syllables.length] ?? '';
  for (let left = Math.floor(rank / syllables.length); left > 0; left = Math.floor(left / syllables.length))
    word += syllables[left % syllables.length];
  return rank > commonWords && rank % 17 === 0
    ? `${word}${word.charAt(0).toUpperCase()}${word.slice(1)}`
    : word;
}

/**
 * The same numbers between 0 and 1 for the same seed (a linear congruential generator, Numerical Recipes' constants).
 *
 * @param {number} seed
 */
export function seededRandom(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * Words as often as in any text: the r-th most frequent about 1/r times as often as the first.
 *
 * @param {() => number} random
 * @param {number} count
 */
function prose(random, count) {
  return Array.from({ length: count }, () => vocabulary[Math.floor(vocabularySize ** random()) - 1]).join(
    ' ',
  );
}

/**
 * A question that names five things, frequent and rare ones.
 *
 * @param {() => number} random
 */
export function makeQuestion(random) {
  const ranks = Array.from({ length: 5 }, () => commonWords * (vocabularySize / commonWords) ** random());
  const [first, ...others] = ranks.map((rank) => vocabulary[Math.floor(rank)]);
  return `why did ${first} ${others.join(' ')} fail?`;
}

/**
 * Writes transcripts in the form of Claude Code, always the same for the same seed. As in real ones, most bytes
 * stand in fields that are not kept.
 *
 * @param {string} folder
 * @param {{ chunks: number, seed: number, code?: string }} options how many chunks they are to become, roughly, and where
 *   the projects are
 * @returns {{ files: number, bytes: number }}
 */
export function makeTranscripts(folder, { chunks, seed, code = '/home/mira/code' }) {
  const random = seededRandom(seed);
  const files = Math.max(1, Math.ceil(chunks / chunksPerTurn / turnsPerSession));
  let bytes = 0;
  for (let file = 0; file < files; file++) {
    const project = projects[file % projects.length] ?? '';
    const projectFolder = join(folder, `-home-mira-code-${project}`);
    mkdirSync(projectFolder, { recursive: true });
    const session = new SessionLines(`${seed}-${file}`, `${code}/${project}`, file);
    session.fileText = prose(random, 1300);
    for (let turn = 0; turn < turnsPerSession; turn++) addTurn(session, random);
    const text = `${session.lines.join('\n')}\n`;
    bytes += Buffer.byteLength(text);
    writeFileSync(join(projectFolder, `${session.id}.jsonl`), text);
  }
  return { files, bytes };
}

/**
 * @param {SessionLines} session
 * @param {() => number} random
 */
function addTurn(session, random) {
  session.add('user', prose(random, 40));
  for (let step = 0; step < stepsPerTurn; step++) {
    session.add('assistant', [{ type: 'text', text: prose(random, 30 + 40 * random()) }]);
    const id = `toolu_${session.lines.length}`;
    const path = `src/${vocabulary[Math.floor(vocabularySize ** random()) - 1]}.ts`;
    const call =
      step % 2 === 0 ? editCall(random, path) : { name: 'Bash', input: { command: prose(random, 10) } };
    session.add('assistant', [{ type: 'tool_use', id, ...call }]);
    session.add('user', [{ type: 'tool_result', tool_use_id: id, content: prose(random, 150) }], {
      toolUseResult: { filePath: path, originalFile: session.fileText },
    });
  }
  session.add('assistant', [{ type: 'text', text: prose(random, 120) }]);
}

/**
 * @param {() => number} random
 * @param {string} path
 */
function editCall(random, path) {
  const input = { file_path: path, old_string: prose(random, 20), new_string: prose(random, 30) };
  return { name: 'Edit', input };
}

/** The lines of one session, each with what Claude Code writes around a message. */
class SessionLines {
  /** @type {string[]} */
  lines = [];
  /** What stands in each edited file: recorded with every edit, and not kept. */
  fileText = '';
  /** @type {string | null} */
  #parent = null;

  /**
   * @param {string} name
   * @param {string} cwd
   * @param {number} day on which it was held
   */
  constructor(name, cwd, day) {
    this.name = name;
    this.id = uuidOf(name);
    this.cwd = cwd;
    this.startMs = Date.UTC(2026, 0, 5, 9) + day * 7_200_000;
  }

  /**
   * @param {'user' | 'assistant'} role
   * @param {unknown} content
   * @param {object} [more]
   */
  add(role, content, more = {}) {
    const uuid = uuidOf(`${this.name}/${this.lines.length}`);
    const timestamp = new Date(this.startMs + this.lines.length * 15_000).toISOString();
    const message = { id: `msg_${this.lines.length}`, role, content };
    const place = { parentUuid: this.#parent, isSidechain: false, cwd: this.cwd, sessionId: this.id };
    const about = { version: '2.1.52', gitBranch: 'main', type: role };
    this.lines.push(JSON.stringify({ ...place, ...about, message, uuid, timestamp, ...more }));
    this.#parent = uuid;
  }
}

/** @param {string} name */
function uuidOf(name) {
  const hex = createHash('sha256').update(name).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
