import { describe, expect, it } from 'vitest';
import { Agents, type AgentsState } from '../src/clients/codex/agents.js';
import { Processes } from '../src/clients/codex/processes.js';
import { Prompts, type PromptsState } from '../src/clients/codex/prompts.js';

/** As a later run gets it. */
const stored = <State>(state: State): State => JSON.parse(JSON.stringify(state)) as State;

describe('prompts of Codex', () => {
  const none: PromptsState = { awaited: [], promptLines: [] };

  it('are new once in each form, whatever blanks and images the forms differ in', () => {
    const prompts = new Prompts(none);
    expect(prompts.note('open the till', 'item', 1)).toBe(true);
    const later = new Prompts(stored(prompts.state()));
    expect(later.note('[image]\nopen  the till\n', 'event', 2)).toBe(false);
    expect(later.note('open the till', 'completed', 3)).toBe(false);
    expect(later.note('open the till', 'event', 4)).toBe(true);
  });

  it('are taken back from the latest on, and all where more are asked for than there are', () => {
    const prompts = new Prompts(none);
    for (const [line, text] of ['open it', 'close it', 'ring'].entries())
      prompts.note(text, 'item', line + 1);
    expect(prompts.takeBack(0)).toBeUndefined();
    expect(prompts.takeBack(1)).toBe(3);
    expect(prompts.takeBack(9)).toBe(1);
    expect(prompts.takeBack(1)).toBeUndefined();
  });
});

describe('agents of Codex', () => {
  const none: AgentsState = { spawns: [], agents: [] };
  const clean = (text: string): string => text.replace('secret', '[gone]');
  const spawn = { name: 'spawn_agent', input: { agent_type: 'secret scout' } };

  it('are known by the result of the call that started them, also in a later run', () => {
    const agents = new Agents(clean, none);
    agents.noteCall('c1', spawn);
    agents.noteCall('c2', { name: 'shell', input: {} });
    const later = new Agents(clean, stored(agents.state()));
    expect(later.fromResult('c2', '{"agent_id":"a2"}')).toBeNull();
    expect(later.fromResult('c1', 'not started yet')).toBeNull();
    expect(later.fromResult('c1', '{"agent_id":"a1"}')).toMatchObject({
      key: 'a1',
      kind: 'subagent',
      name: '[gone] scout',
      description: '[gone] scout',
      toolUseId: 'c1',
    });
    expect([later.nameOf('a1'), later.nameOf('a9')]).toEqual(['[gone] scout', 'a9']);
    expect(later.fromResult('c1', '{"agent_id":"a1"}')).toBeNull();
  });

  it('are known by their task, where an event tells that they have begun', () => {
    const agents = new Agents(clean, none);
    const activity = { id: 'c1', kind: 'started', agent_thread_id: 'a1', agent_path: '/root/dns_check' };
    expect(agents.fromActivity({ ...activity, kind: 'ended' })).toBeNull();
    expect(agents.fromActivity(activity)).toMatchObject({ key: 'a1', name: 'dns_check', toolUseId: 'c1' });
    expect(agents.nameOf('a1')).toBe('dns_check');
  });
});

it('a process of Codex is that of the latest command, where its number is given again', () => {
  const processes = new Processes((text) => text, { commands: [], processes: [] });
  for (const [id, command] of [
    ['c1', 'watch it'],
    ['c2', 'serve it'],
  ] as const) {
    processes.noteCall(id, { name: 'exec_command', input: { command } });
    processes.noteOutput(id, '7');
  }
  const later = new Processes((text) => text, stored(processes.state()));
  const written = later.named({ name: 'write_stdin', input: { session_id: 7, chars: 'q' } });
  expect(written.input['command']).toBe('serve it');
});
