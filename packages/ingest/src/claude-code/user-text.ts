/** A stretch of a user record's text, by what it really is. */
export type UserTextPart =
  | { type: 'prompt'; text: string }
  /** Put there by the client. `withPrompt`: context of the prompt that follows (an open file, a selection). */
  | { type: 'injected'; text: string; withPrompt: boolean }
  /** A slash command: its name and what the person typed behind it. */
  | { type: 'command'; name: string; args: string }
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
  'command-name',
  'command-message',
  'command-args',
  'bash-input',
];

const TAG = new RegExp(`<(${INJECTED_TAGS.join('|')})(\\s[^>]*)?>`);
const LEADING_TAG = new RegExp(`^\\s*${TAG.source}`);

/** Texts of the client without a tag. */
const INJECTED_TEXT = /^\s*(?:Caveat: The messages below|\[Request interrupted by user)/;

/** Context that an editor attaches to the prompt in the same or the next record. */
const WITH_PROMPT = /^ide_/;

/** Take a user record's text apart: what the person typed, what the client added. Nothing is lost or reordered. */
export function splitUserText(text: string): UserTextPart[] {
  if (INJECTED_TEXT.test(text)) return [{ type: 'injected', text, withPrompt: false }];
  const parts: UserTextPart[] = [];
  const command = { name: '', args: '' };
  let rest = text;
  for (let tag = LEADING_TAG.exec(rest); tag; tag = LEADING_TAG.exec(rest)) {
    const [name, attributes] = [tag[1]!, tag[2] ?? ''];
    const close = rest.indexOf(`</${name}>`, tag[0].length);
    const inner = rest.slice(tag[0].length, close === -1 ? undefined : close);
    rest = close === -1 ? '' : rest.slice(close + name.length + 3);
    if (name === 'command-name') command.name = inner.trim();
    else if (name === 'command-args') command.args = inner.trim();
    else if (name !== 'command-message') parts.push(taggedPart(name, attributes, inner));
  }
  if (command.name || command.args) parts.unshift({ type: 'command', ...command });
  const isNotice = text.trimStart().startsWith('<task-notification>');
  parts.push(...(isNotice ? injectedRest(rest) : splitTyped(rest)));
  return parts;
}

/** The client adds where the full output lies. */
function injectedRest(text: string): UserTextPart[] {
  return text.trim() === '' ? [] : [{ type: 'injected', text: text.trim(), withPrompt: false }];
}

function taggedPart(tag: string, attributes: string, inner: string): UserTextPart {
  switch (tag) {
    case 'bash-input':
      return { type: 'prompt', text: `! ${inner.trim()}` };
    case 'teammate-message':
      return {
        type: 'message',
        from: attribute(attributes, 'teammate_id') ?? 'teammate',
        text: inner.trim(),
      };
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
    text: report,
  };
}

const REMINDER = '<system-reminder>';
/** What a person made private stays whole, whatever the client put into its midst: half of it has no tag. */
const REMINDER_OR_PRIVATE =
  /<system-reminder>[\s\S]*?<\/system-reminder>|<private>[\s\S]*?(?:<\/private>|$)/gi;

/** Typed text, with reminders taken out that the client put in or behind it. */
function splitTyped(text: string): UserTextPart[] {
  const reminders = [...text.matchAll(REMINDER_OR_PRIVATE)].filter(([found]) => found.startsWith(REMINDER));
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
