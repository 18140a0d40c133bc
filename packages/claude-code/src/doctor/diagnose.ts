import { causanticHome } from '@causantic/domain';
import { SQLITE_PACKAGE } from '@causantic/storage';
import { type Check, info } from './check.js';
import { checkClient, checkHookRuns } from './client-checks.js';
import { checkConfig, checkDisk, checkHome, checkNativeModules, checkNode } from './machine-checks.js';
import { checkDatabase, checkModel, checkProject, checkTranscripts } from './memory-checks.js';

/** Look at everything that can be wrong with an installation. Changes nothing. */
export async function diagnose(options: { projectDir: string; env: NodeJS.ProcessEnv }): Promise<Check[]> {
  const home = causanticHome(options.env);
  const nativeModules = await checkNativeModules();
  return [
    checkNode(),
    checkHome(home),
    checkDisk(home),
    checkConfig(home, options.projectDir, options.env),
    ...nativeModules,
    ...(await checkMemory(home, options, nativeModules)),
    ...checkClient(options),
    checkHookRuns(home),
  ];
}

async function checkMemory(
  home: string,
  { projectDir, env }: { projectDir: string; env: NodeJS.ProcessEnv },
  nativeModules: readonly Check[],
): Promise<Check[]> {
  const broken = nativeModules.find(({ name, status }) => name === SQLITE_PACKAGE && status === 'error');
  if (broken) return [info('database', `as it was, and out of reach without ${broken.name}`)];
  return [
    checkDatabase(home),
    await checkProject(home, projectDir),
    await checkModel(home),
    await checkTranscripts(home, env),
  ];
}
