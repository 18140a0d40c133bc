import { causanticHome, errorMessage } from '@causantic/domain';
import { usesClaudeCode } from '../clients/claude-code.js';
import type { ClientPlace, OtherClient, Registration } from '../clients/client.js';
import { isOnPath } from '../clients/on-path.js';
import { detaching, otherClients } from '../clients/other-clients.js';
import { type Check, failure, info, ok, warning } from './check.js';
import { missingFile, otherHome } from './client-checks.js';

/** Whether the clients that are there, but for Claude Code, start the server. Those that nobody attached may be meant so. */
export async function checkOtherClients(place: ClientPlace): Promise<Check[]> {
  const checks = await Promise.all(otherClients(place.env).map((client) => checkClient(client, place)));
  const isNowhere = !usesClaudeCode(place.env) && checks.every(({ status }) => status === 'info');
  return isNowhere ? checks.map((each) => ({ ...each, status: 'warning' })) : checks;
}

async function checkClient(client: OtherClient, place: ClientPlace): Promise<Check> {
  const fix = client.attach(place);
  try {
    const found = await client.registration(place);
    if (!found) return { ...info(client.name, 'the server is not registered'), fix };
    return checkRegistration(client.name, found, fix, place);
  } catch (error) {
    return failure(client.name, errorMessage(error), 'fix the file');
  }
}

function checkRegistration(
  name: string,
  found: Registration,
  attach: string,
  { env, projectDir }: ClientPlace,
): Check {
  const { file, command, switchedOff } = found;
  const renewed = `${detaching(found)}${found.detach === undefined ? ', then' : ' &&'} ${attach}`;
  if (command !== undefined && isUnknown(command, env))
    return failure(name, `${file} names ${command}, which is not on the PATH`, 'add it to the PATH');
  const missing = missingFile(found, projectDir);
  if (missing !== undefined) return failure(name, `${file} names ${missing}, which does not exist`, renewed);
  if (switchedOff) return warning(name, `disabled in ${switchedOff.file}`, switchedOff.fix);
  const home = otherHome(found, env);
  if (home !== undefined)
    return warning(name, `${file} keeps its memory in ${home}, not in ${causanticHome(env)}`, renewed);
  if (found.unseenFolder !== undefined)
    return warning(name, `${file} does not tell the server about ${found.unseenFolder}`, renewed);
  return ok(name, `registered in ${file}`);
}

function isUnknown(command: string, env: NodeJS.ProcessEnv): boolean {
  return !/[\\/]/.test(command) && !isOnPath(command, env);
}
