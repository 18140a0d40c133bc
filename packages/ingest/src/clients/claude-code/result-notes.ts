// Takes out of a tool's result what Claude Code adds to it for the model alone, and tells a call that was not made.
import { EXIT_CODE, withExitCode } from '../../text/exit-code.js';

const NO_OUTPUT = /^\(\w+ completed with no output\)$/;
const LAUNCHED =
  /^(?:Async agent launched successfully\.|Spawned successfully\.(?= \(This tool result is |\nagent_id: ))/;
const TAGS = /^<(tool_use_error|persisted-output)>([\s\S]*)<\/\1>$/;
/** Of a task in the background: how it is, and what it printed. */
const TASK =
  /^(?:<retrieval_status>\w+<\/retrieval_status>\s+<task_id>[^<]*<\/task_id>\s+<task_type>\w+<\/task_type>\s+)?<status>(\w+)<\/status>(?:\s+<exit_code>(-?\d+)<\/exit_code>)?(?:\s+<(output|stdout)>([^]*?)<\/\3>)?(?:\s+<stderr>([^]*?)<\/stderr>)?(?:\s+<timestamp>[^<]*<\/timestamp>)?$/;
const HOW_TO_RESUME =
  /\nagentId: [^\n]{0,300}to continue this agent[^\n]{0,300}(?:\n<usage>[^<]*<\/usage>)?$/;
const READ_BEFORE =
  /(?:^|\n)\[This command modified \d+ files? you've previously read: [^\n]{1,2000}? before editing\.\](?=$|\n<system-reminder>)/;
const HOW_TO_CITE = /\s\nREMINDER: You MUST include the sources above[^\n]*$/;
const HOW_TO_GO_ON =
  / (?:You can now continue with (?:the user's|these) answers in mind\.|Read the answers carefully — [^\n]{1,300})$/;
const REFUSAL =
  / The tool use was rejected \(eg\. if it was a file edit, [^)\n]{0,300}\)\.(?: STOP what you are doing[^\n]*)?(?:\n\nNote: The user's next message[^\n]*)?/;
/** What the model is to do while auto mode keeps a call back, behind why. */
const KEPT_BACK =
  /^(Permission for this action was denied by the Claude Code auto mode classifier\.[^]*?|[^\n]{1,200}? so auto mode cannot determine the safety of [^\n]{1,200}? right now\.) (?:If you have other tasks that don't depend on this action|Wait (?:briefly|a moment)\b)[^]*$/;
/** Newer clients add to a refusal that it was none: the person interrupted the call. */
const STOPPED =
  /^The user doesn't want to [^\n]*Correction to the text above: (this call was stopped while running\b[^\n]{1,300}? may have been written\.)/;
const NOTE = "Note: The user's next message";
/** How Claude Code tells the model that a call did not take place; what it says where a person typed nothing. */
const CANCELLED =
  /^(?:The user doesn't want to (?:proceed with this tool use|take this action)|Permission for this (?:tool use|action) was denied|[^\n]{1,200}? so auto mode cannot determine the safety of |Auto mode could not evaluate this action and is blocking it|Permission to use [^\n]{1,300} has been denied|Claude requested permissions to [^\n]{1,300}, but you haven't granted it yet|Sibling tool call errored|Cancelled: parallel tool call|this call was stopped while running|\[Tool call interrupted: the session ended |Interrupted by user$|User rejected using [^\n]{0,100}\. Please acknowledge this)/;
/** What a call had printed may stand above it. */
const INTERRUPTED = /(?:^|\n)\[Request interrupted by user(?: for tool use)?\]$/;
const REASON = /^(.*?\.)(?: To tell you how to proceed,)? [Tt]he user said:\s*\n/;
const WITHOUT_WORDS = 'The user wants to clarify these questions.';
const HOW_TO_CLARIFY = /\n {4}This means they may have [^]*?\n {4}Questions asked:/;
const LINKS = /^Links: \[(\{"title":.*\})\]$/m;
const LINK = /\{"title":"((?:[^"\\]|\\.)*)","url":"((?:[^"\\]|\\.)*)"\},?/g;

/**
 * A tool's result without what the client adds for the model alone (how to resume an agent, what not to quote), and
 * with the links of a web search as a list.
 */
export function withoutClientNotes(result: string): string {
  const text = result.trim();
  if (NO_OUTPUT.test(text)) return '';
  const stopped = STOPPED.exec(text);
  if (stopped) return stopped[1]!;
  const launched = LAUNCHED.exec(text);
  if (launched) return launched[0];
  return withoutRepetition(withoutHandBackFrame(text))
    .replace(TASK, taskLines)
    .replace(TAGS, (_all, _tag, inside: string) => inside.trim())
    .replace(HOW_TO_RESUME, '')
    .replace(READ_BEFORE, '')
    .replace(HOW_TO_CITE, '')
    .replace(HOW_TO_GO_ON, '')
    .replace(REFUSAL, '')
    .replace(KEPT_BACK, '$1')
    .replace(LINKS, (_, links: string) => `Links:${links.replace(LINK, linkLine)}`);
}

function taskLines(...[, status, code = '0', , output = '', errors = '']: string[]): string {
  const printed = [output.trim(), errors.trim()].filter(Boolean).join('\n');
  if (status !== 'completed' && code === '0') return `Status: ${status}\n${printed}`.trim();
  return code === '0' ? printed : withExitCode(code, printed);
}

/** Some versions of the client tell what a failed command printed twice. */
function withoutRepetition(text: string): string {
  const start = EXIT_CODE.exec(text)?.[0].length ?? 0;
  const length = (text.length - start - 2) / 2;
  if (start === 0 || length <= 0) return text;
  const once = text.slice(0, start + length);
  return text === `${once}\n\n${once.slice(start)}` ? once : text;
}

/**
 * Was the call not made, as when a person or auto mode refused it?
 * @param result as it reads without the client's notes
 * @param isDenied whether the client notes that it was not, as newer ones do
 * @returns what the tool's result is then, and what the person typed
 */
export function cancellationIn(
  result: string,
  isDenied: boolean,
): { text: string; said: string | null } | null {
  if (!isDenied && !CANCELLED.test(result) && !INTERRUPTED.test(result)) return null;
  const reason = REASON.exec(result);
  if (!reason) return { text: result, said: null };
  const [words = ''] = result.slice(reason[0].length).split(`\n\n${NOTE}`);
  if (words.startsWith(WITHOUT_WORDS))
    return { text: `${reason[1]!}\n${words.replace(HOW_TO_CLARIFY, '')}`, said: null };
  return { text: reason[1]!, said: words.trim() };
}

function linkLine(_: string, title: string, url: string): string {
  return `\n- ${title.replace(/\\(.)/g, '$1')} ${url}`;
}

const HAND_BACK = /^\[Subagent hand-back\].*$/m;
const COMPUTED_TASK = /^\[Workflow harness — computed task\].*/;

/** A sub-agent's last words as it said them. */
export function withoutHandBackFrame(text: string): string {
  return withoutFrame(text, HAND_BACK);
}

/** What a workflow's script asks an agent for. */
export function withoutTaskFrame(text: string): string {
  return withoutFrame(text, COMPUTED_TASK);
}

/** The client writes a line for the model above a text, and indents it. */
function withoutFrame(text: string, line: RegExp): string {
  const frame = line.exec(text);
  if (!frame) return text;
  const inside = text.slice(frame.index + frame[0].length).replace(/^ {1,2}/gm, '');
  return `${text.slice(0, frame.index)}${inside}`.trim();
}
