import { existsSync } from 'node:fs';
import { ConfigError, folderWithGit } from '@causantic/domain';
import { foldersBetween, serverIn } from '../clients/entries.js';
import { installedHooks } from './hook-settings.js';
import { inSettings } from './json-text.js';
import { type Places, placesOf } from './places.js';
import { skillsFor } from './skills.js';

/**
 * The folder that `init --scope project` was called in, as seen from one of its subfolders: the nearest one, up to the
 * repository's, that has anything of ours. The folder itself where there is none.
 */
export function registeredFolder(folder: string, env: NodeJS.ProcessEnv): string {
  const folders = foldersBetween(folderWithGit(folder) ?? folder, folder).reverse();
  return folders.find((each) => hasOurs(placesOf('project', each, env))) ?? folder;
}

function hasOurs({ mcp, settings, skills }: Places): boolean {
  try {
    return (
      serverIn(mcp) !== undefined ||
      inSettings(settings, installedHooks).size > 0 ||
      skillsFor(skills).some(({ file }) => existsSync(file))
    );
  } catch (error) {
    // Whoever asks reads it, too, and tells of it.
    if (error instanceof ConfigError) return true;
    throw error;
  }
}
