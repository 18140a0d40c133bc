import { type Config, loadConfig, madeOnce } from '@causantic/domain';
import type { Exclusion } from './exclusion.js';

/**
 * The settings for reading a session: those of the user and of its own project, as for a hook in its folder; other projects
 * have no say in it. Without a folder, those of the user.
 * @throws ConfigError
 */
export function ingestSettings(home: string, folder?: string): Config['ingest'] {
  return loadConfig({ home, projectDir: folder, env: process.env }).ingest;
}

/** What the caller leaves out everywhere, and what the settings leave out of each session; looked up once a folder. */
export function exclusionBySettings(home: string, paths: readonly string[]): Exclusion {
  const known = new Map<string | undefined, readonly string[]>();
  const ofSession = (folder?: string): readonly string[] =>
    madeOnce(known, folder, () => ingestSettings(home, folder).excludePaths);
  return { paths, ofSession };
}
