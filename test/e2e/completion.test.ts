import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collected, MemoryHome, SERVER } from './memory-home.js';
import { sessionId, TranscriptBuilder } from './transcript-builder.js';

let memory: MemoryHome;
/** As the help lists them. */
let commands: string[];

beforeAll(async () => {
  memory = new MemoryHome();
  for (const [n, name] of ['mill', 'mill-風車', 'heron'].entries()) {
    new TranscriptBuilder({
      session: sessionId(`aaaa000${n}`),
      cwd: `/home/ada/${name}`,
      start: '2026-02-01T10:00:00Z',
    })
      .exchange(`What grinds corn number ${n}?`, `Stone number ${n} grinds the corn.`)
      .writeTo(memory.projects);
  }
  await memory.ingest();
  const { stdout: help } = await memory.causantic('--help');
  commands = [...help.matchAll(/^ {2}([a-z][a-z-]*)(?: |$)/gm)]
    .map(([, name]) => name!)
    .filter((name) => name !== 'help');
});
afterAll(() => memory.remove());

const isThere = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0;

const scripts = new Map<string, Promise<string>>();

/** The path of the script that the program gives. */
function scriptFor(shell: string): Promise<string> {
  const script = scripts.get(shell) ?? writeScript(shell);
  scripts.set(shell, script);
  return script;
}

async function writeScript(shell: string): Promise<string> {
  const { code, stdout, stderr } = await memory.causantic('completion', shell);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const file = join(memory.folder, `completion.${shell}`);
  writeFileSync(file, stdout);
  return file;
}

async function output(shell: string, ...args: string[]): Promise<string[]> {
  const env = { ...process.env, CAUSANTIC_HOME: memory.home };
  const child = spawn(shell, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr] = [collected(child.stdout), collected(child.stderr)];
  const [code] = (await once(child, 'close')) as [number];
  // A machine may lack the locale that its user asks for.
  const complaints = stderr.text().replace(/^.*setlocale.*\n/gm, '');
  expect({ code, complaints }).toEqual({ code: 0, complaints: '' });
  return stdout.text().split('\n').filter(Boolean);
}

/** What is typed, with the cursor at its end, and what is offered. */
const CASES: readonly [typed: string, offered: string[], notOffered: string[]][] = [
  ['causantic sea', ['search'], ['recall']],
  ['causantic ', ['search', 'config', 'completion'], []],
  ['causantic config ', ['get', 'set', 'validate'], ['search']],
  [
    'causantic config set repomap.',
    ['repomap.enabled', 'repomap.maxTokens', 'repomap.useSession'],
    ['tokens.mcpMaxResponse'],
  ],
  ['causantic search corn --', ['--json', '--project', '--agent'], ['--before']],
  ['causantic search corn --project mi', ['mill', 'mill-風車'], ['heron']],
  ['causantic search corn --s', ['--set'], ['--json']],
  ['causantic config validate --', ['--json', '--set'], ['--version']],
  ['causantic reconstruct h', ['heron'], ['mill']],
  ['causantic forget mill --no-', ['--no-dry-run'], ['--json']],
  ['causantic completion z', ['zsh'], ['bash']],
  // Files, which the shell itself offers.
  ['causantic import ', [], ['--replace']],
  ['causantic import --', ['--replace'], []],
];

describe.runIf(isThere('bash'))('bash', () => {
  it.each(CASES)('"%s" offers %j', async (typed, offered, notOffered) => {
    const words = typed.split(' ');
    const program = [
      `causantic() { "${process.execPath}" "${SERVER}" "$@"; }`,
      `source "${await scriptFor('bash')}"`,
      `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}`,
      '_causantic; printf "%b\\n" "${COMPREPLY[@]}"',
    ];
    const found = await output('bash', '--norc', '-c', program.join('\n'));
    expect(found.map(unquoted)).toEqual(expect.arrayContaining(offered));
    for (const word of notOffered) expect(found).not.toContain(word);
  });
});

/** Some versions of bash write other scripts as $'\347…'. */
function unquoted(word: string): string {
  return /^\$'.*'$/.test(word) ? word.slice(2, -1) : word;
}

describe.runIf(isThere('fish'))('fish', () => {
  it.each(CASES)('"%s" offers %j', async (typed, offered, notOffered) => {
    const program = [
      `function causantic; "${process.execPath}" "${SERVER}" $argv; end`,
      `source "${await scriptFor('fish')}"`,
      `complete -C '${typed}'`,
    ];
    const found = (await output('fish', '--no-config', '-c', program.join('\n'))).map(
      (line) => line.split('\t')[0]!,
    );
    expect(found).toEqual(expect.arrayContaining(offered));
    for (const word of notOffered) expect(found).not.toContain(word);
  });
});

it.runIf(isThere('zsh'))('zsh reads its script', async () => {
  expect(await output('zsh', '--no-rcs', '-n', await scriptFor('zsh'))).toEqual([]);
});

it.each(['bash', 'zsh', 'fish', 'powershell'])(
  'the script for %s knows every command and option',
  async (shell) => {
    const script = readFileSync(await scriptFor(shell), 'utf8');
    expect(commands.length).toBeGreaterThan(15);
    for (const name of commands) expect(script).toMatch(new RegExp(`\\b${name}\\b`));
    for (const option of ['passphrase-env', 'allow-remote', 'days-back', 'no-dry-run'])
      expect(script).toContain(option);
  },
);

it('another shell is refused by name', async () => {
  const { code, stderr } = await memory.causantic('completion', 'tcsh');
  expect(code).toBe(2);
  expect(stderr).toContain('bash, zsh, fish, powershell');
});

describe('help', () => {
  it('of every command has examples', async () => {
    for (const name of commands) {
      expect((await memory.causantic(name, '--help')).stdout, name).toMatch(/^Examples:$/m);
    }
  });
});

describe('colours', () => {
  it.each<[env: Record<string, string>, coloured: boolean]>([
    [{}, false],
    [{ FORCE_COLOR: '1' }, true],
    [{ FORCE_COLOR: '1', NO_COLOR: '1' }, false],
    [{ FORCE_COLOR: '0' }, false],
  ])('with %j into a pipe: %s', async (env, coloured) => {
    const { stdout } = await memory.causanticWith(env, 'search', 'corn');
    expect(stdout.match(/\[Session: /g)!.length).toBeGreaterThan(1);
    expect(stdout.includes('\u001b[')).toBe(coloured);
    expect(/^\[Session: /m.test(stdout)).toBe(!coloured);
  });
});
