import { readFileSync } from 'node:fs';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { clientTitles, endWithOutput, errorMessage, printAside, setFromCommandLine } from '@causantic/domain';
import { explained } from './explained.js';
import { reindex, type ReindexOptions } from './reindex.js';
import { writeReport } from './report.js';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const program = new Command('causantic-reindex')
  .description('Read transcript trees into the memory. Running it twice changes nothing.')
  .version(version)
  .argument('[dir...]', 'the same as --source')
  .option(
    '--source <dir...>',
    `transcript folder or file (default: where ${clientTitles('and')} keep theirs)`,
  )
  .option('--json', 'print one JSON object instead of a report')
  .addOption(
    new Option(
      '--rebuild <part>',
      'rebuild derived data (all of it, or one part), or read all existing transcripts again',
    ).choices(['transcripts', 'vectors', 'edges', 'clusters', 'all']),
  )
  .option('--dry-run', 'read and report, but change nothing')
  .option('--set <key=value>', 'use another value of a setting this time; can be repeated', setting)
  .exitOverride()
  .showHelpAfterError('(add --help for usage)')
  .addHelpText(
    'after',
    `
Examples:
  causantic-reindex                                   everything the clients have kept
  causantic-reindex --source ~/old/projects --json    another tree, for a script
  causantic-reindex --source ~/.codex/sessions        the sessions of one client
  causantic-reindex --dry-run                         what would be new`,
  )
  .action(async (folders: string[], options: ReindexOptions & { json?: boolean }) => {
    const source = [...folders, ...(options.source ?? [])];
    const report = await reindex({ ...options, ...(source.length > 0 && { source }) });
    writeReport(report, { json: options.json === true, dryRun: options.dryRun === true });
  });

function setting(given: string): void {
  try {
    setFromCommandLine(given, process.env);
  } catch (error) {
    throw new InvalidArgumentError(errorMessage(error));
  }
}

endWithOutput('causantic-reindex');
try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
  else {
    printAside(`causantic-reindex: ${explained(error)}`);
    process.exitCode = 1;
  }
}
