import { describe, expect, it } from 'vitest';
import { Scripts } from '../src/clients/codex/scripts.js';
import type { EventSink, Place, TranscriptEvent } from '../src/clients/events.js';

const place: Place = {
  line: 1,
  timeMs: null,
  gitBranch: null,
  uuid: null,
  parentUuid: null,
  agentKey: null,
};
const NONE = { scripts: [], told: [] };

/** Scripts, and what was told of them so far: of a call its name and input, of a result its text. */
function scripts(state = NONE): { scripts: Scripts; told: unknown[] } {
  const told: unknown[] = [];
  const event = (event: TranscriptEvent): void => {
    if (event.type === 'tool-call') told.push([event.id, event.name, event.input]);
    else if (event.type === 'tool-result') told.push([event.id, event.text]);
    else told.push(event.type);
  };
  const sink = { event, clean: (text: string) => text.replace('secret', '[gone]') } as EventSink;
  return { scripts: new Scripts(sink, state), told };
}

const script = (id: string, input: string) => ({
  type: 'custom_tool_call',
  call_id: id,
  name: 'exec',
  input,
});
const wrote = (id: string, ...texts: string[]) => ({
  call_id: id,
  output: ['Script completed\nWall time 0.1 seconds\nOutput:\n', ...texts].map((text) => ({ text })),
});
const command = (id: string, text: string) => ({
  id,
  call: { name: 'exec_command', input: { command: 'ls' } },
  output: { text, isError: false },
});

describe('Scripts', () => {
  it('are held back until they have written something, without secrets; other calls are not theirs', () => {
    const { scripts: open, told } = scripts();
    expect(open.holdBack({ type: 'function_call', call_id: 'c', name: 'shell' }, place)).toBe(false);
    expect(open.holdBack(script('c1', 'text("secret")'), place)).toBe(true);
    expect(open.tellOutput({ call_id: 'c1', output: 'cell 7 goes on' }, place, false)).toBe(false);
    expect(told).toEqual([]);
    expect(open.tellOutput(wrote('c1', 'secret'), place, false)).toBe(true);
    expect(told).toEqual([
      ['c1', 'exec', { input: 'text("[gone]")' }],
      ['c1', 'secret'],
    ]);
    expect(open.tellOutput(wrote('c1', 'again'), place, false)).toBe(false);
  });

  it('are told by their calls, and by what is in no output of these, also by a later run', () => {
    const first = scripts();
    first.scripts.holdBack(script('c1', 'await tools.exec_command(a)'), place);
    first.scripts.tellCall(command('exec-1', 'till.ts\n'), place);
    const { scripts: open, told } = scripts(JSON.parse(JSON.stringify(first.scripts.state())) as typeof NONE);
    open.tellOutput(wrote('c1', '{"output":"till.ts"}', 'one file'), place, true);
    expect(told).toEqual([
      ['c1', 'exec', { input: 'await tools.exec_command(a)' }],
      ['c1', 'one file'],
    ]);
  });

  it('leave nothing but their place where their calls gave all', () => {
    const { scripts: open, told } = scripts();
    open.holdBack(script('c1', 'await tools.exec_command(a)'), place);
    open.tellCall(command('exec-1', 'till.ts'), place);
    open.tellOutput(wrote('c1', 'till.ts'), place, true);
    expect(told.slice(2)).toEqual(['injected']);
  });

  it('are read for their commands only where no event tells of these', () => {
    const text = 'text(await tools.exec_command({cmd: "ls"}))';
    for (const [areCommandsTold, name] of [
      [false, 'exec_command'],
      [true, 'exec'],
    ] as const) {
      const { scripts: open, told } = scripts();
      open.holdBack(script('c1', text), place);
      open.tellOutput(wrote('c1', 'till.ts'), place, areCommandsTold);
      expect(told[0]).toContain(name);
    }
  });
});
