import { basename, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { InvalidArgumentError, print, printable, printAside, REPOMAP_TOKENS } from '@causantic/domain';
import { StepBar } from '@causantic/domain/step-bar';
import { MAP_DISABLED, sessionFiles, type ToolContext } from '@causantic/mcp-server';
import { buildRepoMap, renderHtml, type RepoMap } from '@causantic/repomap';
import { withServices } from '../open-memory.js';
import { filePlace, writeOutput } from '../output-file.js';
import { page } from '../pager.js';

interface RepomapFlags {
  focusFiles?: string;
  maxTokens?: string;
  json?: boolean;
  html?: string;
  /** False after `--no-session`. */
  session: boolean;
}

/** `causantic repomap [path]`: the tool's answer, its data, or a page to look at. */
export function addRepomapCommand(program: Command): void {
  program
    .command('repomap')
    .description('Summarize a source tree: what is defined where, most used first.')
    .argument('[path]', 'folder to map', '.')
    .option('--focus-files <list>', 'comma-separated files to list first')
    .option('--max-tokens <number>', 'size of the map in tokens (default: the setting repomap.maxTokens)')
    .option('--no-session', 'ignore which files current work touched')
    .option('--json', 'print files with ranks and definitions as JSON')
    .option('--html <file>', 'write a self-contained HTML page')
    .action(async (path: string, flags: RepomapFlags) => {
      if (flags.html !== undefined) filePlace('html', resolve(flags.html));
      const map = await withServices(async (services) => {
        const context = services.context();
        return context.config.repomap.enabled ? mapOf(path, flags, context) : undefined;
      });
      const isPage = map !== undefined && flags.html !== undefined;
      if (isPage) writeOutput(flags.html!, renderHtml(map, basename(resolve(path))));
      if (flags.json) return print(JSON.stringify(map ?? { text: MAP_DISABLED }, null, 2));
      if (isPage) print(`Wrote ${resolve(flags.html!)}`);
      else await page(`${printable(map?.text ?? MAP_DISABLED)}\n`);
      tellIssues(map?.issues ?? []);
    });
}

const ISSUES_TOLD = 5;

/** Beside the map, which does not say what it lacks. */
function tellIssues(issues: RepoMap['issues']): void {
  const [unkept] = issues.filter(({ code }) => code === 'CACHE_FAILED');
  const missing = issues.filter(({ code }) => code !== 'CACHE_FAILED');
  const told = new Set([
    ...(unkept ? [`The next map takes as long as this one: ${unkept.message}`] : []),
    ...missing.map(({ file, message }) => `Not in the map: ${file} (${message})`),
  ]);
  for (const line of [...told].slice(0, ISSUES_TOLD)) printAside(line);
  if (told.size > ISSUES_TOLD) printAside(`… and ${told.size - ISSUES_TOLD} more; --json has all of them.`);
}

async function mapOf(path: string, flags: RepomapFlags, context: ToolContext): Promise<RepoMap> {
  const { config, home, workers } = context;
  const progress = new StepBar();
  try {
    return await buildRepoMap({
      root: path,
      focusFiles: flags.focusFiles?.split(',') ?? [],
      sessionFiles: flags.session ? sessionFiles(path, context) : [],
      maxTokens: flags.maxTokens === undefined ? config.repomap.maxTokens : tokens(flags.maxTokens),
      cacheDir: join(home, 'repomap'),
      pool: await workers(),
      onProgress: (done, total) => progress.show('Reading files', done, total),
      includeDetails: flags.json === true || flags.html !== undefined,
    });
  } finally {
    progress.stop();
  }
}

/** As the tool takes it. */
function tokens(text: string): number {
  const value = Number(text);
  const { least, most } = REPOMAP_TOKENS;
  if (!Number.isInteger(value) || value < least || value > most)
    throw new InvalidArgumentError('max-tokens', text, `a whole number from ${least} to ${most}`);
  return value;
}
