import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ClineSession } from '../../packages/ingest/test/cline-session.js';
import { CopilotSession } from '../../packages/ingest/test/copilot-session.js';
import { OpencodeDatabase } from '../../packages/ingest/test/opencode-database.js';
import { QwenSession } from '../../packages/ingest/test/qwen-session.js';
import { ClaudeHome } from './claude-home.js';

const PROGRAM = fileURLToPath(new URL('../../apps/mcp-server/bin/causantic.mjs', import.meta.url));

let home: ClaudeHome;

beforeEach(() => {
  home = new ClaudeHome();
  rmSync(dirname(home.settings), { recursive: true });
  // None of the clients that whoever runs this test may have.
  home.env['PATH'] = home.folder;
});
afterEach(() => home.remove());

function write(text: string, ...path: string[]): void {
  const file = join(home.folder, ...path);
  mkdirSync(dirname(file), { recursive: true });
  home.write(file, text);
}

function putOnPath(): void {
  home.env['PATH'] = [join(home.folder, 'bin'), home.folder].join(delimiter);
  write('', 'bin', process.platform === 'win32' ? 'causantic.cmd' : 'causantic');
}

/** A session that Codex has kept. */
function writeRollout(): string {
  const at = { timestamp: '2026-02-03T10:00:00.000Z' };
  const said = (role: string, type: string, text: string) => ({
    ...at,
    type: 'response_item',
    payload: { type: 'message', role, content: [{ type, text }] },
  });
  const lines = [
    { ...at, type: 'session_meta', payload: { id: 'c0de0001', cwd: home.project, cli_version: '0.169.0' } },
    said('user', 'input_text', 'Oil the hinges.'),
    said('assistant', 'output_text', 'Done.'),
  ];
  const path = ['.codex', 'sessions', '2026', '02', '03', 'rollout-2026-02-03T10-00-00-c0de0001.jsonl'];
  write(lines.map((line) => `${JSON.stringify(line)}\n`).join(''), ...path);
  return join(home.folder, ...path);
}

const lineOf = (name: string, report: string): string =>
  new RegExp(`^.{4} {2}${name} .*(\\n +→ .*)?`, 'm').exec(report)?.[0] ?? '';

describe('where there is no Claude Code', () => {
  it('init registers nothing, reads what Codex kept, and names the command that attaches it', async () => {
    writeRollout();

    const dry = await home.causantic('init', '--dry-run');
    expect(dry.stdout).toContain('Claude Code was not found');
    expect(existsSync(home.memory)).toBe(false);
    const { code, stdout } = await home.causantic('init', '--yes');
    expect(code).toBe(0);
    expect(stdout).toContain('Claude Code was not found');
    expect(stdout).not.toContain('Registered');
    expect(stdout).not.toContain('session of Claude Code');
    expect(stdout).toContain('Read 1 session:');
    expect(stdout).toMatch(/\n {2}codex mcp add causantic -- .*causantic\.mjs"? serve\n/);
    expect(stdout).not.toContain('Any MCP client');
    expect(readdirSync(home.folder).sort()).toEqual(['.causantic', '.codex', 'shop']);
    // What a project shares is for others, who may have it.
    const shared = await home.causantic('init', '--scope', 'project', '--dry-run');
    expect(shared.stdout).toContain('register the MCP server: ~/shop/.mcp.json');
  });

  it('the doctor looks at Codex, and finds nothing wrong once it is attached', async () => {
    write('model = "some"\n', '.codex', 'config.toml');
    await home.causantic('init');
    const absent = await home.causantic('doctor');
    expect(absent.code).toBe(0);
    expect(lineOf('codex', absent.stdout)).toMatch(/^WARN.*not registered\n +→ codex mcp add causantic -- /);
    const entry = [
      `command = ${JSON.stringify(process.execPath)}`,
      `args = [${JSON.stringify(PROGRAM)}, "serve"]`,
    ];
    write(['[mcp_servers.causantic]', ...entry, ''].join('\n'), '.codex', 'config.toml');
    const attached = await home.causantic('doctor');
    expect(attached.stdout).not.toMatch(/^(WARN|FAIL)/m);
    expect(lineOf('codex', attached.stdout)).toMatch(/^ok/);
    const columns = attached.stdout.match(/^.{6}(?:hook runs|\S+) +/gm)!.map(({ length }) => length);
    expect(new Set(columns).size).toBe(1);
    expect((await home.causantic('init')).stdout).not.toMatch(/codex mcp add|Any MCP client/);
    const { stdout } = await home.causantic('uninstall');
    expect(stdout).toMatch(/Codex still starts the server[^]*codex mcp remove causantic/);
  });

  it('a home that Codex is not told of is warned of, and the command that mends it tells it', async () => {
    home.env['CAUSANTIC_HOME'] = join(home.folder, 'my memory');
    putOnPath();
    write('[mcp_servers.causantic]\ncommand = "causantic"\n', '.codex', 'config.toml');
    expect(lineOf('codex', (await home.causantic('doctor')).stdout)).toMatch(
      /^WARN.*keeps its memory in .*my memory\n +→ codex mcp remove causantic && codex mcp add causantic --env CAUSANTIC_HOME=/,
    );
    write('[plugins."causantic@causantic"]\nenabled = true\n', '.codex', 'config.toml');
    expect(lineOf('codex', (await home.causantic('doctor')).stdout)).toMatch(/^ok/);
  });

  it('a folder of Codex that the server is not told of is warned of, in which no sessions would be read', async () => {
    home.env['CODEX_HOME'] = join(home.folder, 'work');
    putOnPath();
    write('[mcp_servers.causantic]\ncommand = "causantic"\n', 'work', 'config.toml');
    expect(lineOf('codex', (await home.causantic('doctor')).stdout)).toMatch(
      /^WARN.*does not tell the server about .*work\n +→ codex mcp remove causantic && codex mcp add causantic --env CODEX_HOME=/,
    );
  });

  it('what Codex has kept waits for the server that it starts, or, where that does not read, for init', async () => {
    putOnPath();
    write('[mcp_servers.causantic]\ncommand = "causantic"\n', '.codex', 'config.toml');
    utimesSync(writeRollout(), 0, 1);
    expect(lineOf('transcripts', (await home.causantic('doctor')).stdout)).toMatch(
      /^info.*1 of 1 have unread content.*next session of Codex/,
    );
    home.env['CAUSANTIC_INGEST_BACKGROUND'] = 'false';
    expect(lineOf('transcripts', (await home.causantic('doctor')).stdout)).toMatch(/^WARN.*\n +→ .*init/);
  });

  it('Gemini CLI gets its extension', async () => {
    write('{}', '.gemini', 'settings.json');
    const { stdout } = await home.causantic('init');
    const [, folder] = /gemini extensions link "?([^"\n]+)"?\n/.exec(stdout)!;
    expect(existsSync(join(folder!, 'gemini-extension.json'))).toBe(true);
    const link = JSON.stringify({ source: folder, type: 'link' });
    write(link, '.gemini', 'extensions', 'causantic', '.gemini-extension-install.json');
    expect(lineOf('gemini', (await home.causantic('doctor')).stdout)).toMatch(
      /^FAIL.*causantic, which is not on the PATH/,
    );
    putOnPath();
    expect(lineOf('gemini', (await home.causantic('doctor')).stdout)).toMatch(/^ok/);
  });

  it('what Copilot CLI has kept is read, and found by the server that it starts', async () => {
    const folder = join(home.folder, '.copilot');
    write('{}', '.copilot', 'config.json');
    new CopilotSession('s1').prompt('Oil the hinges.').answer('Done.').writeTo(join(folder, 'session-state'));
    const { stdout } = await home.causantic('init', '--yes');
    expect(stdout).toContain('Read 1 session:');
    expect(stdout).toMatch(
      /To attach GitHub Copilot CLI \(the server reads its sessions.*\n {2}copilot mcp add causantic -- /,
    );
    putOnPath();
    write('{"mcpServers":{"causantic":{"command":"causantic"}}}', '.copilot', 'mcp-config.json');
    const later = new CopilotSession('s2').prompt('And the bell.').answer('Done.');
    utimesSync(later.writeTo(join(folder, 'session-state')), 0, 1);
    expect(lineOf('transcripts', (await home.causantic('doctor')).stdout)).toMatch(
      /^info.*1 of 2 have unread content.*next session of GitHub Copilot CLI/,
    );
  });

  it('what Qwen Code has kept is read, also where it keeps its sessions apart', async () => {
    const folder = join(home.folder, '.qwen');
    write('{}', '.qwen', 'settings.json');
    new QwenSession('s1').prompt('Oil the hinges.').answer('Done.').writeTo(join(folder, 'projects'));
    const { stdout } = await home.causantic('init', '--yes');
    expect(stdout).toContain('Read 1 session:');
    expect(stdout).toMatch(/To attach Qwen Code \(the server reads its sessions.*\n {2}qwen mcp add /);
    const apart = join(home.folder, 'apart');
    new QwenSession('s2').prompt('And the bell.').answer('Done.').writeTo(join(apart, 'projects'));
    home.env['QWEN_RUNTIME_DIR'] = apart;
    expect((await home.causantic('init', '--yes')).stdout).toContain('Read 1 session:');
  });

  it('what opencode has kept is read, and found by the server that it starts', async () => {
    const db = new OpencodeDatabase(join(home.folder, '.local', 'share', 'opencode'));
    db.session('ses_1').prompt('Oil the hinges.').answer('Done.');
    const { stdout } = await home.causantic('init', '--yes');
    expect(stdout).toContain('Read 1 session:');
    expect(stdout).toMatch(
      /To attach opencode \(the server reads its sessions.*\n {2}opencode mcp add causantic -- /,
    );
    putOnPath();
    write('{"mcp":{"causantic":{"command":["causantic"]}}}', '.config', 'opencode', 'opencode.json');
    db.session('ses_2').prompt('And the bell.').answer('Done.');
    expect(lineOf('transcripts', (await home.causantic('doctor')).stdout)).toMatch(
      /^info.*1 of 2 have unread content.*next session of opencode/,
    );
    db.close();
  });

  it('what Cline has kept is read, and found by the server that it starts', async () => {
    const folder = join(home.folder, '.cline', 'data');
    new ClineSession('s1').prompt('Oil the hinges.').answer('Done.').writeTo(join(folder, 'sessions'));
    const { stdout } = await home.causantic('init', '--yes');
    expect(stdout).toContain('Read 1 session:');
    expect(stdout).toMatch(/To attach Cline CLI \(the server reads its sessions.*\n {2}cline mcp add /);
    putOnPath();
    const settings = ['.cline', 'data', 'settings', 'cline_mcp_settings.json'];
    write('{"mcpServers":{"causantic":{"command":"causantic"}}}', ...settings);
    const later = new ClineSession('s2').prompt('And the bell.').answer('Done.');
    utimesSync(later.writeTo(join(folder, 'sessions')), 0, 1);
    expect(lineOf('transcripts', (await home.causantic('doctor')).stdout)).toMatch(
      /^info.*1 of 2 have unread content.*next session of Cline CLI/,
    );
  });

  it('opencode alone is told its command, is checked once attached, and is told how to end that', async () => {
    write('', '.local', 'share', 'opencode', 'opencode.db');
    expect((await home.causantic('init')).stdout).toMatch(
      /To attach opencode \(.*\n {2}opencode mcp add causantic -- .*causantic\.mjs"? serve\n/,
    );
    const absent = await home.causantic('doctor');
    expect(lineOf('opencode', absent.stdout)).toMatch(
      /^WARN.*not registered\n +→ opencode mcp add causantic/,
    );
    for (const other of ['codex', 'gemini', 'copilot', 'qwen', 'cline'])
      expect(lineOf(other, absent.stdout)).toBe('');
    const settings = ['.config', 'opencode', 'opencode.jsonc'];
    const entry = (...command: string[]): string =>
      JSON.stringify({ mcp: { causantic: { type: 'local', command } } });
    write(entry(process.execPath, PROGRAM, 'serve'), ...settings);
    const attached = await home.causantic('doctor');
    expect(attached.stdout).not.toMatch(/^(WARN|FAIL)/m);
    expect(lineOf('opencode', attached.stdout)).toMatch(/^ok/);
    write(entry('causantic', 'serve'), ...settings);
    expect(lineOf('opencode', (await home.causantic('doctor')).stdout)).toMatch(/^FAIL.*not on the PATH/);
    write(entry(process.execPath, '/gone/causantic.mjs', 'serve'), ...settings);
    expect(lineOf('opencode', (await home.causantic('doctor')).stdout)).toMatch(
      /^FAIL.*\/gone\/causantic\.mjs, which does not exist\n +→ remove causantic from .*jsonc, then opencode mcp add/,
    );
    expect((await home.causantic('uninstall')).stdout).toMatch(
      /opencode still starts the server[^]*\n {2}remove causantic from .*opencode\.jsonc\n/,
    );
  });

  it('the folder of a client that nobody knows is no reason to fail', async () => {
    write('# recall', '.claude', 'skills', 'other', 'SKILL.md');
    const { stdout } = await home.causantic('init');
    expect(stdout).toMatch(/Any MCP client can start the server: .*serve\n/);
    const [, entry] = /\n {2}"causantic": (\{.*\})\n/.exec(stdout)!;
    expect(JSON.parse(entry!)).toEqual({ command: process.execPath, args: [PROGRAM, 'serve'] });
    home.env['CAUSANTIC_HOME'] = join(home.folder, 'my memory');
    expect((await home.causantic('init')).stdout).toContain(
      `,"env":{"CAUSANTIC_HOME":${JSON.stringify(home.env['CAUSANTIC_HOME'])}}}\n`,
    );
    delete home.env['CAUSANTIC_HOME'];
    const doctor = await home.causantic('doctor');
    expect(doctor.code).toBe(0);
    expect(doctor.stdout).not.toMatch(/^(WARN|FAIL)/m);
  });
});

it('beside Claude Code, init says how to attach the others, whatever state their settings are in', async () => {
  write('{}', '.claude', 'settings.json');
  write('[mcp_servers.other]\ncommand = "x"\n', '.codex', 'config.toml');
  write('{ "mcpServers": ', '.gemini', 'settings.json');
  const { code, stdout } = await home.causantic('init');
  expect(code).toBe(0);
  expect(stdout).toMatch(/Registered with Claude Code:[^]*codex mcp add[^]*gemini extensions link/);
  const doctor = await home.causantic('doctor');
  expect(lineOf('mcp', doctor.stdout)).toMatch(/^ok/);
  expect(lineOf('codex', doctor.stdout)).toMatch(/^info.*\n +→ codex mcp add/);
  expect(lineOf('gemini', doctor.stdout)).toMatch(/^FAIL.*settings\.json/);
});

it('what a server keeps that is reached by an address is not guessed', async () => {
  const url = 'http://127.0.0.1:7077/mcp';
  home.env['CAUSANTIC_HOME'] = join(home.folder, 'memory');
  write(JSON.stringify({ mcpServers: { causantic: { type: 'http', url } } }), '.claude.json');
  write(`[mcp_servers.causantic]\nurl = "${url}"\n`, '.codex', 'config.toml');
  write(JSON.stringify({ mcpServers: { causantic: { type: 'http', url } } }), '.copilot', 'mcp-config.json');
  const { stdout } = await home.causantic('doctor');
  for (const name of ['mcp', 'codex', 'copilot']) expect(lineOf(name, stdout)).toMatch(/^ok/);
});

it('a config.toml that is none is told by the doctor, and nothing else fails', async () => {
  write('{}', '.claude', 'settings.json');
  write('[mcp_servers.causantic]\ncommand = causantic\n', '.codex', 'config.toml');
  expect((await home.causantic('init')).stdout).toContain('To attach Codex');
  expect(lineOf('codex', (await home.causantic('doctor')).stdout)).toMatch(
    /^FAIL.*Cannot read .*config\.toml: .*\(line 2, column 11\)\n +→ fix the file/,
  );
  expect((await home.causantic('uninstall')).code).toBe(0);
});
