import type { Command } from 'commander';
import { print } from '@causantic/domain';
import { type Check, type CheckStatus, diagnose } from '@causantic/claude-code';
import { ownProgram } from '../own-program.js';

const SIGNS: Record<CheckStatus, string> = { ok: 'ok  ', info: 'info', warning: 'WARN', error: 'FAIL' };

/** `causantic doctor`: exit code 1 when something does not work. */
export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('Check everything that can be wrong with an installation, and say how to fix it.')
    .option('--json', 'print the checks as JSON')
    .action(async ({ json = false }: { json?: boolean }) => {
      const checks = await diagnose({ projectDir: process.cwd(), env: process.env, program: ownProgram() });
      print(json ? JSON.stringify(checks, null, 2) : listOf(checks));
      if (checks.some(({ status }) => status === 'error')) process.exitCode = 1;
    });
}

function listOf(checks: readonly Check[]): string {
  const width = Math.max(...checks.map(({ name }) => name.length));
  const lines = checks.map(({ name, status, message, fix }) => {
    const beginning = `${SIGNS[status]}  ${name.padEnd(width)}  `;
    // What a parser says of a file may quote several lines of it.
    const line = message.replace(/\s+/g, ' ');
    return `${beginning}${line}${fix === undefined ? '' : `\n${' '.repeat(beginning.length)}→ ${fix}`}`;
  });
  return lines.join('\n');
}
