// Reads the texts of Codex's messages, and tells what a person typed from what the client put beside it.
import { element } from '../../text/elements.js';
import { textHash } from '../../text/text-hash.js';
import {
  type JsonObject,
  isObject,
  jsonIn,
  jsonValue,
  listOf,
  objectOf,
  stringOf,
} from '../../transcripts/records.js';
import { specKitCommand } from './spec-kit.js';

/** What stands around an image in a message's content; the image itself is marked. */
const IMAGE_FRAME = /^\s*<\/?image\b[^>]*>\s*$/;

/** The texts in a message's or a result's content, one an entry; images as marks. */
export function contentTexts(content: unknown): string[] {
  if (typeof content === 'string') return [content];
  return listOf(content)
    .filter(isObject)
    .map(blockText)
    .filter((text) => text.trim() !== '');
}

function blockText(block: JsonObject): string {
  if (block['type'] === 'input_image' || block['type'] === 'image') return '[image]';
  const text = stringOf(block['text']) ?? '';
  return IMAGE_FRAME.test(text) ? '' : text;
}

/** A text in a user's message; since autumn 2026 Codex says of what kind it is, as `user.text`. */
export interface UserText {
  text: string;
  /** Empty where nothing tells it. */
  kind: string;
}

export function userTexts(item: JsonObject): UserText[] {
  const content = stringOf(item['content']);
  const blocks = content === null ? listOf(item['content']) : [{ text: content }];
  const kinds = listOf(objectOf(item['internal_chat_message_metadata_passthrough'])['content_item_kinds']);
  const areOfAll = kinds.length === blocks.length;
  return blocks
    .map((block, at) => ({
      text: isObject(block) ? blockText(block) : '',
      kind: areOfAll ? (stringOf(kinds[at]) ?? '') : '',
    }))
    .filter(({ text }) => text.trim() !== '');
}

/** Of a kind that a person gave; what a person pastes may be in tags, too. */
export function isPersons({ kind }: UserText): boolean {
  return /^user\.(?!goal\b|heartbeat\b)/.test(kind);
}

/** A message's text as one. */
export function messageText(content: unknown): string {
  return contentTexts(content).join('\n');
}

/** The working folder in an `<environment_context>`; null where the text holds none. */
export function folderInContext(text: string): string | null {
  if (!text.includes('<environment_context>')) return null;
  return (
    (/<cwd>([^<]+)<\/cwd>/.exec(text)?.[1] ?? /^Current working directory: (.+)$/m.exec(text)?.[1])?.trim() ??
    null
  );
}

const AGENTS_FILE = /^\s*(?:# AGENTS\.md instructions\b|<INSTRUCTIONS>)/;
/** So much of a guide tells it from others. */
const BEGIN_OF_GUIDE_CHARS = 300;

/** Stands for what an `AGENTS.md` says; null where a text holds none, or one too short to be told from others. */
export function guideIn(text: string): string | null {
  const guide = AGENTS_FILE.test(text) ? element(text, 'INSTRUCTIONS') : null;
  return guide === null ? null : guideHash(guide);
}

/** The same, of a text that may be such a guide. */
export function guideHash(text: string): string | null {
  const begin = text.trim().slice(0, BEGIN_OF_GUIDE_CHARS);
  return begin.length < BEGIN_OF_GUIDE_CHARS ? null : textHash(begin);
}

const OPEN_TAG = /^\s*<([a-z][\w.:-]*)(?:\s[^>]*)?>/;
/** What earlier versions told the model in a person's place, without a tag. */
const WARNING =
  /^\s*Warning: (?:apply_patch was requested via [^\n]*Use the apply_patch tool instead of exec_command\.\s*$|The maximum number of unified exec processes you can keep open is|Your account was flagged for potentially high-risk cyber activity)/;

/** What a schedule asks for, each time; its event says the same as its item. */
const SCHEDULED = /^\s*<heartbeat>[^]*<\/heartbeat>\s*$/;

export function isScheduled(text: string): boolean {
  return SCHEDULED.test(text);
}

/** What a person asked for by voice, with what was spoken before. */
const SPOKEN = /^\s*<realtime_delegation>\s*<input>/;
const ESCAPES: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

function spokenIn(text: string): string | null {
  const start = SPOKEN.exec(text)?.[0].length;
  const end = text.indexOf('</input>', start);
  const isSpoken = start !== undefined && end !== -1 && text.trimEnd().endsWith('</realtime_delegation>');
  return isSpoken ? text.slice(start, end) : null;
}

/** A request without the frame that voice puts around it. */
export function withoutFrame(text: string): string {
  const spoken = spokenIn(text);
  return spoken === null ? text : unescaped(spoken);
}

function unescaped(text: string): string {
  return text.replace(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => ESCAPES[name]!);
}

/** What another thread of the desktop app asks for; null for any other text. */
export function delegationIn(text: string): string | null {
  const isOne = /^\s*<codex_delegation>[^]*<\/codex_delegation>\s*$/.test(text);
  const input = isOne ? element(text, 'input') : null;
  return input === null ? null : unescaped(input);
}

/** What a person answers to a question that the agent did not wait for; the app repeats the question. */
const REPLIES = /^\s*<send_user_message_question_reply>([^]*)<\/send_user_message_question_reply>\s*$/;

/** Such questions and what a person said to them; null for any other text. */
function repliesIn(text: string): { questions: string; answers: string } | null {
  const body = REPLIES.exec(text)?.[1];
  if (body === undefined) return null;
  const replies = [jsonValue(body)].flat().filter(isObject);
  const all = (key: string): string => replies.flatMap((reply) => stringOf(reply[key]) ?? []).join('\n');
  return all('answer') === '' ? null : { questions: all('question'), answers: all('answer') };
}

/** Sections that an editor or the desktop app puts before a request. */
const SECTIONS = [
  'Context from my IDE setup',
  '(?:Files|Applications) mentioned by the user',
  'Files pasted by the user',
  'In app browser',
  'Chrome tabs',
  'MCP app context',
  'Worktree instructions',
  'Review findings',
  'Response annotations',
  'Failing PR checks',
  'Pull request (?:fix|merge conflict|merge task)',
  'Auto resolve merge',
  'Code review guidelines',
  '(?:Prior conversation|Referenced chats) with Codex',
  'Referenced ChatGPT conversation',
];
const CONTEXT = new RegExp(
  `^((?:\\s|\\[image\\])*)((?:##? (?:${SECTIONS.join('|')}):|<in-app-browser-context\\b)[^]*?\\n)## My request(?: for Codex)?:`,
);
/** An editor in which nothing is open (0.48). */
const NO_CONTEXT = /^\s*## My request for Codex:\n/;
/** Sections of it that hold what the person wrote beside a page or a change. */
const COMMENTS = /^# (?:Browser comments|Diff comments|Selected text):/m;

/** What a person typed, and what the client put before it; `context` is empty where it put nothing. */
export function requestIn(text: string): { context: string; request: string } {
  const [all, before = '', context = ''] = CONTEXT.exec(text) ?? NO_CONTEXT.exec(text) ?? [''];
  if (all === '' || COMMENTS.test(context)) return typedIn(text, '');
  const behind = text.slice(all.length).trim();
  const request = [before.trim(), annotationsIn(context), behind || pastedIn(context)];
  return typedIn(request.filter(Boolean).join('\n'), context.trim());
}

/** What a person wrote beside passages of an answer, each below its passage. */
function annotationsIn(context: string): string {
  return listOf(jsonValue(element(context, 'response-annotations') ?? ''))
    .filter(isObject)
    .flatMap((one) => {
      const note = stringOf(one['annotation']);
      return note ? [`> ${(stringOf(one['text']) ?? '').replace(/\s+/g, ' ')}\n${note}`] : [];
    })
    .join('\n');
}

/** What is left of a request that was pasted as a file: how it begins. */
function pastedIn(context: string): string {
  const at = context.indexOf('# Files pasted by the user:');
  const found = at === -1 ? [] : context.slice(at).matchAll(/^## "(.*)": \S.*$/gm);
  return [...found].map(([, begin]) => begin!).join('\n');
}

/** What Codex makes of `/init`. */
const INIT =
  /^Generate a file named AGENTS\.md that serves as a contributor guide for this repository\.\nYour goal is to produce a clear, concise, /;
/** What it says for a person who lets the plan above be carried out, and repeats that plan behind: of it, the title tells which. */
const PLAN = /^(PLEASE IMPLEMENT THIS PLAN:)\n(?:\s{0,3}#{1,6} ([^\n]{1,200}))?/;
/** What apps that run Codex, as Conductor, put before a prompt, and the desktop app before one that it gives by a schedule. */
const HOST =
  /^(?:\s*<(system[_-]instruction)>[^]*?<\/\1>)+\s*|^Automation: [^\n]*\nAutomation ID: [^\n]*\n(?:(?:Automation memory|Last run): [^\n]*\n)*\s*/;

/** Where the client wrote out what a person asked or answered: what they typed, and all of the rest before it. */
function typedIn(given: string, before: string): { context: string; request: string } {
  const [host = ''] = HOST.exec(given) ?? [];
  const request = given.slice(host.length);
  const context = joined(before, host.trim());
  const replies = repliesIn(request);
  if (replies) return { context: joined(context, replies.questions), request: replies.answers };
  const typed = INIT.test(request)
    ? '/init'
    : (specKitCommand(request) ?? PLAN.exec(request)?.slice(1).filter(Boolean).join(' '));
  if (typed === undefined) return { context, request };
  return { context: joined(context, request.trim()), request: typed.trim() };
}

function joined(...parts: string[]): string {
  return parts.filter(Boolean).join('\n\n');
}

const CITATION = '<oai-mem-citation>';
const CITATION_END = '</oai-mem-citation>';
const GIT_LINE = /^(?:\s*::git-[a-z-]+\{[^{}\n]*\})+\s*$/;

/** What stands below an answer for the app alone: what was done with git, and which notes were drawn on. */
export function answerIn(text: string): { said: string; forApp: string } {
  let said = text.trimEnd();
  for (;;) {
    const isCitation = said.endsWith(CITATION_END);
    const at = isCitation ? said.lastIndexOf(CITATION) : said.lastIndexOf('\n') + 1;
    if (at === -1 || !(isCitation || GIT_LINE.test(said.slice(at)))) break;
    said = said.slice(0, at).trimEnd();
  }
  return { said, forApp: text.slice(said.length).trim() };
}

/** A stretch of a user's message, by who put it there. */
export type UserPart =
  | { type: 'typed'; text: string }
  | { type: 'injected'; text: string }
  /** A command that the person ran in the terminal, with what it wrote. */
  | { type: 'command'; text: string; output: string }
  /** Another thread's request. */
  | { type: 'delegation'; text: string }
  /** A sub-agent's last message. */
  | { type: 'report'; agentId: string; text: string };

/** What a text in a user's message is. Of what the app sends itself, Codex says that a person gave it. */
export function userPart(given: UserText): UserPart {
  const { text, kind } = given;
  if (spokenIn(text) !== null || repliesIn(text) !== null) return { type: 'typed', text };
  const delegation = delegationIn(text);
  if (delegation !== null) return { type: 'delegation', text: delegation };
  if (isScheduled(text)) return { type: 'injected', text };
  if (isPersons(given)) return { type: 'typed', text };
  const part = partByTag(text);
  const isNoPersons = part.type === 'typed' && kind !== '' && kind !== 'unknown';
  return isNoPersons ? { type: 'injected', text } : part;
}

/** Codex wraps all that it adds in one tag. */
function partByTag(text: string): UserPart {
  if (AGENTS_FILE.test(text) || WARNING.test(text)) return { type: 'injected', text };
  const tag = OPEN_TAG.exec(text)?.[1];
  if (tag === undefined || !text.trimEnd().endsWith(`</${tag}>`)) return { type: 'typed', text };
  if (tag === 'user_shell_command') return shellCommand(text);
  if (tag === 'subagent_notification') return report(text);
  return { type: 'injected', text };
}

function shellCommand(text: string): UserPart {
  const end = text.indexOf('</command>');
  const command = end === -1 ? null : element(text.slice(0, end), 'command');
  return command === null
    ? { type: 'injected', text }
    : { type: 'command', text: `! ${command}`, output: element(text.slice(end), 'result') ?? '' };
}

function report(text: string): UserPart {
  const notice = jsonIn(text.slice(text.indexOf('>') + 1, text.lastIndexOf('<')));
  const agentId = stringOf(notice?.['agent_id']) ?? stringOf(notice?.['agent_path']);
  const status = notice?.['status'];
  const said = isObject(status)
    ? Object.values(status).find((value) => typeof value === 'string')
    : undefined;
  return agentId === null || typeof said !== 'string'
    ? { type: 'injected', text }
    : { type: 'report', agentId, text: said };
}

const MESSAGE_HEADER = /^Message Type: (\w+)\n(?:(?:Task name|Sender|Recipient): [^\n]*\n)*Payload:\n?/;

/** What one agent wrote to another, and whether it is a task; empty where it is for the model's service alone to read. */
export function agentMessage(item: JsonObject): { isTask: boolean; text: string } {
  const blocks = listOf(item['content']).filter(isObject);
  const all =
    stringOf(item['content']) ??
    blocks.map((block) => plainPayload(block['encrypted_content']) ?? blockText(block)).join('\n');
  const [header = '', kind] = MESSAGE_HEADER.exec(all) ?? [];
  return { isTask: kind === 'NEW_TASK', text: all.slice(header.length).trim() };
}

/** What stands where a service puts what it has encrypted; other services leave it as it is. */
function plainPayload(text: unknown): string | null {
  return typeof text === 'string' && !isEncrypted(text) ? text : null;
}

export function isEncrypted(text: string): boolean {
  return /^gAAAAA[\w-]{40,}={0,2}$/.test(text);
}
