import { causanticHome } from '@causantic/domain';
import { usesClaudeCode } from '../clients/claude-code.js';
import type { ClientPlace, OtherClient, Registration } from '../clients/client.js';
import { isOnPath } from '../clients/on-path.js';
import { otherClients } from '../clients/other-clients.js';
import { type Check, failure, info, ok, warning } from './check.js';
import { attempt, missingFile } from './client-checks.js';

/** Whether the clients that are there, but for Claude Code, start the server. Those that nobody attached may be meant so. */
export function checkOtherClients(place: ClientPlace): Check[] {
  const clients = otherClients(place.env);
  const checks = clients.map((client) => attempt(client.name, () => check(client, place)));
  const isNowhere = !usesClaudeCode(place.env) && checks.every(({ status }) => status === 'info');
  return isNowhere ? checks.map((each) => ({ ...each, status: 'warning' })) : checks;
}

function check(client: OtherClient, place: ClientPlace): Check {
  const { name } = client;
  const fix = client.attach(place);
  const found = client.registration(place);
  if (!found) return { ...info(name, 'the server is not registered'), fix };
  const renewed = `${found.detach} && ${fix}`;
  const { command, script } = found;
  if (command !== undefined && isUnknown(command, place.env))
    return failure(name, `${found.file} names ${command}, which is not on the path`, 'put it there');
  const words = [command, script].filter((word) => word !== undefined);
  const missing = missingFile(words, place.projectDir);
  if (missing !== undefined)
    return failure(name, `${found.file} names ${missing}, which is not there`, renewed);
  if (found.isDisabled)
    return warning(name, `switched off in ${found.file}`, 'take enabled = false out of it');
  const [home, own] = [homeOf(found, place.env), causanticHome(place.env)];
  if (home !== own) return warning(name, `${found.file} keeps its memory in ${home}, not in ${own}`, renewed);
  return ok(name, `registered in ${found.file}`);
}

function isUnknown(command: string, env: NodeJS.ProcessEnv): boolean {
  return !/[\\/]/.test(command) && !isOnPath(command, env);
}

function homeOf({ home, seesEnvironment }: Registration, env: NodeJS.ProcessEnv): string {
  if (home !== undefined) return causanticHome({ CAUSANTIC_HOME: home });
  return causanticHome(seesEnvironment ? env : {});
}
