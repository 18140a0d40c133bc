/**
 * Measures the hooks from outside, on a memory of transcripts it makes: a session that starts, a prompt that memory
 * knows about, and a session of 5 MB that ends. Prints one JSON object.
 *
 *   node tools/bench/hooks.bench.mjs [--chunks 20000] [--starts 12]
 */
import { spawn } from 'node:child_process';
import { appendFileSync, copyFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Store } from '@causantic/storage';
import { runMeasured } from './measured-process.mjs';
import { causanticProgram, reindex, throwAwayFolder } from './programs.mjs';
import { millisecondsOf, quantiles, rounded } from './times.mjs';
import { makeTranscripts } from './transcripts.mjs';

const endingSessionBytes = 5_000_000;
const promptChars = 300;

const { values } = parseArgs({
  options: { chunks: { type: 'string', default: '20000' }, starts: { type: 'string', default: '12' } },
});
const folder = throwAwayFolder();
const code = join(folder, 'code');
console.log(JSON.stringify(await measure(Number(values.chunks), Number(values.starts)), null, 2));

/**
 * @param {number} chunks about as many
 * @param {number} starts
 */
async function measure(chunks, starts) {
  const home = join(folder, 'home');
  const transcripts = join(folder, 'transcripts');
  makeTranscripts(transcripts, { chunks, seed: 1, code });
  const { lastLine } = await reindex(home, transcripts);
  const ending = makeEndingSession();
  mkdirSync(ending.cwd, { recursive: true });
  const sessionStart = await measureHook('session-start', starts, () => ({
    home,
    input: { ...ending, session_id: 'new', transcript_path: join(folder, 'new.jsonl'), source: 'startup' },
  }));
  const claudeMd = await measureHook('claudemd-generator', starts, () => {
    // Without a block, which each run adds.
    writeFileSync(join(ending.cwd, 'CLAUDE.md'), '# Notes\n');
    return { home, input: ending };
  });
  let run = 0;
  const prompt = promptOfMemory(home, ending.cwd);
  const promptSubmit = await measureHook('prompt-submit', starts, () => ({
    home,
    // A session is shown a passage once.
    input: { ...ending, session_id: `new-${run++}`, prompt },
  }));
  const sessionEnd = await measureHook('session-end', Math.ceil(starts / 3), () => {
    // Each run reads the session anew, into a copy of the memory.
    const copy = join(folder, `home-${run++}`);
    mkdirSync(copy);
    copyFileSync(join(home, 'memory.db'), join(copy, 'memory.db'));
    return { home: copy, input: ending };
  });
  const bare = [];
  for (let start = 0; start < starts; start++)
    bare.push(await millisecondsOf(() => runMeasured(['-e', '0'], {}, { isTraced: false })));
  return {
    chunks: JSON.parse(lastLine).chunks,
    sessionStart,
    claudeMd,
    promptSubmit,
    sessionEnd: { megabytes: endingSessionBytes / 1e6, ...sessionEnd },
    reference: 'node -e 0, start to end',
    referenceMs: quantiles(bare),
    sessionStartTimesReference: rounded(sessionStart.fastestMs / Math.min(...bare)),
  };
}

/**
 * What was said before in a project, so that the hook has to go all the way.
 *
 * @param {string} home
 * @param {string} cwd
 */
function promptOfMemory(home, cwd) {
  const store = Store.open(join(home, 'memory.db'));
  const project = store.projects.list().find(({ path }) => path === cwd);
  const [said] = store.chunks.walk({ ...(project && { projectId: project.id }) }, 'newest');
  store.close();
  return (said?.text ?? '').slice(0, promptChars);
}

/** A session of the wanted size, of the same project as the others: 150 chunks a megabyte, as in real ones (100 to 260). */
function makeEndingSession() {
  const source = join(folder, 'source-of-ending');
  makeTranscripts(source, { chunks: 2_500, seed: 3, code });
  const path = join(folder, 'ending.jsonl');
  const [project = ''] = readdirSync(source);
  let bytes = 0;
  let cwd = '';
  for (const name of readdirSync(join(source, project))) {
    for (const line of readFileSync(join(source, project, name), 'utf8')
      .trimEnd()
      .split('\n')) {
      if (bytes >= endingSessionBytes) break;
      const record = { ...JSON.parse(line), sessionId: 'ending' };
      cwd = record.cwd;
      const text = `${JSON.stringify(record)}\n`;
      bytes += Buffer.byteLength(text);
      appendFileSync(path, text);
    }
  }
  return { session_id: 'ending', transcript_path: path, cwd, hook_event_name: 'SessionEnd' };
}

/**
 * @param {string} name
 * @param {number} runs
 * @param {() => { home: string, input: object }} prepare
 */
async function measureHook(name, runs, prepare) {
  const times = [];
  let message = '';
  for (let run = 0; run < runs; run++) {
    const { home, input } = prepare();
    times.push(await millisecondsOf(() => runHook(name, home, input)));
    message = JSON.parse(readFileSync(join(home, 'hook-status.json'), 'utf8'))[name].message;
  }
  return { runs, ...quantiles(times), fastestMs: rounded(Math.min(...times)), message };
}

/**
 * @param {string} name
 * @param {string} home
 * @param {object} input
 * @returns {Promise<void>}
 */
function runHook(name, home, input) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [causanticProgram, 'hook', name], {
      env: { ...process.env, CAUSANTIC_HOME: home },
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    child.stdin.end(JSON.stringify(input));
    child.on('error', reject);
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`${name} ended with ${code}`))));
  });
}
