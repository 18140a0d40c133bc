import { type Commit, groupBy, saysWhatChanged, type TurnFacts } from '@causantic/domain';
import { editCounts } from '@causantic/retrieval';
import type { TurnRecord } from '@causantic/storage';
import type { ProjectMemory } from './project-memory.js';

type Task = NonNullable<TurnFacts['tasks']>[number];

/** Sessions whose open tasks still count: what was left open longer ago has mostly been dropped. */
const TASK_SESSIONS = 3;
/** Turns at the end of a session whose errors may still stand. */
const ERROR_TURNS = 2;

/** Failures that say something of how the agent used its tools, and nothing of the work. */
const TOOL_NOISE =
  /sibling tool call|doesn't want to|tool use was rejected|has not been read|has been modified since|unexpectedly modified|string to replace|apply_patch verification failed|no changes to make|exceeds maximum|requires approval|permission|operation stopped|interrupted|timed? ?out|no such tool|InputValidationError|(?:required|unexpected) parameter `|cannot resume agent|parallel tool call|file does not exist|unrecognized subcommand|was blocked|user rejected|sandbox|status code \d|^usage:|^(?:ls|cat|head|tail|nl|wc|find|jq|grep|rg|sed): |^(?:get-\w+|select-string|set-location) : |^error: (?:repetition |unclosed (?:group|character|counted)|unopened group|unrecognized (?:escape|flag)|look-around)|parse error near|unknown skill|task not found|is not running|posix_spawn/i;

/** The last line of a failed call that names no failure says nothing by itself. */
const NAMES_FAILURE =
  /error|fail|panic|exception|undefined|cannot|can't|could not|unable|not found|no such|unknown|invalid|missing|required|refused|expected|✗/i;

/** Tasks of the latest sessions that nobody finished, those of the last session first. */
export function openTasks({ turns, recent }: ProjectMemory): Task[] {
  const open = new Map<string, Task>();
  const done = new Set<string>();
  for (const { id } of recent.slice(0, TASK_SESSIONS)) {
    for (const task of tasksOf(turns.filter((turn) => turn.sessionId === id && turn.isMain))) {
      if (done.has(task.text) || open.has(task.text)) continue;
      if (task.status === 'pending' || task.status === 'in_progress') open.set(task.text, task);
      else done.add(task.text);
    }
  }
  return [...open.values()];
}

/** The tasks as the last turn left them. A to-do list of any client is written anew each time, tasks change one by one. */
function tasksOf(turns: readonly TurnRecord[]): Task[] {
  const tasks = new Map<string, Task>();
  for (const { facts } of turns) {
    const { TodoWrite, TaskCreate, TaskUpdate } = facts.toolCounts ?? {};
    if (TodoWrite || (facts.tasks && !TaskCreate && !TaskUpdate)) tasks.clear();
    for (const task of facts.tasks ?? []) tasks.set(task.text, task);
  }
  return [...tasks.values()];
}

/**
 * Messages of failures at the end of the last session after which nothing of the kind succeeded, and nothing was
 * committed. docs/decisions/0124-briefings.md
 */
export function openErrors({ turns, last }: Pick<ProjectMemory, 'turns' | 'last'>): string[] {
  const ending = turns.filter((turn) => turn.sessionId === last.id && turn.isMain).slice(-ERROR_TURNS);
  const committed = ending.findLastIndex(({ facts }) => facts.commits !== undefined);
  const messages = ending
    .slice(committed + 1)
    .flatMap(({ facts }) => facts.errors ?? [])
    .filter(({ message, resolvedBy }) => resolvedBy === undefined && !TOOL_NOISE.test(message))
    .filter(({ message }) => NAMES_FAILURE.test(message))
    .map(({ message }) => message);
  return [...new Set(messages)];
}

export interface DatedCommit extends Commit {
  timeMs: number | null;
}

/** Commits of the latest sessions, the latest first, each subject once. */
export function recentCommits({ turns }: ProjectMemory): DatedCommit[] {
  const commits = turns.flatMap(({ facts, endTimeMs }) =>
    (facts.commits ?? []).map((commit) => ({ ...commit, timeMs: endTimeMs })),
  );
  const bySubject = new Map<string, DatedCommit>();
  for (const commit of commits.toReversed()) {
    if (saysWhatChanged(commit.subject) && !bySubject.has(commit.subject))
      bySubject.set(commit.subject, commit);
  }
  return [...bySubject.values()];
}

/** By which each session further back counts less. docs/decisions/0124-briefings.md */
export const SESSION_FACTOR = 0.8;
/** What was edited on the branch that is checked out counts more. */
const BRANCH_FACTOR = 6;

/** Files of the project, relative to its folder; first those edited often and lately, and on this branch. */
export function editedFiles({ turns, folders, ofBranch }: ProjectMemory): string[] {
  const weights = new Map<string, number>();
  const sessions = [...groupBy(turns, ({ sessionId }) => sessionId)].toReversed();
  sessions.forEach(([id, ofSession], place) => {
    const filesByTurn = ofSession.map(({ facts }) => facts.filesTouched);
    const counts = editCounts(filesByTurn, folders);
    const weight = SESSION_FACTOR ** place * (ofBranch.has(id) ? BRANCH_FACTOR : 1);
    for (const [file, edits] of [...counts].toReversed())
      weights.set(file, (weights.get(file) ?? 0) + weight * Math.log2(1 + edits));
  });
  return [...weights].sort((a, b) => b[1] - a[1]).map(([file]) => file);
}
