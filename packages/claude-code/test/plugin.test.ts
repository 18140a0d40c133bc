import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatWalkDiagnostics, WALK_FAILURES } from '@causantic/graph';
import { causanticTools } from '@causantic/mcp-server';
import { describe, expect, it } from 'vitest';
import { HOOK_NAMES, pluginFolder } from '../src/index.js';
import { installedHooks, withHooks } from '../src/install/hook-settings.js';

const read = (...path: string[]): string => readFileSync(join(pluginFolder(), ...path), 'utf8');
const json = (...path: string[]): Record<string, unknown> =>
  JSON.parse(read(...path)) as Record<string, unknown>;
const skills = readdirSync(join(pluginFolder(), 'skills'));
const tools = causanticTools.map(({ name }) => name as string);

describe('the skills', () => {
  it('are those of the specification', () => {
    const expected = 'explain forget list-projects predict recall reconstruct resume search status';
    expect(skills.sort()).toEqual(expected.split(' '));
  });

  it.each(skills)('%s has a front matter, and steers to tools that there are', (name) => {
    const [, front = '', body = ''] =
      /^---\n([\s\S]*?)\n---\n\n([\s\S]+)$/.exec(read('skills', name, 'SKILL.md')) ?? [];
    const fields = new Map(front.split('\n').map((line) => line.split(/: (.*)/s) as [string, string]));
    expect(fields.get('name')).toBe(name);
    const description = JSON.parse(fields.get('description')!) as string;
    expect(description.length).toBeGreaterThan(40);
    expect(description.length).toBeLessThanOrEqual(1_024);
    const named = [
      ...(fields.get('allowed-tools') ?? '').matchAll(
        /mcp__\w+?causantic__([\w-]+)|mcp__causantic__([\w-]+)/g,
      ),
    ];
    for (const [, plugged, own] of named) expect(tools).toContain(plugged ?? own);
    expect([...body.matchAll(/`([a-z-]+)`/g)].some(([, word]) => tools.includes(word!))).toBe(true);
  });

  it('recall knows an answer without episodes by its note', () => {
    const [, note] = /`(\[[^`…]+)…\]`/.exec(read('skills', 'recall', 'SKILL.md'))!;
    const none = { searchFound: 1, seeds: 1, chainsAttempted: 0, lengths: [] };
    expect(formatWalkDiagnostics({ ...none, reason: WALK_FAILURES.noEdges })).toContain(note);
    expect(formatWalkDiagnostics({ ...none, reason: null })).not.toContain(note);
  });

  it('never let a model delete on its own', () => {
    const forget = read('skills', 'forget', 'SKILL.md');
    expect(forget).toContain('disable-model-invocation: true');
    expect(forget).not.toContain('allowed-tools');
    // Codex does not look at the front matter for this.
    expect(read('skills', 'forget', 'agents', 'openai.yaml')).toContain('allow_implicit_invocation: false');
  });
});

describe('the plugins', () => {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8')) as {
    version: string;
  };

  it.each(['.claude-plugin', '.codex-plugin'])('%s has the version of the package', (folder) => {
    expect(json(folder, 'plugin.json')).toMatchObject({ name: 'causantic', version });
  });

  it('start the server, and the hooks that init installs', () => {
    expect(json('.mcp.json')).toEqual({
      mcpServers: { causantic: { command: 'causantic', args: ['serve'] } },
    });
    const installed = withHooks('{}', { node: 'node', script: '/x/causantic.mjs' }, false);
    const withoutProgram = installed.replaceAll('node /x/causantic.mjs', 'causantic');
    expect(json('hooks', 'hooks.json')['hooks']).toEqual(
      (JSON.parse(withoutProgram) as { hooks: object }).hooks,
    );
    expect(
      [...installedHooks(read('hooks', 'hooks.json')).keys()].every((name) =>
        HOOK_NAMES.includes(name as never),
      ),
    ).toBe(true);
  });

  it('can be installed from the repository', () => {
    const root = join(import.meta.dirname, '..', '..', '..');
    const marketplace = JSON.parse(
      readFileSync(join(root, '.claude-plugin', 'marketplace.json'), 'utf8'),
    ) as {
      plugins: { name: string; source: string }[];
    };
    const [plugin] = marketplace.plugins;
    expect(plugin!.name).toBe('causantic');
    expect(readFileSync(join(root, plugin!.source, '.claude-plugin', 'plugin.json'), 'utf8')).toBe(
      read('.claude-plugin', 'plugin.json'),
    );
  });

  it('of Gemini starts the server, and the hooks that its events are for', () => {
    const extension = join('..', 'gemini-extension');
    expect(json(extension, 'gemini-extension.json')).toMatchObject({
      name: 'causantic',
      version,
      ...json('.mcp.json'),
    });
    // Its times are milliseconds. Before it compresses is, to Gemini, before each request.
    expect(json(extension, 'hooks', 'hooks.json')['hooks']).toEqual({
      SessionStart: [
        { hooks: [{ type: 'command', command: 'causantic hook session-start', timeout: 10_000 }] },
      ],
      SessionEnd: [{ hooks: [{ type: 'command', command: 'causantic hook session-end', timeout: 60_000 }] }],
    });
  });

  it('of Codex leaves the hooks of Claude Code alone, and names what it has', () => {
    // Without this field, Codex would run hooks/hooks.json.
    expect(json('.codex-plugin', 'plugin.json')).toMatchObject({
      hooks: {},
      skills: './skills/',
      mcpServers: './.codex-plugin/mcp.json',
    });
  });

  it('of Codex starts the same server, with the variable that says where the memory lies', () => {
    // Codex gives a server no variables but those it is told to.
    const { causantic } = json('.mcp.json')['mcpServers'] as Record<string, object>;
    expect(json('.codex-plugin', 'mcp.json')).toEqual({
      mcpServers: { causantic: { ...causantic, env_vars: ['CAUSANTIC_HOME', 'CODEX_HOME'] } },
    });
  });
});
