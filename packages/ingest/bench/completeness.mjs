// node packages/ingest/bench/completeness.mjs FOLDER…
// Is everything people and models said in these transcripts in the store, exactly once? Reads the files on its own,
// without the parser under test. Prints JSON; exits with 1 when a text is missing or stands there twice. Knows Claude Code, Codex,
// Gemini, Copilot, Qwen Code and version 1 of opencode; not what Spec Kit wrote out in Codex's first rollouts, nor the threads of Codex's
// app, of which the store has less, nor Cline.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { otherClientsTexts } from './other-clients.mjs';
import { Store } from '@causantic/storage';
import { findTranscripts, ingestTree } from '@causantic/ingest';

const TAGS =
  'system-reminder|ide_opened_file|ide_selection|local-command-stdout|local-command-stderr|local-command-caveat|task-notification|agent-notification|bash-notification|ci-monitor-event|cross-session-message|user-prompt-submit-hook|command-name|command-message|command-args|bash-stdout|bash-stderr|teammate-message|uploaded_files|context(?= ref=)';
const compact = (text) => text.replace(/\s+/g, '');

/** A note of the client's below a plan that the agent is to carry out. */
const PLAN_NOTE =
  /\s+If you need specific details from before exiting plan mode [^\n]*(?:\s+If this plan can be broken down [^\n]*)?(?=$|\n\nUser feedback)/;

/** What newer versions frame: what was pasted, and what a script or a fork's caller asks an agent for. */
const PASTE_TAG = /<\/?pasted_content id="[^"]+">\n?/g;
const TASK_FRAME =
  /^(?:\[Workflow harness — computed task\].*|<fork-boilerplate>[^]*<\/fork-boilerplate>\s*Your directive: )/;

/** What a person typed in refusing a call. */
const REFUSAL =
  /^(?:The user doesn't want to|Permission for this tool use was denied)[^]*? [Tt]he user said:\s*\n(?!The user wants to clarify these)([^]*?)(?:\n\nNote: The user's next message[^]*)?$/;

/** What of a user's text a person typed. */
function typed(given) {
  const text = given.replace(PLAN_NOTE, '').replace(PASTE_TAG, '').replace(TASK_FRAME, '');
  const shell = /^<bash-input>([\s\S]*)<\/bash-input>$/.exec(text)?.[1];
  if (shell) return [`! ${shell}`];
  if (
    /^\s*(Caveat: The messages below|\[Request interrupted by user|Operation stopped by hook: |Unknown (?:skill|slash command): \S+$|Commands are in the form `)/.test(
      text,
    )
  )
    return [];
  const args = /<command-args>([\s\S]*?)<\/command-args>/.exec(text)?.[1].trim();
  const name = /<command-name>([\s\S]*?)<\/command-name>/.exec(text)?.[1].trim();
  const isForAgent = /^\s*<command-message>/.test(text);
  if (name) return args || isForAgent ? [`${name} ${args ?? ''}`] : [];
  const report = /<task-notification>[\s\S]*<result>([\s\S]*)<\/result>/.exec(text)?.[1];
  if (report) return [/[<>]/.test(report) ? report : withoutEntities(report)];
  if (/^\s*<task-notification>/.test(text)) return [];
  const rest = text.replace(new RegExp(`^(\\s*<(${TAGS})[^>]*>[\\s\\S]*?</\\2>)+`), '');
  return rest.split(/<system-reminder>[\s\S]*?<\/system-reminder>/);
}

/** Newer versions of the client write reports of agents so; the last of the three may itself be written out. */
function withoutEntities(text) {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

function blocks(content) {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return (Array.isArray(content) ? content : []).filter((block) => block && typeof block === 'object');
}

function saidIn(record) {
  const all = blocks(record.message?.content);
  const texts = all
    .filter((block) => block.type === 'text' && typeof block.text === 'string')
    .map((b) => b.text);
  // The command itself follows behind its summary.
  if (record.type === 'user' && !record.promptSource && /^\/compact\b/.test(texts[0])) return [];
  if (record.type === 'assistant')
    return record.isApiErrorMessage || isClients(record, texts)
      ? []
      : texts.filter((text) => text !== '(no content)');
  const media = all.filter((block) => block.type === 'image').map(() => '[image]');
  const documents = all
    .filter((block) => block.type === 'document')
    .map(({ title }) => `[document${title ? ` ${title}` : ''}]`);
  const reasons = all.flatMap(({ is_error, content }) => (is_error && REFUSAL.exec(content)?.[1]) || []);
  return record.isMeta || record.isCompactSummary
    ? []
    : [...reasons, ...texts.flatMap(typed), ...media, ...documents];
}

/** In this name, the client also notes what there was of an answer that was broken off. */
function isClients({ message, isApiErrorMessage }, [text]) {
  return (
    message?.model === '<synthetic>' && (isApiErrorMessage !== false || text === 'No response requested.')
  );
}

const isPrompt = (record) =>
  record.type === 'user' &&
  !record.isMeta &&
  !record.isSidechain &&
  !record.isCompactSummary &&
  blocks(record.message?.content).some((block) => block.type === 'text' && isHumanOrCommand(block.text));
const isHumanOrCommand = (text) =>
  (typed(text).some((part) => part.trim()) && !text.includes('<task-notification>')) ||
  /^\s*<(command-|ide_)/.test(text);

/** Texts of one file in order, without what a rewind replaced. */
function textsOf(path, seen) {
  const others = otherClientsTexts(path, seen);
  if (others) return others.map(compact).filter(Boolean);
  const texts = [];
  const warmups = new Set();
  const promptsByParent = new Map();
  const idsOfSaid = new Map();
  const queue = { waiting: [], told: [] };
  for (const given of readFileSync(path, 'utf8')
    .replace(/^\uFEFF/, '')
    .split('\n')
    .flatMap(recordsIn)) {
    let record = given;
    if (record.type === 'progress' && record.data?.type === 'agent_progress')
      record = record.data.message ?? {};
    else if (record.type === 'attachment') record = queued(record);
    else if (record.type === 'queue-operation') record = toldFromQueue(record, queue);
    if (isToldAlready(record, queue) || isOfWarmup(record, warmups)) continue;
    if (record?.type !== 'user' && record?.type !== 'assistant') continue;
    if (record.uuid && seen.has(record.uuid)) continue;
    if (record.uuid) seen.add(record.uuid);
    record = withoutReplayed(record, idsOfSaid);
    if (isPrompt(record) && record.parentUuid) {
      const before = promptsByParent.get(record.parentUuid);
      if (before !== undefined) texts.length = before;
      else promptsByParent.set(record.parentUuid, texts.length);
    }
    texts.push(
      ...saidIn(record)
        .map((text) => compact(text))
        .filter(Boolean),
    );
  }
  return texts;
}

/** Of an agent that is only to warm the client up, in the session's file. */
function isOfWarmup(record, warmups) {
  const begins = record?.parentUuid === null && record.message?.content === 'Warmup';
  const isOne = record?.isSidechain === true && (begins || warmups.has(record.parentUuid));
  if (isOne) warmups.add(record.uuid);
  return isOne;
}

/** The objects in a line, between which the client may have left out the line break. */
function recordsIn(line) {
  for (let at = line.length; at > 0; at = line.lastIndexOf('}{', at - 2) + 1) {
    const record = objectIn(line.slice(0, at));
    if (record) return [record, ...recordsIn(line.slice(at))];
  }
  return [];
}

function objectIn(text) {
  try {
    const value = JSON.parse(text);
    return value && typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

/** Some versions of the client write a session once more into the same file: block by block, under new ids, at the old times. */
function withoutReplayed(record, idsOfSaid) {
  const { uuid, timestamp, message } = record;
  if (!uuid || !timestamp || !message) return record;
  const content = blocks(message.content).filter((block) => {
    const said = JSON.stringify([timestamp, message.role, block]);
    if (!idsOfSaid.has(said)) idsOfSaid.set(said, uuid);
    return idsOfSaid.get(said) === uuid;
  });
  return { ...record, message: { ...message, content } };
}

function queued(record) {
  const { type, prompt } = record.attachment ?? {};
  return type === 'queued_command' ? { ...record, type: 'user', message: { content: prompt } } : null;
}

/** A prompt of which older versions note only that it was put into a queue and taken out for the agent. */
function toldFromQueue({ operation, content }, queue) {
  if (
    operation === 'enqueue' &&
    typeof content === 'string' &&
    typed(content).join('').trim() &&
    !/^\s*(\/|\{"task_id")/.test(content)
  )
    queue.waiting.push(content);
  if (operation === 'popAll') queue.waiting = [];
  if (operation !== 'remove' || content || queue.waiting.length === 0) return null;
  queue.told.push(queue.waiting[0]);
  return { type: 'user', message: { content: queue.waiting.shift() } };
}

/** Takes what stands in a record of its own out of the queue. */
function isToldAlready(record, { waiting, told }) {
  if (record?.type !== 'user' || !record.uuid) return false;
  const text = blocks(record.message?.content).find((block) => block.type === 'text')?.text;
  if (waiting.includes(text)) waiting.splice(waiting.indexOf(text), 1);
  if (!told.includes(text)) return false;
  told.splice(told.indexOf(text), 1);
  return true;
}

/** Everything said that is stored, in order, one string a transcript. */
function stored(store) {
  const byTranscript = new Map();
  for (const chunk of store.chunks.walk({}, 'oldest')) {
    if (chunk.kind !== 'dialogue') continue;
    const list = byTranscript.get(chunk.transcriptId) ?? [];
    list.push([chunk.seq, chunk]);
    byTranscript.set(chunk.transcriptId, list);
  }
  return [...byTranscript.values()].map((list) =>
    list
      .sort((a, b) => a[0] - b[0])
      .map(([, chunk]) =>
        chunk.spans
          .filter((span) => span.speaker === 'user' || span.speaker === 'assistant')
          // What a person chose when asked is a person's, too, but stands in the result of a call.
          .filter((span) => !chunk.text.endsWith('→ ', span.start))
          .map((span) => compact(chunk.text.slice(span.start, span.end)))
          .join(''),
      )
      .join(''),
  );
}

function occurrences(haystack, needle) {
  let count = 0;
  for (let at = haystack.indexOf(needle); at !== -1; at = haystack.indexOf(needle, at + needle.length))
    count++;
  return count;
}

const MARK = '[REDACTED:';
/** So many characters around a secret say where it stands. */
const CONTEXT_CHARS = 20;

/** A text as it is stored with marks for its secrets; null where it is not. */
function redactedForm(all, text) {
  const begin = text.slice(0, CONTEXT_CHARS);
  for (let at = all.indexOf(begin); at !== -1; at = all.indexOf(begin, at + 1)) {
    const end = endOfRedacted(all, at, text);
    const stored = all.slice(at, end);
    if (end !== -1 && stored !== text) return stored;
  }
  return null;
}

/** Where a text that begins at a place ends, if all but what marks stand for is there, letter by letter; else -1. */
function endOfRedacted(all, begin, text) {
  let at = begin;
  for (let i = 0; i < text.length;) {
    if (text[i] === all[at] && !all.startsWith(MARK, at)) {
      i++;
      at++;
    } else {
      if (!all.startsWith(MARK, at)) return -1;
      at = all.indexOf(']', at) + 1;
      // Another mark may begin there.
      const [behind] = all.slice(at, at + CONTEXT_CHARS).split(MARK.slice(0, 2));
      i = text.indexOf(behind, i);
      if (i === -1) return -1;
    }
  }
  return at;
}

const roots = process.argv.slice(2);
const home = mkdtempSync(join(tmpdir(), 'completeness-'));
const store = Store.open(join(home, 'memory.db'));
try {
  const report = ingestTree(store, roots);
  const seen = new Set();
  const expected = findTranscripts(roots).flatMap(({ path }) => textsOf(path, seen));
  const all = stored(store).join('\n');
  const counts = new Map();
  for (const text of expected) counts.set(text, (counts.get(text) ?? 0) + 1);
  const notFound = [...counts].filter(([text, count]) => occurrences(all, text) < count);
  const redactedForms = notFound.map(([text]) => redactedForm(all, text));
  const missing = notFound.filter((_, i) => redactedForms[i] === null);
  const expectedChars =
    expected.reduce((sum, text) => sum + text.length, 0) +
    notFound.reduce((sum, [text], i) => sum + (redactedForms[i] ?? text).length - text.length, 0);
  const storedChars = all.replaceAll('\n', '').length;
  console.log(
    JSON.stringify(
      {
        files: report.files,
        texts: expected.length,
        found: expected.length - notFound.length,
        foundRedacted: notFound.length - missing.length,
        missing: missing.length,
        examples: missing.slice(0, 10).map(([text]) => text.slice(0, 120)),
        expectedChars,
        storedChars,
        redactionsInSaid: occurrences(all, MARK),
        issues: report.issues.length,
        redactions: report.redactions,
        turns: report.turns,
        chunks: report.chunks,
        copiedRecords: report.copiedRecords,
        seconds: Number(report.seconds.toFixed(2)),
        megabytesPerSecond: Number((report.bytes / 1e6 / report.seconds).toFixed(1)),
      },
      null,
      2,
    ),
  );
  process.exitCode = missing.length === 0 && storedChars === expectedChars ? 0 : 1;
} finally {
  store.close();
  rmSync(home, { recursive: true, force: true });
}
