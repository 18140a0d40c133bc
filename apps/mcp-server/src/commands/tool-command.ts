import { styleText } from 'node:util';
import { type Command, Option } from 'commander';
import { InvalidArgumentError, print, printable, printAside } from '@causantic/domain';
import {
  type CallOptions,
  callTool,
  describeHit,
  ifReadable,
  projectAround,
  slugOfSession,
  type ToolContext,
  type ToolDefinition,
} from '@causantic/mcp-server';
import { untilInterrupted } from '../interruption.js';
import { withServices } from '../open-memory.js';
import { page } from '../pager.js';

/** A tool's argument as a command line takes it. */
interface Parameter {
  /** As the tool calls it: `days_back`. */
  name: string;
  /** As the shell calls it: `days-back`. */
  flag: string;
  type: 'text' | 'number' | 'boolean';
  description: string;
  isPositional: boolean;
  /** Left out, it is the project of the session that is named, or of the folder. What changes a memory is to be told which. */
  isOwnProject: boolean;
}

/** A tool as a command: its first required argument is positional, the others are options. */
export function addToolCommand(program: Command, tool: ToolDefinition): void {
  const parameters = parametersOf(tool);
  const command = program
    .command(tool.name)
    .description(tool.description)
    .option('--json', 'print the structured result as JSON');
  for (const parameter of parameters) addParameter(command, parameter);
  command.action(async (first: unknown) => {
    const input = parameters.flatMap((parameter) => {
      const { name, flag, isPositional } = parameter;
      const value: unknown = isPositional
        ? first
        : command.getOptionValue(new Option(`--${flag}`).attributeName());
      return value === undefined ? [] : [[name, convert(parameter, value)] as const];
    });
    const given = Object.fromEntries(input);
    const asksForOwn = parameters.some(({ name, isOwnProject }) => isOwnProject && !(name in given));
    await runTool(tool, { given, asksForOwn }, command);
  });
}

interface Field {
  safeParse(value: unknown): { success: boolean };
  description?: string;
}

function parametersOf(tool: ToolDefinition): Parameter[] {
  const fields = Object.entries(tool.input.shape as unknown as Record<string, Field>);
  const [positional] = fields.find(([, field]) => !field.safeParse(undefined).success) ?? [];
  return fields.map(([name, field]) => ({
    name,
    flag: name.replaceAll('_', '-'),
    type: typeOf(field),
    description: field.description ?? '',
    isPositional: name === positional,
    isOwnProject: name === positional && name === 'project' && tool.annotations.readOnlyHint === true,
  }));
}

function typeOf(field: Field): Parameter['type'] {
  if (field.safeParse(true).success) return 'boolean';
  return field.safeParse(1).success ? 'number' : 'text';
}

/** Names of arguments that are sentences, which may be given as several words. */
const SENTENCES = new Set(['query', 'context', 'topic']);

function addParameter(command: Command, parameter: Parameter): void {
  const { name, flag, type, description, isPositional, isOwnProject } = parameter;
  if (isOwnProject) {
    command.argument(`[${flag}]`, `${description} Default: the project of this folder.`);
  } else if (isPositional) {
    command.argument(`<${flag}${SENTENCES.has(name) ? '...' : ''}>`, description);
  } else if (type === 'boolean') {
    // The word behind it is its value, even if a project was meant: then the message says so.
    command.addOption(new Option(`--${flag} [true|false]`, description).choices(['true', 'false']));
    command.option(`--no-${flag}`, `same as --${flag} false`);
  } else {
    command.option(`--${flag} <${type}>`, description);
  }
}

function convert({ type }: Parameter, value: unknown): unknown {
  const text = Array.isArray(value) ? value.join(' ') : value;
  if (type === 'number') return isNumber(text) ? Number(text) : text;
  if (type === 'boolean') return text === true || text === 'true';
  return text;
}

/** Blanks alone are 0 to JavaScript, and no number is without end to JSON. */
function isNumber(text: unknown): boolean {
  return typeof text === 'string' && text.trim() !== '' && Number.isFinite(Number(text));
}

const HEADER = /^\[Session: .*\]$/gm;

/** Beside the answer, which is that of the tool to the letter. */
const NOTHING_READ =
  'The memory is empty: causantic init offers to read the sessions that coding agents have kept here.\n';

/** In the answer it is an argument of the tool. */
const TO_DELETE = 'To delete them, add --no-dry-run.';

const FINISHING = 'causantic: a deletion that has begun is finished first.';

interface Input {
  given: Record<string, unknown>;
  asksForOwn: boolean;
}

async function runTool(tool: ToolDefinition, { given, asksForOwn }: Input, command: Command): Promise<void> {
  const { json } = command.opts<{ json?: boolean }>();
  const hasColours = command.configureOutput().getOutHasColors?.() === true;
  // The memory is closed before somebody reads the answer at leisure.
  const isReading = tool.annotations.readOnlyHint === true;
  const answered = (options: CallOptions) =>
    withServices(async (services) => {
      const context = services.context();
      const input = asksForOwn ? { project: projectMeant(given, context), ...given } : given;
      const answer = await callTool(tool, input, context, options);
      // Who has just deleted all of it knows; and some tools answer without a memory that can be read.
      const isEmpty = isReading && ifReadable(context, () => isEmptyMemory(context)) === true;
      return { ...answer, isEmpty };
    });
  // A preview of a deletion ends at once.
  const isDeleting = !isReading && given['dry_run'] === false;
  const { text, hits, diagnostics, error, isEmpty } = await (isDeleting
    ? untilInterrupted((signal) => {
        signal.addEventListener('abort', () => printAside(FINISHING));
        return answered({ signal });
      })
    : answered({}));
  const structured = {
    text,
    ...(hits && { hits: hits.map(describeHit) }),
    ...(diagnostics !== undefined && { diagnostics }),
  };
  // The eye finds where a passage begins.
  const style = (header: string): string => (hasColours ? styleText('cyan', header) : header);
  if (isEmpty && !json) process.stderr.write(NOTHING_READ);
  if (json) print(JSON.stringify(structured, null, 2));
  else if (error === undefined) await page(`${printable(text).replace(HEADER, style)}\n`);
  // The reconstruct tool reports its errors as text; a shell wants them beside the output, with an exit code.
  else process.stderr.write(`${printable(text)}\n`);
  if (!isReading && !isDeleting && !json && text.includes('dry_run=false')) printAside(TO_DELETE);
  if (error !== undefined) process.exitCode = exitCodeOf(error);
}

function projectMeant({ session_id: session }: Input['given'], context: ToolContext): string {
  const { store, callersFolder } = context;
  const ofSession = typeof session === 'string' ? slugOfSession(store, session) : undefined;
  if (ofSession !== undefined) return ofSession;
  const own = callersFolder === undefined ? undefined : projectAround(store, callersFolder);
  if (own) return own.slug;
  const unknown =
    session === undefined ? 'this folder is' : `session "${String(session)}" and this folder are`;
  const accepted = isEmptyMemory(context)
    ? 'the name of one, but none is in memory yet (causantic init offers to read earlier sessions)'
    : `the name of one (see causantic list-projects), because ${unknown} of none in memory`;
  throw new InvalidArgumentError('project', undefined, accepted);
}

function isEmptyMemory({ store }: ToolContext): boolean {
  return store.projects.slugsInUse().length === 0;
}

export function exitCodeOf(error: unknown): number {
  return error instanceof InvalidArgumentError ? 2 : 1;
}
