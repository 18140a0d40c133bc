import { styleText } from 'node:util';
import { Command, CommanderError } from 'commander';
import {
  currentFolder,
  endWithOutput,
  errorMessage,
  InvalidArgumentError,
  print,
  printable,
  printAside,
} from '@causantic/domain';
import { callTool, causanticTools, describeHit, Services, type ToolDefinition } from '@causantic/mcp-server';
import { addArchiveCommands } from './archive-command.js';
import { addCompactCommand } from './compact-command.js';
import { withColours } from './colours.js';
import { addCompletionCommand } from './completion-command.js';
import { firstSentence } from './completion/command-tree.js';
import { addConfigCommand } from './config-command.js';
import { addDoctorCommand } from './doctor-command.js';
import { EXAMPLES } from './examples.js';
import { addHookCommand } from './hook-command.js';
import { addInitCommands } from './init-command.js';
import { addJoinCommand } from './join-command.js';
import { addModelCommand } from './model-command.js';
import { addRepomapCommand } from './repomap-command.js';
import { addServeCommand } from './serve-command.js';
import { toolParameters, type ToolParameter } from './tool-parameters.js';

/** Run one command. Resolves with the exit code: 0 well, 1 the command failed, 2 it was called wrongly. */
export async function runCommandLine(version: string, argv: readonly string[]): Promise<number> {
  endWithOutput('causantic');
  const program = createProgram(version);
  try {
    await program.parseAsync(argv, { from: 'user' });
    return 0;
  } catch (error) {
    return report(error);
  }
}

function createProgram(version: string): Command {
  const program = new Command('causantic')
    .description('Long-term memory for coding agents: ingested transcripts, served over MCP.')
    .version(version)
    .exitOverride()
    .showHelpAfterError('(add --help for usage)')
    .configureHelp({ styleTitle: (title) => styleText('bold', title) })
    .addHelpText('after', EXAMPLES['causantic'] ?? '')
    .addHelpText('after', EXIT_STATUS)
    .hook('preAction', (_, command) => {
      // A server does without the folder of a project; what is typed there means that folder.
      if (command.name() !== 'serve') currentFolder();
    });
  addServeCommand(program, version);
  addInitCommands(program);
  addDoctorCommand(program);
  addHookCommand(program);
  for (const tool of causanticTools) {
    // The map has more to offer on a terminal than the tool.
    if (tool.name === 'repomap') addRepomapCommand(program, version);
    else addToolCommand(program, tool, version);
  }
  addConfigCommand(program);
  addArchiveCommands(program, version);
  addCompactCommand(program);
  addJoinCommand(program);
  addModelCommand(program, version);
  addCompletionCommand(program);
  program.commands.forEach(arrange);
  return program;
}

const EXIT_STATUS = '\nExit status: 0 well, 1 the command failed, 2 it was called wrongly.';

/** What the list of all commands says of one, under which title, and what its own help shows last. */
function arrange(command: Command): void {
  command.addHelpText('after', EXAMPLES[command.name()] ?? '');
  command.summary(SUMMARIES[command.name()] ?? firstSentence(command.description()));
  const [group] = Object.entries(GROUPS).find(([, names]) => names.includes(command.name())) ?? [
    'Ask the memory:',
  ];
  command.helpGroup(group);
}

/** Where the first sentence speaks to an agent. */
const SUMMARIES: Readonly<Record<string, string>> = {
  reconstruct: 'What happened, in order: the latest history, one session or some days',
};

const GROUPS: Readonly<Record<string, readonly string[]>> = {
  'Set up:': ['init', 'uninstall', 'doctor', 'serve', 'hook', 'config', 'model', 'completion'],
  'Look after:': ['hook-status', 'stats', 'forget', 'join', 'export', 'import', 'compact'],
};

function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  printAside(`causantic: ${errorMessage(error)}`);
  return exitCodeOf(error);
}

function exitCodeOf(error: unknown): number {
  return error instanceof InvalidArgumentError ? 2 : 1;
}

function addToolCommand(program: Command, tool: ToolDefinition, version: string): void {
  const parameters = toolParameters(tool);
  const command = program
    .command(tool.name)
    .description(tool.description)
    .option('--json', 'print the structured result');
  for (const parameter of parameters) addParameter(command, parameter);
  command.action(async (...received: unknown[]) => {
    const options = command.opts<Record<string, unknown> & { json?: boolean }>();
    await runTool(tool, readParameters(parameters, received, options), {
      version,
      json: options.json === true,
    });
  });
}

function addParameter(command: Command, parameter: ToolParameter): void {
  if (parameter.positional) {
    command.argument(`<${parameter.flag}${parameter.isText ? '...' : ''}>`, parameter.description);
  } else if (parameter.type === 'boolean') {
    command.option(`--${parameter.flag} [true|false]`, parameter.description);
    command.option(`--no-${parameter.flag}`, `same as --${parameter.flag} false`);
  } else {
    command.option(`--${parameter.flag} <${parameter.type}>`, parameter.description);
  }
}

function readParameters(
  parameters: readonly ToolParameter[],
  received: readonly unknown[],
  options: Record<string, unknown>,
): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  let position = 0;
  for (const parameter of parameters) {
    const value = parameter.positional ? received[position++] : options[parameter.optionName];
    if (value !== undefined) input[parameter.name] = convert(parameter, value);
  }
  return input;
}

function convert(parameter: ToolParameter, value: unknown): unknown {
  const text = Array.isArray(value) ? value.join(' ') : value;
  if (parameter.type === 'number') return text === '' || Number.isNaN(Number(text)) ? text : Number(text);
  if (parameter.type === 'boolean' && typeof text === 'string') {
    return text === 'true' ? true : text === 'false' ? false : text;
  }
  return text;
}

async function runTool(
  tool: ToolDefinition,
  input: Record<string, unknown>,
  { version, json }: { version: string; json: boolean },
): Promise<void> {
  const services = new Services(version);
  try {
    const { text, hits, diagnostics, error } = await callTool(tool, input, services.context());
    const structured = {
      text,
      ...(hits && { hits: hits.map(describeHit) }),
      ...(diagnostics !== undefined && { diagnostics }),
    };
    if (json) print(JSON.stringify(structured, null, 2));
    else process.stdout.write(`${withColours(printable(text))}\n`);
    // The reconstruct tool reports its errors as text; a shell wants an exit code as well.
    if (error !== undefined) process.exitCode = exitCodeOf(error);
  } finally {
    await services.close();
  }
}
