import { existsSync } from 'node:fs';
import { Argument, type Command } from 'commander';
import { causanticHome, databasePath, InvalidArgumentError } from '@causantic/domain';
import { Store } from '@causantic/storage';
import { completionPlaces } from './completion/command-tree.js';
import { SCRIPTS } from './completion/scripts.js';
import { EXAMPLES } from './examples.js';

/** `causantic completion <shell>`: a script that completes commands, options and names of projects. */
export function addCompletionCommand(program: Command): void {
  program
    .command('completion')
    .description('A script for your shell that completes commands, options and names of projects.')
    .addArgument(new Argument('[shell]', 'the shell that will read it').choices(Object.keys(SCRIPTS)))
    .option('--projects', 'print the names of the projects instead, for the script')
    .addHelpText('after', EXAMPLES['completion'] ?? '')
    .action((shell: string | undefined, { projects }: { projects?: boolean }) => {
      process.stdout.write(projects ? projectNames() : scriptFor(shell, program));
    });
}

function scriptFor(shell: string | undefined, program: Command): string {
  const script = SCRIPTS[shell ?? ''];
  if (script) return script(completionPlaces(program));
  throw new InvalidArgumentError('shell', shell, `one of: ${Object.keys(SCRIPTS).join(', ')}`);
}

/** Nothing where there is no memory: a key press makes none. */
function projectNames(): string {
  const path = databasePath(causanticHome());
  if (!existsSync(path)) return '';
  const store = Store.open(path);
  try {
    return store.projects
      .slugsInUse()
      .map((slug) => `${slug}\n`)
      .join('');
  } finally {
    store.close();
  }
}
