import { existsSync } from 'node:fs';
import { isAbsolute, join, parse, resolve } from 'node:path';
import * as z from 'zod';
import { homeFolder, InvalidArgumentError, realPath, REPOMAP_TOKENS } from '@causantic/domain';
import { findProject, optionalName, optionalText } from '../arguments.js';
import { defineTool, ifReadable, READ_ONLY, type ToolContext } from '../tool.js';
import { sessionFiles } from './session-files.js';

/** The answer of tool and command if `repomap.enabled` is false. */
export const MAP_DISABLED = 'Repo map is disabled in configuration.';

export const repomapTool = defineTool({
  name: 'repomap',
  title: 'Repository map',
  description:
    'Get a compact structural summary of a project: files, definitions, and cross-file relationships. ' +
    'Use it for code orientation ("what is defined where?") before reading files.',
  input: z.strictObject({
    project: optionalName('Absolute path to the project root. Defaults to current working directory.'),
    focus_files: optionalText('Comma-separated file paths to boost to the top of the output.'),
    max_tokens: z
      .int()
      .min(REPOMAP_TOKENS.least, `a whole number of at least ${REPOMAP_TOKENS.least}`)
      .max(REPOMAP_TOKENS.most, `at most ${REPOMAP_TOKENS.most}`)
      .optional()
      .describe('Maximum tokens for the output. Default: from config (repomap.maxTokens).'),
  }),
  annotations: READ_ONLY,
  async run({ project, focus_files, max_tokens }, context, { signal, onProgress, folder }) {
    const { config, mostTokens = Infinity, home, projectDir, workers } = context;
    if (!config.repomap.enabled) return { text: MAP_DISABLED };
    const { buildRepoMap } = await import('@causantic/repomap');
    const focusFiles = (focus_files ?? '').split(',').map((file) => file.trim());
    const isPlace = project !== undefined && isAbsolute(project);
    const place = rootOf(project, (isPlace ? undefined : await folder?.()) ?? projectDir);
    const root = existsSync(place) ? place : (folderInMemory(project, context) ?? place);
    const map = await buildRepoMap({
      root,
      focusFiles: focusFiles.filter((file) => file !== ''),
      sessionFiles: sessionFiles(root, context),
      maxTokens: Math.min(max_tokens ?? config.repomap.maxTokens, mostTokens),
      cacheDir: join(home, 'repomap'),
      pool: await workers(),
      ...(signal && { signal }),
      ...(onProgress && { onProgress }),
    });
    const { text, details: _details, ...diagnostics } = map;
    return { text, diagnostics };
  },
});

function rootOf(project: string | undefined, projectDir: string | undefined): string {
  if (project === undefined && projectDir !== undefined && isNoProject(projectDir)) {
    throw new InvalidArgumentError(
      'project',
      project,
      `the absolute path of a project, because the server runs in ${projectDir}, which is not a project`,
    );
  }
  if (projectDir !== undefined) return resolve(projectDir, project ?? '.');
  if (project !== undefined && isAbsolute(project)) return project;
  throw new InvalidArgumentError(
    'project',
    project,
    'the absolute path of a folder, because the folder this server was started in was deleted',
  );
}

/** All other tools take a project's name: where no folder is called so, it is looked up for the map, too. */
function folderInMemory(project: string | undefined, context: ToolContext): string | undefined {
  if (project === undefined) return undefined;
  const path = ifReadable(context, () => findProject(context.store, project)?.path);
  return path !== undefined && existsSync(path) ? path : undefined;
}

/** Folders where applications start servers: a map of everything there takes minutes and is useless. */
function isNoProject(folder: string): boolean {
  return folder === parse(folder).root || realPath(folder) === realPath(homeFolder());
}
