// What a turn did: its request, files, commands, commits, errors and tasks.
import type { Commit, TurnFacts } from '@causantic/domain';
import type { ToolOutput } from '../clients/events.js';
import { firstLine, oneLine } from '../text/shorten.js';
import { type JsonObject, isObject, listOf, stringOf } from '../transcripts/records.js';
import { setBounded } from './bounded-map.js';
import { commitsIn } from './commits.js';
import { errorLine } from './failures/error-line.js';
import { commonTool, SHELL_TOOLS } from './tool-names.js';

type Task = NonNullable<TurnFacts['tasks']>[number];

/** Enough for a briefing; the first items describe a turn that did more well enough. */
const MAX_COMMANDS = 40;
const MAX_ERRORS = 20;
const MAX_FILES = 100;
const MAX_LINE_CHARS = 200;
const MAX_REQUEST_CHARS = 400;
/** What is looked for is at the beginning of a text, if anywhere. */
const MAX_SEARCHED_CHARS = 20_000;

/** Marks of what was sent along: a screenshot, or a file that an editor names, comes before the words about it. */
const ATTACHED = /^(?:\[(?:image|document)\b[^\]]*\]\s*|\[@[^\]]*\]\([^)]*\)\s*)*$/;

const CHANGING_TOOLS = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit', 'apply_patch']);

interface OpenError {
  /** What must succeed to resolve the error: the tool with its program or file. */
  subject: string;
  entry: { message: string; resolvedBy?: string };
}

/** Subjects of tasks by the client's id: later turns name a task by id only. */
export type TaskSubjects = Map<string, string>;
const MAX_TASK_SUBJECTS = 200;

/**
 * The last program of a command, where 1 (of systemctl, 3) says that it found nothing, or a difference, or a service that does not
 * run.
 */
const MAY_FIND_NOTHING =
  /(?:^|[;&|\n(])\s*(?:sudo )?(?:rg|[efz]?grep|git (?:-C \S+ )?(?:grep|diff)|findstr|pgrep|diff|cmp|systemctl (?:status|is-\w+))\s(?:\\.|"(?:\\.|[^"\\])*"|'[^']*'|>&|[^;&|\n"'\\])*$/;
const FOUND_NOTHING = /^Exit code [13]\n/;
/** Of a search that throws its errors away: there were some, and it may have found something, too. */
const HAD_ERRORS = /^Exit code 2\n/;
const THROWS_ERRORS_AWAY = /2> ?\/dev\/null$/;
/** Of a command, its end. */
const MAX_LAST_PROGRAM_CHARS = 2000;
/** What another shell is given to run: `ssh till 'ps | grep bell'`, `docker exec till sh -c "…"` */
const SCRIPT_OF_SHELL = /(?:\bssh\s[^'"\n]{1,500}|\s-l?c)\s{1,3}(?:'([^']*)'|"((?:\\.|[^"\\])*)")$/;

/** What a commit's subject goes on with where no shell made a line break of it: `-m "oil the till\n\n- and its bell"`. */
const UNBROKEN_BODY = /\\n(?:\\n|- ).*$/s;
/** What it begins with where there is no subject, but a list: `-m "\n\n- oil the till\n- and its bell"`. */
const UNBROKEN_START = /^(?:\\n){2,}|^\\n(?=- )/;

/** Collects what one turn did, while it is read. */
export class FactsCollector {
  private request: string | undefined;
  private byProgram = false;
  /** How often each was changed. */
  private readonly files = new Map<string, number>();
  private readonly commands: string[] = [];
  private readonly commits: Commit[] = [];
  private readonly errors: OpenError[] = [];
  private readonly tasks = new Map<string, Task>();
  private readonly toolCounts = new Map<string, number>();

  constructor(private readonly taskSubjects: TaskSubjects) {}

  prompt(text: string, byProgram = false): void {
    if (this.request === undefined) this.byProgram = byProgram;
    else if (!ATTACHED.test(this.request)) return;
    this.request = oneLine(text, MAX_REQUEST_CHARS);
  }

  call(tool: string, input: JsonObject, files: readonly string[]): void {
    this.toolCounts.set(tool, (this.toolCounts.get(tool) ?? 0) + 1);
    const common = commonTool(tool);
    if (CHANGING_TOOLS.has(common)) this.changed(files);
    if (SHELL_TOOLS.has(common)) this.command(stringOf(input['command']) ?? '');
    if (common === 'TodoWrite') this.todoList(input['todos']);
    if (tool === 'TaskUpdate') this.taskUpdate(input);
  }

  /** The call failed, or did not run. */
  changedNothing(tool: string, files: readonly string[]): void {
    if (CHANGING_TOOLS.has(commonTool(tool))) this.changed(files, -1);
  }

  /** A call changed these; with −1, one that was counted did not. */
  changed(files: readonly string[], times: 1 | -1 = 1): void {
    for (const file of files) {
      const count = (this.files.get(file) ?? 0) + times;
      if (count <= 0) this.files.delete(file);
      else if (this.files.has(file) || this.files.size < MAX_FILES) this.files.set(file, count);
    }
  }

  private command(command: string): void {
    if (command !== '' && this.commands.length < MAX_COMMANDS)
      this.commands.push(firstLine(command, MAX_LINE_CHARS));
  }

  result(
    called: string,
    input: JsonObject,
    { text, isError, isRunning = false }: Pick<ToolOutput, 'text' | 'isError' | 'isRunning'>,
  ): void {
    const tool = startedBy(called);
    const endedWell = !isError && !isRunning;
    if (isError) this.failed(subjectsOf(tool, input)[0] ?? tool, text, stringOf(input['command']) ?? '');
    if (endedWell) this.succeeded(tool, input);
    if (tool === 'TaskCreate' && !isError) this.taskCreated(input, text);
    if (!SHELL_TOOLS.has(commonTool(tool))) return;
    // To a shell that goes on running, commands are written.
    const commands = [input['command'], input['chars']].flatMap((part) => stringOf(part) ?? []);
    this.ran(commands.join('\n'), text, endedWell);
  }

  /** What a command committed, whoever ran it. */
  ran(command: string, output: string, endedWell: boolean): void {
    const searched = command.slice(0, MAX_SEARCHED_CHARS);
    for (const commit of commitsIn(searched, output, endedWell)) this.addCommit(commit);
  }

  private failed(subject: string, text: string, command: string): void {
    const line = errorLine(text.slice(0, MAX_SEARCHED_CHARS), foundNothing(command, text));
    // Without a word, as of a search that finds nothing: there is nothing to be told of it.
    if (line !== null && this.errors.length < MAX_ERRORS)
      this.errors.push({ subject, entry: { message: oneLine(line, MAX_LINE_CHARS) } });
  }

  private succeeded(tool: string, input: JsonObject): void {
    const done = new Set(subjectsOf(tool, input));
    for (const { subject: failed, entry } of this.errors) {
      if (done.has(failed)) entry.resolvedBy ??= `${tool}: ${oneLine(mainValue(input), MAX_LINE_CHARS)}`;
    }
  }

  private addCommit(commit: Commit): void {
    const subject = oneLine(
      commit.subject.replace(UNBROKEN_START, '').replace(UNBROKEN_BODY, ''),
      MAX_LINE_CHARS,
    );
    // The command went on running when it had told of this one.
    const isTold = !commit.hash && this.commits.some((other) => other.subject === subject);
    if (!isTold) this.commits.push({ ...commit, subject });
  }

  private todoList(todos: unknown): void {
    this.tasks.clear();
    for (const entry of listOf(todos).filter(isObject)) {
      const text = oneLine(stringOf(entry['content']) ?? '', MAX_LINE_CHARS);
      if (text) this.tasks.set(text, { text, status: statusOf(entry['status']) });
    }
  }

  private taskCreated(input: JsonObject, output: string): void {
    const id = /#(\d+)/.exec(output)?.[1];
    const text = oneLine(stringOf(input['subject']) ?? '', MAX_LINE_CHARS);
    if (!id || !text) return;
    setBounded(this.taskSubjects, id, text, MAX_TASK_SUBJECTS);
    this.tasks.set(id, { text, status: 'pending' });
  }

  private taskUpdate(input: JsonObject): void {
    const id = asText(input['taskId']);
    const subject = stringOf(input['subject']);
    const text = subject === null ? this.taskSubjects.get(id) : oneLine(subject, MAX_LINE_CHARS);
    const known = this.tasks.get(id);
    const status = input['status'] === undefined ? (known?.status ?? 'pending') : statusOf(input['status']);
    if (text !== undefined) this.tasks.set(id, { text, status });
  }

  facts(): TurnFacts {
    return {
      ...(this.request && { request: this.request }),
      ...(this.byProgram && { byProgram: true }),
      ...(this.files.size > 0 && { filesTouched: [...this.files.keys()] }),
      ...(this.commands.length > 0 && { commands: this.commands }),
      ...(this.commits.length > 0 && { commits: this.commits }),
      ...(this.errors.length > 0 && { errors: this.errors.map(({ entry }) => entry) }),
      ...(this.tasks.size > 0 && { tasks: [...this.tasks.values()] }),
      ...(this.toolCounts.size > 0 && { toolCounts: Object.fromEntries(this.toolCounts) }),
    };
  }
}

/** Whether a command ended as one whose search found nothing, or may have. */
function foundNothing(command: string, output: string): boolean {
  const end = command.trim().slice(-MAX_LAST_PROGRAM_CHARS);
  const [, quoted, doubleQuoted] = SCRIPT_OF_SHELL.exec(end) ?? [];
  const script = (quoted ?? doubleQuoted ?? '').trim();
  const last = [end, script].find((program) => MAY_FIND_NOTHING.test(program));
  if (last === undefined) return false;
  return FOUND_NOTHING.test(output) || (HAD_ERRORS.test(output) && THROWS_ERRORS_AWAY.test(last));
}

/** What comes of a command is also told by later calls, which write to it or wait for it. */
function startedBy(tool: string): string {
  return tool === 'write_stdin' ? 'exec_command' : tool;
}

/** The tool with its file, or with each program it ran (`npm test`, not its options). */
function subjectsOf(tool: string, input: JsonObject): string[] {
  const command = stringOf(input['command']);
  if (command !== null) return programsOf(command).map((program) => `${tool} ${program}`);
  return [`${tool} ${stringOf(input['file_path']) ?? stringOf(input['url']) ?? ''}`];
}

/** `cd app && FOO=1 npm test -- --watch; ls -l` → `npm test`, `ls -l`. */
function programsOf(command: string): string[] {
  return command
    .split(/&&|;|\n/)
    .map((part) => part.trim())
    .filter((part) => part !== '' && !/^(?:cd|export|set|source)\s/.test(part))
    .map((step) => {
      const words = step.split(/\s+/).filter((word) => !/^\w+=/.test(word));
      return words.slice(0, 2).join(' ');
    });
}

function mainValue(input: JsonObject): string {
  return asText(input['command'] ?? input['file_path'] ?? Object.values(input)[0]);
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? '');
}

function statusOf(value: unknown): Task['status'] {
  return value === 'in_progress' || value === 'completed' || value === 'deleted' ? value : 'pending';
}
