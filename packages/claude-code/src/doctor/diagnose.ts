import { causanticHome } from '@causantic/domain';
import type { Check } from './check.js';
import { checkClient, checkHookRuns } from './client-checks.js';
import { checkConfig, checkHome, checkNativeModules, checkNode } from './machine-checks.js';
import { checkDatabase, checkModel, checkTranscripts } from './memory-checks.js';

/** Look at everything that can be wrong with an installation. Changes nothing. */
export async function diagnose(options: { projectDir: string; env: NodeJS.ProcessEnv }): Promise<Check[]> {
  const home = causanticHome(options.env);
  return [
    checkNode(),
    checkHome(home),
    checkConfig(home, options.projectDir, options.env),
    ...checkNativeModules(),
    checkDatabase(home),
    await checkModel(home),
    await checkTranscripts(home, options.env),
    ...checkClient(options),
    checkHookRuns(home),
  ];
}
