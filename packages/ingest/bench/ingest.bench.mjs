// node packages/ingest/bench/ingest.bench.mjs [FOLDER…]
// How fast transcripts become chunks, with redaction, token counts and everything SQLite writes. Without a folder it
// makes its own transcripts. The reference is reading the same files and parsing every line as JSON.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Store } from '@causantic/storage';
import { findTranscripts, ingestTree } from '@causantic/ingest';

const MADE_SESSIONS = 12;
const MADE_TURNS = 60;

/**
 * Sessions in the proportions of real ones: most bytes stand in fields that are not kept.
 *
 * @param {string} folder
 */
function makeTranscripts(folder) {
  mkdirSync(folder);
  const words = readFileSync(new URL(import.meta.url), 'utf8').split(/\s+/);
  const prose = (/** @type {number} */ count, /** @type {number} */ seed) =>
    Array.from({ length: count }, (_, n) => words[(seed * 31 + n * 7 + (n % 13)) % words.length]).join(' ');
  for (let session = 0; session < MADE_SESSIONS; session++) {
    const sessionId = `${String(session).padStart(8, '0')}-1111-4222-8333-444444444444`;
    const lines = /** @type {string[]} */ ([]);
    const add = (/** @type {string} */ type, /** @type {unknown} */ content, more = {}) =>
      lines.push(
        JSON.stringify({
          type,
          uuid: `${String(session).padStart(8, '0')}-${String(lines.length % 10000).padStart(4, '0')}-4000-8000-000000000000`,
          sessionId,
          cwd: '/home/ada/shop',
          gitBranch: 'main',
          timestamp: new Date(1.77e12 + lines.length * 1000).toISOString(),
          message: { id: `m${lines.length}`, role: type, content },
          ...more,
        }),
      );
    for (let turn = 0; turn < MADE_TURNS; turn++) {
      const seed = session * MADE_TURNS + turn;
      add('user', prose(60, seed));
      for (let step = 0; step < 8; step++) {
        const id = `t${seed}-${step}`;
        const input = {
          file_path: `src/${words[step]}.ts`,
          old_string: prose(20, step),
          new_string: prose(30, seed),
        };
        add('assistant', [{ type: 'text', text: prose(25, seed + step) }]);
        add('assistant', [
          {
            type: 'tool_use',
            id,
            name: step % 2 ? 'Edit' : 'Bash',
            input: step % 2 ? input : { command: prose(12, seed) },
          },
        ]);
        add('user', [{ type: 'tool_result', tool_use_id: id, content: prose(200, seed + step) }], {
          toolUseResult: { originalFile: prose(1000, seed) },
        });
      }
    }
    writeFileSync(join(folder, `${sessionId}.jsonl`), `${lines.join('\n')}\n`);
  }
}

/**
 * Megabytes a second of processor time: other programs on the machine do not count.
 *
 * @template {{ bytes: number }} T
 * @param {() => T} work
 */
function measured(work) {
  const before = process.cpuUsage();
  const started = performance.now();
  const result = work();
  const { user, system } = process.cpuUsage(before);
  const speeds = {
    megabytesPerCpuSecond: result.bytes / (user + system),
    megabytesPerSecond: result.bytes / 1e3 / (performance.now() - started),
  };
  return { result, speeds };
}

/** @param {readonly { path: string }[]} files */
function parseEverything(files) {
  let bytes = 0;
  for (const { path } of files) {
    const text = readFileSync(path, 'utf8');
    bytes += Buffer.byteLength(text);
    for (const line of text.split('\n')) if (line !== '') JSON.parse(line);
  }
  return { bytes };
}

const home = mkdtempSync(join(tmpdir(), 'ingest-bench-'));
try {
  const made = join(home, 'made');
  const roots = process.argv.slice(2);
  if (roots.length === 0) {
    makeTranscripts(made);
    roots.push(made);
  }
  let peakHeapBytes = 0;
  const onProgress = () => (peakHeapBytes = Math.max(peakHeapBytes, process.memoryUsage().heapUsed));
  const store = Store.open(join(home, 'memory.db'));
  const { result: report, speeds: ingest } = measured(() => ingestTree(store, roots, { onProgress }));
  const { speeds: again } = measured(() => ingestTree(store, roots));
  store.close();
  const { speeds: reference } = measured(() => parseEverything(findTranscripts(roots)));
  const rounded = (/** @type {Record<string, number>} */ speeds) =>
    Object.fromEntries(Object.entries(speeds).map(([name, value]) => [name, Number(value.toFixed(1))]));
  console.log(
    JSON.stringify(
      {
        benchmark: 'ingest',
        files: report.files,
        megabytes: Number((report.bytes / 1e6).toFixed(1)),
        chunks: report.chunks,
        ingest: rounded(ingest),
        unchanged: rounded(again),
        reference: { name: 'read and JSON.parse every line', ...rounded(reference) },
        ratioToReference: Number((ingest.megabytesPerCpuSecond / reference.megabytesPerCpuSecond).toFixed(3)),
        peakHeapMegabytes: Number((peakHeapBytes / 1e6).toFixed(0)),
        peakResidentMegabytes: Number((process.resourceUsage().maxRSS / 1024).toFixed(0)),
      },
      null,
      2,
    ),
  );
} finally {
  rmSync(home, { recursive: true, force: true });
}
