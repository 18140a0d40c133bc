import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import {
  causanticHome,
  counted,
  InvalidArgumentError,
  print,
  type ProjectDraft,
  projectOf,
} from '@causantic/domain';
import { findProject, requireProject } from '@causantic/mcp-server';
import type { Store } from '@causantic/storage';
import { withMemory } from '../open-memory.js';

/** `causantic join`: one project of two, as a folder that was moved is to memory. */
export function addJoinCommand(program: Command): void {
  program
    .command('join')
    .description(
      'Merge one project into another: a folder that was moved or renamed, a second clone, or the same project under ' +
        'another path. Its past and future sessions then belong to the other project. This cannot be undone.',
    )
    .argument('<project>', 'name or folder of the project to merge')
    .argument('<into>', 'name or folder of the project to merge it into; a folder may be new to memory')
    .option('--dry-run', 'only say what would be joined, and change nothing')
    .action((project: string, into: string, { dryRun }: { dryRun?: boolean }) =>
      withMemory(causanticHome(), async (store) => print(await join(store, project, into, dryRun === true))),
    );
}

async function join(store: Store, project: string, into: string, isDryRun: boolean): Promise<string> {
  const former = requireProject(store, project);
  const known = findProject(store, into);
  const target = known ?? folderOf(into);
  if (!target || target.path === former.path)
    throw new InvalidArgumentError(
      'into',
      into,
      `a project other than "${former.slug}", or an existing folder`,
    );
  const sessions = store.sessions.list({ projectId: former.id });
  const chunks = sessions.reduce((sum, session) => sum + session.chunks, 0);
  const what = `"${former.slug}" (${former.path}; ${counted(sessions.length, 'session')}, ${counted(chunks, 'chunk')})`;
  if (isDryRun) return `Would join ${what} to ${known ? `"${known.slug}" (${known.path})` : target.path}.`;
  const { linkSessions } = await import('@causantic/ingest');
  const id = known?.id ?? store.projects.ensure(target as ProjectDraft);
  store.projects.join(former.id, id);
  linkSessions(store);
  return [
    `Joined ${what} to "${store.projects.get(id)!.slug}" (${target.path}).`,
    `Future sessions in ${former.path} belong to it, too.`,
  ].join('\n');
}

/** What a folder is the project of, also before anything is remembered of it. */
function folderOf(name: string): ProjectDraft | undefined {
  // A variable that is not set is no name of the current folder.
  if (name.trim() === '') return undefined;
  const folder = resolve(name);
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? projectOf(folder) : undefined;
}
