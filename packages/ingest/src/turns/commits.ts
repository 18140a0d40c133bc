// Recognizes commits by the command that makes them, and by what Git says of them.
import type { Commit } from '@causantic/domain';
import { blanks, withoutHereDocuments } from '../text/shell.js';

/**
 * `[main 4c1e9d2] auth: callers share one token refresh`: what Git says of each commit it makes; ` …]` behind it ends what is
 * told of the middle of a long output.
 */
const REPORTED_COMMIT = /^\[[^\]\n]*?\s([0-9a-f]{7,40})\][ \t]*(.*?)(?: …\])?$/gm;
/** What Git, its hooks and a wrapper say that ends without an error. */
const NOT_COMMITTED =
  /^FAILED: git commit|^husky - [\w-]+ (?:script|hook) (?:failed|exited)|^(?:no changes added|nothing(?: added)?) to commit|^error: pathspec '[^\n]*' did not match any file\(s\) known to git/m;

/** Escaped ones open no text: many of them would each be followed to the end. */
const QUOTED = /\\.|"(?:\\.|[^"\\])*"|'[^']*'/g;

/**
 * The commits that a command made, as far as it and what it printed tell.
 * @param endedWell false while the command goes on, and may tell more, and where it failed, be it behind the commit: then
 * only what Git reported counts
 */
export function commitsIn(command: string, output: string, endedWell: boolean): Commit[] {
  const reported = [...output.matchAll(REPORTED_COMMIT)].map(([, hash = '', subject = '']) => ({
    hash,
    subject,
  }));
  if (reported.length === 0)
    return endedWell && !NOT_COMMITTED.test(output) ? quietCommits(command, output) : [];
  const outside = commitsAt(withoutHereDocuments(command), MAKES_COMMIT);
  const places = outside.length > 0 ? outside : commitsAt(command, MAKES_COMMIT).slice(0, 1);
  if (places[0] === undefined || isThrownAway(command, places[0], MAKES_COMMIT)) return [];
  const givenAt = (nth: number): string | null =>
    nth < places.length ? commitSubject(command.slice(places[nth], places[nth + 1])) : null;
  return reported
    .map((commit, nth) => ({ ...commit, subject: wholeSubject(commit.subject, givenAt(nth)) }))
    .filter(({ subject }) => subject !== '');
}

/** The one that was given, where the end of Git's is missing: a terminal breaks lines, and long outputs are cut. */
function wholeSubject(reported: string, given: string | null): string {
  return given?.startsWith(reported) ? given : reported;
}

/** `4c1e9d2 auth: callers share one token refresh`, as `git log --oneline` tells of a commit. */
const LISTED_COMMIT = /^([0-9a-f]{7,40}) (.*)$/gm;

/** Commits of which Git reported nothing: each has the subject that was given to it, and its hash where a list behind it tells. */
function quietCommits(command: string, output: string): Commit[] {
  const places = commitsAt(withoutHereDocuments(command).replaceAll(QUOTED, blanks), COMMIT);
  const listed = new Map(Array.from(output.matchAll(LISTED_COMMIT), ([, hash, subject]) => [subject, hash]));
  return places.flatMap((at, nth) => {
    const subject = commitSubject(command.slice(at, places[nth + 1]));
    if (subject === null || isThrownAway(command, at, COMMIT)) return [];
    const hash = listed.get(subject);
    return [{ subject, ...(hash && { hash }) }];
  });
}

const COMMIT = /\bcommit\b/;
/** What else makes a commit of which Git tells. A rebase makes those anew that there are. */
const MAKES_COMMIT = /\b(?:commit|revert|cherry-pick)\b/;

/** Where the steps begin that run `git … commit`. */
function commitsAt(command: string, subcommand: RegExp): number[] {
  const places: number[] = [];
  let at = 0;
  for (const step of command.split(/[\n|;&]/)) {
    const git = step.search(/\bgit\b/);
    if (git !== -1 && subcommand.test(step.slice(git))) places.push(at + git);
    at += step.length + 1;
  }
  return places;
}

const TEMPORARY_FOLDER = /\b(\w+)=["']?\$\(\s*mktemp\s+-d/g;
const FOLDER_ENTERED = /(?:\bcd|\s-C)\s+["']?\$(?:\(\s*mktemp\s+-d|\{?(\w+))/g;

/** Whether the commit at a place is made in a folder from `mktemp -d`, where an agent tries something out: nothing of it stays. */
function isThrownAway(command: string, at: number, subcommand: RegExp): boolean {
  const before = command.slice(0, at + command.slice(at).search(subcommand));
  const temporary = new Set(Array.from(before.matchAll(TEMPORARY_FOLDER), ([, name]) => name));
  const entered = Array.from(before.matchAll(FOLDER_ENTERED), ([, name]) => name);
  return entered.some((name) => name === undefined || temporary.has(name));
}

/** The first line of a here-document or string that begins on the first line, behind the quotation mark of its name. */
const HERE_SUBJECT = /^([^\n]*?)(?:<<-?\s*(['"]?)\w+['"]?|@(['"]))\r?\n([^\n]*)/;
const QUOTED_SUBJECT = /\s(?:-[a-z]*m|--message)[= ]?\s*(?:"(?!\$\(cat <<)((?:[^"\\]|\\.)*)"|'([^']*)')/;

/** What ends a step, and what only seems to: in a string, in a command whose output is put in, and where a line goes on. */
const STEP_END = /[\n|;&]/;
const NO_STEP_END = /[\\`]\r?\n|[<>]&|&>|\$\([^()]*\)|\\.|"(?:\\.|[^"\\])*"|'[^']*'/g;

function isOneStep(beginning: string): boolean {
  return !STEP_END.test(beginning.replace(NO_STEP_END, ''));
}

/** What a shell takes for itself between double quotation marks. */
const ESCAPED = /\\(["\\$`])/g;

/** A variable or a command there, in whose place a shell puts what it has or gives. */
const FILLED_IN = /(?<!\\)(?:`|\$[\w({@*#?$!-])/;

/**
 * The subject in `git commit -m "…"`, also where a here-document or string holds the message; null where that does not
 * stand in the command, or not as it will be: `git commit -m "$(cat message)"`.
 */
function commitSubject(command: string): string | null {
  const here = HERE_SUBJECT.exec(command);
  const given = QUOTED_SUBJECT.exec(here ? command.slice(0, here[0].length) : command);
  // Those of a step behind it are not the commit's: `git commit -F message && git tag -m "…"`.
  const [, double, single] = given && isOneStep(command.slice(0, given.index)) ? given : [];
  const [, , name, quote, line] = here && isOneStep(here[1]!) ? here : [];
  const isAsWritten = single !== undefined || (double === undefined && (name || quote === "'"));
  const subject = (double ?? single ?? line)?.trim().split('\n', 1)[0];
  if (!subject || isAsWritten) return subject || null;
  return FILLED_IN.test(subject) ? null : subject.replace(ESCAPED, '$1');
}
