import { causanticHome } from '@causantic/domain';
import { SQLITE_PACKAGE } from '@causantic/storage';
import { type Check, info } from './check.js';
import type { ClientPlace } from '../clients/client.js';
import { usesClaudeCode } from '../clients/claude-code.js';
import { checkClient, checkHookRuns } from './client-checks.js';
import { checkOtherClients } from './other-client-checks.js';
import { checkConfig, checkDisk, checkHome, checkNativeModules, checkNode } from './machine-checks.js';
import { checkDatabase, checkModel, checkProject, checkTranscripts } from './memory-checks.js';

const WITHOUT_CLAUDE_CODE = info('mcp', 'Claude Code was not found, so its settings were not checked');

/** Checks everything that can be wrong with an installation. Changes nothing. */
export async function diagnose(options: ClientPlace): Promise<Check[]> {
  const home = causanticHome(options.env);
  const nativeModules = await checkNativeModules();
  const claudeCode = usesClaudeCode(options.env) ? checkClient(options) : [WITHOUT_CLAUDE_CODE];
  const isInClaudeCode = claudeCode.some(({ name, status }) => name === 'mcp' && status === 'ok');
  return [
    checkNode(),
    checkHome(home),
    checkDisk(home),
    checkConfig(home, options.projectDir, options.env),
    ...nativeModules,
    ...(await checkMemory(home, options, nativeModules, isInClaudeCode)),
    ...claudeCode,
    ...(await checkOtherClients(options)),
    checkHookRuns(home),
  ];
}

async function checkMemory(
  home: string,
  place: ClientPlace,
  nativeModules: readonly Check[],
  isInClaudeCode: boolean,
): Promise<Check[]> {
  const broken = nativeModules.find(({ name, status }) => name === SQLITE_PACKAGE && status === 'error');
  if (broken) return [info('database', `unchanged, but not readable without ${broken.name}`)];
  return [
    checkDatabase(home),
    checkProject(home, place.projectDir),
    await checkModel(home),
    await checkTranscripts(home, place, isInClaudeCode),
  ];
}
