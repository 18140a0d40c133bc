import { styleText } from 'node:util';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import {
  currentFolder,
  endWithOutput,
  errorMessage,
  printAside,
  setFromCommandLine,
} from '@causantic/domain';
import { causanticTools } from '@causantic/mcp-server';
import { addArchiveCommands } from './commands/archive-command.js';
import { addCompactCommand } from './commands/compact-command.js';
import { addCompletionCommand } from './commands/completion-command.js';
import { addConfigCommand } from './commands/config-command.js';
import { addDoctorCommand } from './commands/doctor-command.js';
import { addHookCommand } from './commands/hook-command.js';
import { addInitCommands } from './commands/init-command.js';
import { addJoinCommand } from './commands/join-command.js';
import { addModelCommand } from './commands/model-command.js';
import { addRepomapCommand } from './commands/repomap-command.js';
import { addServeCommand } from './commands/serve-command.js';
import { addToolCommand, exitCodeOf } from './commands/tool-command.js';
import { firstSentence } from './completion/command-tree.js';
import { EXAMPLES } from './examples.js';
import { version } from './own-program.js';

/** Run one command. The exit code is 0 on success, 1 if the command failed, 2 for wrong usage. */
export async function runCommandLine(): Promise<void> {
  endWithOutput('causantic');
  try {
    await createProgram().parseAsync(withQuestions(process.argv));
  } catch (error) {
    process.exitCode = report(error);
  }
}

const TAKE_QUESTIONS = ['search', 'recall', 'explain', 'predict'];

/** No option has blanks in its name: `--- FAIL: TestWheel (0.00s)` was pasted, in quotes. */
function withQuestions(argv: readonly string[]): string[] {
  // Options of any command, such as --set, may come first.
  const isAsking = argv.some((word) => TAKE_QUESTIONS.includes(word));
  return argv.map((word) => (isAsking && /^-[^\s=]*\s/.test(word) ? ` ${word}` : word));
}

function createProgram(): Command {
  const program = new Command('causantic')
    .description('Long-term memory for coding agents, built from their transcripts and served over MCP.')
    .version(version)
    .option(
      '--set <key=value>',
      'in any command: use another value of a setting this time; can be repeated',
      setting,
    )
    .exitOverride()
    .showHelpAfterError('(add --help for usage)')
    .configureHelp({ styleTitle: (title) => styleText('bold', title) })
    .addHelpText('after', EXAMPLES['causantic'] ?? '')
    .addHelpText('after', EXIT_STATUS)
    .hook('preAction', (_, command) => {
      // A server does without the folder of a project; what is typed there means that folder.
      if (command.name() !== 'serve') currentFolder();
    });
  addServeCommand(program);
  addInitCommands(program);
  addDoctorCommand(program);
  addHookCommand(program);
  for (const tool of causanticTools) {
    // The map has more to offer on a terminal than the tool.
    if (tool.name === 'repomap') addRepomapCommand(program);
    else addToolCommand(program, tool);
  }
  addConfigCommand(program);
  addArchiveCommands(program);
  addCompactCommand(program);
  addJoinCommand(program);
  addModelCommand(program);
  addCompletionCommand(program);
  program.commands.forEach(arrange);
  return program;
}

function setting(given: string): void {
  try {
    setFromCommandLine(given, process.env);
  } catch (error) {
    throw new InvalidArgumentError(errorMessage(error));
  }
}

const EXIT_STATUS = '\nExit status: 0 on success, 1 if the command failed, 2 for wrong usage.';

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
  reconstruct: 'Show what happened, in order: the latest history, one session or some days',
};

const GROUPS: Readonly<Record<string, readonly string[]>> = {
  'Set up:': ['init', 'uninstall', 'doctor', 'serve', 'hook', 'config', 'model', 'completion'],
  'Maintain:': ['hook-status', 'stats', 'forget', 'join', 'export', 'import', 'compact'],
};

function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  printAside(`causantic: ${errorMessage(error)}`);
  return exitCodeOf(error);
}
