import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { codex } from '../src/clients/codex.js';
import type { Registration } from '../src/clients/client.js';

function registrationIn(config: string): Registration | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'causantic-codex-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'config.toml'), config);
  const program = { node: 'node', script: 'causantic.mjs' };
  return codex.registration({ projectDir: join(folder, 'project'), env: { CODEX_HOME: folder }, program });
}

describe("Codex's settings", () => {
  it.each([
    [
      'the table that codex mcp add writes',
      '[mcp_servers.causantic]\ncommand = "/n"\nargs = ["/s", "serve"]\n',
    ],
    ['a name in quotes', `[mcp_servers."causantic"]\r\ncommand = '/n'\r\nargs = [\r\n  '/s',\r\n]\r\n`],
  ])('%s is a registration', (_, config) => {
    const found = registrationIn(
      `model = "m"\n\n${config}\n[mcp_servers.other]\ncommand = "x"\nenabled = false\n`,
    );
    expect(found).toMatchObject({ command: '/n', script: '/s', home: undefined, isDisabled: false });
  });

  it('name the home in a table of its own, or in the same', () => {
    const server = '[mcp_servers.causantic]\ncommand = "n"\n';
    const table = registrationIn(`${server}\n[mcp_servers.causantic.env]\nCAUSANTIC_HOME = "C:\\\\a b"\n`);
    expect(table?.home).toBe('C:\\a b');
    expect(registrationIn(`${server}env = { CAUSANTIC_HOME = '/a b' }\n`)?.home).toBe('/a b');
    expect(registrationIn(`${server}env_vars = ["PATH", "CAUSANTIC_HOME"]\n`)?.seesEnvironment).toBe(true);
  });

  it.each(['# [mcp_servers.causantic]', '[mcp_servers.causantic-old]\ncommand = "x"', 'x = "causantic"'])(
    '%j is none',
    (config) => {
      expect(registrationIn(`a = 1\n${config}\n`)).toBeUndefined();
    },
  );

  it('switch a server or a plugin off', () => {
    expect(registrationIn('[mcp_servers.causantic]\ncommand = "n"\nenabled = false\n')?.isDisabled).toBe(
      true,
    );
    const plugin = registrationIn('[plugins."causantic@here"]\nenabled = false\n');
    expect(plugin).toMatchObject({ isDisabled: true, detach: 'codex plugin remove causantic@here' });
  });
});
