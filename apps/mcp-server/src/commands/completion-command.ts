import { Argument, type Command } from 'commander';
import { InvalidArgumentError } from '@causantic/domain';
import { completionPlaces } from '../completion/command-tree.js';
import { projectNames } from '../completion/project-names.js';
import { SCRIPTS } from '../completion/scripts.js';

/** `causantic completion <shell>`: a script that completes commands, options and names of projects. */
export function addCompletionCommand(program: Command): void {
  program
    .command('completion')
    .description('Print a shell script that completes commands, options and project names.')
    .addArgument(new Argument('[shell]', 'the shell to complete in').choices(Object.keys(SCRIPTS)))
    .option('--projects', 'print project names instead; the script calls this')
    .action((shell: string | undefined, { projects }: { projects?: boolean }) => {
      process.stdout.write(projects ? projectNames() : scriptFor(shell, program));
    });
}

function scriptFor(shell: string | undefined, program: Command): string {
  const script = SCRIPTS[shell ?? ''];
  if (script) return script(completionPlaces(program));
  throw new InvalidArgumentError('shell', shell, `one of: ${Object.keys(SCRIPTS).join(', ')}`);
}
