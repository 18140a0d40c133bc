import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { findModel, modelsFolder } from '@causantic/compute';
import {
  causanticHome,
  counted,
  databasePath,
  errorMessage,
  InvalidArgumentError,
  megabytes,
  NotFoundError,
  print,
  printAside,
  realPath,
  waitingNotice,
} from '@causantic/domain';
import { removeIndexFiles } from '@causantic/retrieval';
import {
  importArchive,
  type Store,
  writeArchive,
  type ArchiveSummary,
  type WrittenArchive,
} from '@causantic/storage';
import { untilInterrupted } from '../interruption.js';
import { installing } from '../model-list.js';
import { withMemory } from '../open-memory.js';
import { filePlace } from '../output-file.js';
import { version } from '../own-program.js';
import { askNewPassphrase, askPassphrase, passphraseOf } from '../passphrase.js';

interface ExportFlags {
  passphrase?: boolean;
  passphraseEnv?: string;
  force?: boolean;
  json?: boolean;
}

interface ImportFlags {
  passphraseEnv?: string;
  replace?: boolean;
  json?: boolean;
}

/** `causantic export` and `causantic import`: the whole memory as one file, for another machine or for safety. */
export function addArchiveCommands(program: Command): void {
  program
    .command('export')
    .description('Write the whole memory to one file, for import into another home.')
    .argument('<file>', 'the file to write')
    .option('--passphrase', 'encrypt the file; asks for a passphrase')
    .option('--passphrase-env <name>', 'encrypt the file with the passphrase in this environment variable')
    .option('--force', 'overwrite an existing file')
    .option('--json', 'print what was written as JSON')
    .action(async (file: string, flags: ExportFlags) => {
      const home = causanticHome();
      const written = await untilInterrupted((signal) =>
        withMemory(home, (store) => exportMemory(store, resolve(file), flags, { home, signal })),
      );
      print(flags.json ? JSON.stringify(written, null, 2) : exportReport(written));
    });
  program
    .command('import')
    .description('Load an exported file as the memory of this home.')
    .argument('<file>', 'a file written by causantic export')
    .option('--passphrase-env <name>', 'read the passphrase from this environment variable instead of asking')
    .option('--replace', 'replace the memory of this home')
    .option('--json', 'print what was imported as JSON')
    .action(async (file: string, flags: ImportFlags) => {
      const summary = await untilInterrupted((signal) => importMemory(resolve(file), flags, signal));
      print(flags.json ? JSON.stringify(summary, null, 2) : `Imported ${contents(summary)}.`);
      await noteMissingModel(summary);
    });
}

async function exportMemory(
  store: Store,
  path: string,
  flags: ExportFlags,
  { home, signal }: { home: string; signal: AbortSignal },
): Promise<WrittenArchive> {
  // A link stays: the archive takes the place of what it leads to.
  const target = filePlace('file', path);
  // A device would be gone.
  if (existsSync(path) && !statSync(path).isFile())
    throw new InvalidArgumentError('file', path, 'a file, not a device or a pipe');
  if (existsSync(path) && !flags.force)
    throw new InvalidArgumentError('file', path, 'a new file, or --force');
  if (isMemory(target, home))
    throw new InvalidArgumentError('file', path, 'another file than the memory itself');
  const passphrase = await newPassphrase(flags);
  return writeArchive(store, {
    path: target,
    program: `causantic ${version}`,
    temporaryFolder: home,
    signal,
    ...(passphrase !== undefined && { passphrase }),
  });
}

/** The database, or a file that SQLite keeps beside it, however its path is written. */
function isMemory(path: string, home: string): boolean {
  const database = realPath(databasePath(home));
  return ['', '-wal', '-shm'].some((ending) => realPath(path) === `${database}${ending}`);
}

async function newPassphrase({ passphrase, passphraseEnv }: ExportFlags): Promise<string | undefined> {
  if (passphraseEnv !== undefined) return passphraseOf(passphraseEnv);
  return passphrase ? askNewPassphrase() : undefined;
}

async function importMemory(
  path: string,
  { passphraseEnv, replace }: ImportFlags,
  signal: AbortSignal,
): Promise<ArchiveSummary> {
  if (!existsSync(path)) throw new NotFoundError(`No such file: ${path}`);
  const home = causanticHome();
  const { encryption: _encryption, ...summary } = await importArchive(databasePath(home), {
    path,
    temporaryFolder: home,
    signal,
    replace: replace === true,
    onWait: waitingNotice('causantic'),
    passphrase: () =>
      passphraseEnv === undefined ? askPassphrase('Passphrase: ') : passphraseOf(passphraseEnv),
  });
  // They were made of the memory that was here.
  removeIndexFiles(join(home, 'indexes'), { except: [] });
  return summary;
}

/** Without their model the vectors are useless; until it is installed, search uses words alone. */
async function noteMissingModel({ model }: ArchiveSummary): Promise<void> {
  if (model === null) return;
  try {
    await findModel(modelsFolder(causanticHome()), model);
  } catch (error) {
    // Who chose none has the built-in one: an earlier program's is not to be had, this one's vectors are made anew.
    const isChosen = await withMemory(causanticHome(), (store) => store.embedding.state().chosen === model);
    const advice = isChosen ? installing(model) : 'causantic-reindex';
    printAside(`Note: ${errorMessage(error)} Until then, search uses words alone. To fix this: ${advice}`);
  }
}

function exportReport(written: WrittenArchive): string {
  const secrecy = written.encrypted ? 'encrypted' : 'not encrypted: anyone who has the file can read it';
  return `Wrote ${contents(written)} to ${written.path} (${megabytes(written.bytes)}, ${secrecy}).`;
}

function contents({ projects, sessions, chunks }: ArchiveSummary): string {
  return `${counted(chunks, 'chunk')} of ${counted(sessions, 'session')} in ${counted(projects, 'project')}`;
}
