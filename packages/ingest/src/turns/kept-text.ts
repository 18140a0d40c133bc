// What is kept of a text that may be long: its ends, without secrets and without what says nothing.
import { LONGEST_SECRET_CHARS, type Redactor } from '../redaction/redaction.js';
import { untilLastEnd } from '../text/elements.js';
import { plainText } from '../text/plain-text.js';
import { headOf, shortenMiddle, startOfWord, tailOf, wholeLines, withMark } from '../text/shorten.js';
import { type JsonObject, stringOf } from '../transcripts/records.js';
import { answersIn } from './answers.js';
import { commonTool } from './tool-names.js';
import { type KeptChars, keptOfResult } from './tool-text.js';

const INJECTED_KEPT = { head: 1_500, tail: 500 };
/** Of a result that is not kept, for the turn's facts. */
const LOOKED_AT = { head: 500, tail: 200 };
/** Extra text scanned beyond the kept part of a result, so that a secret at the cut is seen whole. */
const REDACTION_MARGIN_CHARS = 2_000;
/** What names a secret stands so near before it. */
const NAME_CHARS = 200;

/** Programs that print a secret by itself, which nothing else tells to be one. */
const PRINTS_SECRET =
  /\b(?:aws configure get [\w.-]*(?:secret|token)|openssl rand |(?:gh|heroku) auth[: ]token|gcloud auth print-\w+-token|security find-\w+-password [^|;&\n]{0,200}-w\b|secret-tool lookup |pass show |op read |base64 (?:-d|-D|--decode)\b)/;

/** What is kept of a text that the client put there. */
export function injectedText(redactor: Redactor, text: string): string {
  return endsOf(redactor, plainText(text), INJECTED_KEPT);
}

/** What is kept of a result, and what the turn's facts may look at: its ends, cleaned. */
export function resultText(
  redactor: Redactor,
  tool: { name: string; input: JsonObject },
  result: { text: string; isError: boolean },
): { kept: string; full: string } {
  const keep = keptOfResult(tool.name, result.isError, tool.input);
  const isAnswered = commonTool(tool.name) === 'AskUserQuestion';
  const told = isAnswered ? answersIn(result.text, tool.input) : result.text;
  const shown = withShortRules(withoutPlan(plainText(withoutReminders(told)).trim(), tool.input));
  const text = PRINTS_SECRET.test(stringOf(tool.input['command']) ?? '') ? redactor.cleanReply(shown) : shown;
  const full = endsOf(redactor, text, keep ?? LOOKED_AT);
  if (keep === null) return { kept: '', full };
  return { kept: commonTool(tool.name) === 'Read' ? withoutLineNumbers(full) : full, full };
}

/** The ends of a text, cleaned before they are cut, so that no part of a secret stays behind. */
function endsOf(redactor: Redactor, given: string, { head, tail, telling: chars }: KeptChars): string {
  const margin = REDACTION_MARGIN_CHARS;
  const text = redactor.cleanLongParts(given);
  // Also the line at which an end was cut.
  const tellingIn = (text: string): string => {
    const [from, to] = [headOf(text, head).length, text.length - tailOf(text, tail).length - 1];
    return chars ? tellingLines(wholeLines(text, from, to), chars) : '';
  };
  if (text.length <= head + tail + 4 * margin) {
    const clean = redactor.clean(text);
    return shortenMiddle(clean, head, tail, tellingIn(clean));
  }
  const telling = redactor.clean(tellingIn(text));
  // What stands at a cut may be a part of a secret, which nobody knows: it goes, however little is left.
  const cleanHead = redactor.clean(text.slice(0, head + margin));
  const first = headOf(cleanHead, Math.max(0, Math.min(head, cleanHead.length - margin)));
  // A secret longer than the margin is one word.
  const from = startOfWord(text, text.length - tail - margin, LONGEST_SECRET_CHARS) - NAME_CHARS;
  const cleanTail = redactor.clean(text.slice(Math.max(0, from)));
  const last = tailOf(cleanTail, Math.max(0, Math.min(tail, cleanTail.length - margin)));
  return withMark(first, last, { chars: text.length, telling }).trimEnd();
}

/**
 * What test runners, compilers and linters write before what failed, or behind where it did; and what Git says of a commit,
 * above which it may warn of each file's line breaks.
 */
const TELLING_LINE =
  /^[ \t]*(?:\[[^\]\n]{1,200} (?=\d*[a-f])[0-9a-f]{7,40}\] |--- FAIL: |\(fail\) |FAILED |FAIL[: ]|not ok \d|[✗✘✕×] |error(?:\[\w+\])?: |\S+:\d+:\d+: |\S+\(\d+,\d+\): error ).*/gm;

/** Lines of a text that name a failure or a commit, each once, the first ones, as many as fit. */
export function tellingLines(text: string, chars: number): string {
  const lines = new Set<string>();
  let left = chars;
  for (const [found] of text.matchAll(TELLING_LINE)) {
    const line = found.trim();
    if (lines.has(line)) continue;
    left -= line.length + 1;
    if (left < 0) break;
    lines.add(line);
  }
  return [...lines].join('\n');
}

const PLAN_HEADING = '## Approved Plan:';

/** A result without the plan of its call, which Claude Code repeats below what it tells of the approval. */
export function withoutPlan(result: string, input: JsonObject): string {
  const plan = stringOf(input['plan'])?.trim();
  if (!plan || !result.endsWith(plan)) return result;
  const rest = result.slice(0, -plan.length).trimEnd();
  return rest.endsWith(PLAN_HEADING) ? rest.slice(0, -PLAN_HEADING.length).trimEnd() : rest;
}

/** Lines that are drawn across a terminal, or around a table. */
const RULE = /([-=_*#~.+─━═])\1{39,}/g;

function withShortRules(text: string): string {
  return text.replace(RULE, (_, sign: string) => sign.repeat(10));
}

const REMINDER = /<system-reminder>[\s\S]*?<\/system-reminder>/g;

function withoutReminders(text: string): string {
  const closed = untilLastEnd(text, 'system-reminder');
  return closed.replace(REMINDER, '') + text.slice(closed.length);
}

const LINE_NUMBERS = /^ *\d+(?:→|\t)/gm;

function withoutLineNumbers(text: string): string {
  const plain = text.replace(LINE_NUMBERS, '');
  // An empty last line has lost what stood behind its number.
  const lastLine = text.slice(text.lastIndexOf('\n'));
  return plain !== text && /^\n *\d+$/.test(lastLine) ? plain.slice(0, -lastLine.length) : plain;
}
