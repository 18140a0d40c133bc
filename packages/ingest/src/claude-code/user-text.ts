import { untilLastReminder } from '../reminders.js';
import { withoutHandBackFrame } from './result-notes.js';

/** A stretch of a user record's text, by what it really is. */
export type UserTextPart =
  | { type: 'prompt'; text: string }
  /** Put there by the client. `withPrompt`: context of the prompt that follows (an open file, a selection). */
  | { type: 'injected'; text: string; withPrompt: boolean }
  /** A slash command: its name and what the person typed behind it. The client does some itself, as `/clear`. */
  | { type: 'command'; name: string; args: string; isForAgent: boolean }
  | { type: 'message'; from: string; text: string }
  | { type: 'report'; taskId: string | null; toolUseId: string | null; summary: string; text: string };

/** Tags the client writes around what no person typed. Any other tag is a person's own text. */
const INJECTED_TAGS = [
  'system-reminder',
  'ide_opened_file',
  'ide_selection',
  'ide_diagnostics',
  'local-command-stdout',
  'local-command-stderr',
  'local-command-caveat',
  'bash-stdout',
  'bash-stderr',
  'task-notification',
  'ci-monitor-event',
  'user-prompt-submit-hook',
  'user-memory-input',
  'session-start-hook',
  'post-tool-use-hook',
  'new-diagnostics',
  'command-contents',
  'persisted-output',
  'fork-boilerplate',
  'teammate-message',
  'agent-message',
  'cross-session-message',
  'channel(?=\\s+source=)',
  'command-name',
  'command-message',
  'command-args',
  'bash-input',
];

const TAG = new RegExp(`<(${INJECTED_TAGS.join('|')})(\\s[^>]*)?>`);
const LEADING_TAG = new RegExp(`^\\s*${TAG.source}`);

/** Does a text begin with a tag of the client's? */
export function isTagged(text: string): boolean {
  return LEADING_TAG.test(text);
}

/** Texts of the client without a tag. */
const INJECTED_TEXT =
  /^\s*(?:Caveat: The messages below|\[Request interrupted by user|\[Cross-session [a-z]+ notice\])/;

/** Of a command that it does itself, the client writes the name first. */
const FOR_AGENT = /^\s*<command-message>/;

/** Context that an editor attaches to the prompt in the same or the next record. */
const WITH_PROMPT = /^ide_/;

/** What the client writes above and below what another session or agent says. */
const ABOVE_MESSAGE =
  /^\s*(?:Another Claude session|A peer session|The coordinator) sent a message(?: while you were working)?:\s*/;
const BELOW_MESSAGE =
  /\n(?:This (?:came|is) from another Claude session\b|That "other Claude session" is an agent\b|IMPORTANT: This is NOT from your user\b)[^]*$/;
const MESSAGE = /^\s*<(?:teammate|agent|cross-session)-message[\s>]/;

/** Who speaks, where nothing names them. */
export const ANOTHER_SESSION = 'another session';

/** What a session is called; its address on this machine is no name. */
export function sessionName(name: string | null): string {
  return name === null || name.startsWith('uds:') ? ANOTHER_SESSION : name;
}

/** The words of another session or agent, without what stands around them; null for any other text. */
function messageIn(text: string, isAgents: boolean): string | null {
  const below = text.replace(ABOVE_MESSAGE, '');
  const message = below.replace(BELOW_MESSAGE, '');
  const isFramed = MESSAGE.test(below) || (below !== text && message !== below);
  return isAgents || isFramed ? message : null;
}

const NOTE_START = '\nIf you need specific details from before ';
const TRANSCRIPT_NOTE =
  /^[^\n]{1,200}, read the full transcript at: [^\n]+(?:\s*\nRecent messages are preserved verbatim\.)?(?:\s*\n(?:Please c|C)ontinue the conversation from where [^\n]*)?\s*$/;

/** A text without what the client adds for the model to a plan to be carried out, and to a summary. */
export function withoutTranscriptNote(text: string): string {
  const at = text.lastIndexOf(NOTE_START);
  const isNote = at !== -1 && TRANSCRIPT_NOTE.test(text.slice(at + NOTE_START.length));
  return isNote ? text.slice(0, at).trimEnd() : text;
}

/**
 * Take a user record's text apart: what the person typed, what the client added. Nothing is lost or reordered.
 * @param isAgents whether the client notes that another session or agent wrote it
 */
export function splitUserText(text: string, isAgents = false): UserTextPart[] {
  if (INJECTED_TEXT.test(text)) return [{ type: 'injected', text, withPrompt: false }];
  const message = messageIn(text, isAgents);
  const parts: UserTextPart[] = [];
  const command = { name: '', args: '' };
  let rest = message ?? text;
  for (let tag = LEADING_TAG.exec(rest); tag; tag = LEADING_TAG.exec(rest)) {
    const [name, attributes] = [tag[1]!, tag[2] ?? ''];
    const close = rest.indexOf(`</${name}>`, tag[0].length);
    const inner = rest.slice(tag[0].length, close === -1 ? undefined : close);
    rest = close === -1 ? '' : rest.slice(close + name.length + 3);
    if (name === 'command-name') command.name = inner.trim();
    else if (name === 'command-args') command.args = inner.trim();
    else if (name !== 'command-message') parts.push(taggedPart(name, attributes, inner));
  }
  const isForAgent = FOR_AGENT.test(text) && command.name.startsWith('/');
  if (command.name || command.args) parts.unshift({ type: 'command', ...command, isForAgent });
  if (message !== null && parts.length === 0) return [said(ANOTHER_SESSION, rest)];
  const isNotice = message !== null || text.trimStart().startsWith('<task-notification>');
  parts.push(...(isNotice ? injectedRest(rest) : splitTyped(rest)));
  return parts;
}

function said(from: string, text: string): UserTextPart {
  return { type: 'message', from, text: withoutHandBackFrame(text.trim()) };
}

/** The client adds where the full output lies. */
function injectedRest(text: string): UserTextPart[] {
  return text.trim() === '' ? [] : [{ type: 'injected', text: text.trim(), withPrompt: false }];
}

/** A channel tells who wrote in which chat; a machine's tells neither. */
const PERSON = /\s(?:chat_id|user|username|person|sender)=/;

function taggedPart(tag: string, attributes: string, inner: string): UserTextPart {
  switch (tag) {
    case 'bash-input':
      return { type: 'prompt', text: `! ${inner.trim()}` };
    case 'user-memory-input':
      return { type: 'prompt', text: `# ${inner.trim()}` };
    case 'teammate-message':
      return said(attribute(attributes, 'teammate_id') ?? 'teammate', inner);
    case 'agent-message':
    case 'cross-session-message':
      return said(sessionName(attribute(attributes, 'from-name') ?? attribute(attributes, 'from')), inner);
    case 'channel':
      return PERSON.test(attributes)
        ? { type: 'prompt', text: inner.trim() }
        : { type: 'injected', text: inner.trim(), withPrompt: false };
    case 'task-notification':
      return notificationPart(inner);
    default:
      return { type: 'injected', text: inner.trim(), withPrompt: WITH_PROMPT.test(tag) };
  }
}

/** The notice that a background task ended; a sub-agent's carries its report. */
function notificationPart(inner: string): UserTextPart {
  const report = element(inner, 'result');
  if (report === null) return { type: 'injected', text: inner.trim(), withPrompt: false };
  return {
    type: 'report',
    taskId: element(inner, 'task-id'),
    toolUseId: element(inner, 'tool-use-id'),
    summary: element(inner, 'summary') ?? '',
    text: withoutHandBackFrame(report),
  };
}

const REMINDER = '<system-reminder>';
/** What a person made private stays whole, whatever the client put into its midst: half of it has no tag. */
const REMINDER_OR_PRIVATE =
  /<system-reminder>[\s\S]*?<\/system-reminder>|<private>[\s\S]*?(?:<\/private>|$)/gi;

/** Typed text, with reminders taken out that the client put in or behind it. */
function splitTyped(text: string): UserTextPart[] {
  const found = [...untilLastReminder(text).matchAll(REMINDER_OR_PRIVATE)];
  const reminders = found.filter(([part]) => part.startsWith(REMINDER));
  const cuts = reminders.flatMap(({ 0: found, index }) => [index, index + found.length]);
  return [0, ...cuts]
    .map((start, at) => text.slice(start, cuts[at]).trim())
    .filter((piece) => piece !== '')
    .map((piece) =>
      piece.startsWith(REMINDER)
        ? { type: 'injected', text: piece, withPrompt: false }
        : { type: 'prompt', text: piece },
    );
}

/** The text of the first `<name>` element; a result may itself hold markup, so it ends at the last closing tag. */
function element(text: string, name: string): string | null {
  const open = text.indexOf(`<${name}>`);
  if (open === -1) return null;
  const start = open + name.length + 2;
  const close = text.lastIndexOf(`</${name}>`);
  return text.slice(start, close > start ? close : undefined).trim();
}

function attribute(attributes: string, name: string): string | null {
  return new RegExp(`${name}="([^"]*)"`).exec(attributes)?.[1] ?? null;
}
