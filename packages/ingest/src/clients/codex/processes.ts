import { stringOf } from '../../transcripts/records.js';
import type { ToolCall } from './tools.js';

/** What runs, by the id of its call, or by its number where it goes on running when the call is over. */
type Command = [id: string, command: string];

export interface ProcessesState {
  commands: Command[];
  processes: Command[];
}

/** Bounds of what is remembered between records, and stored with the checkpoint. */
const MAX_COMMANDS = 20;
const MAX_COMMAND_CHARS = 4_000;

/** Knows the command to which a call writes, or whose output it waits for: the call names it by a number alone. */
export class Processes {
  /** @param clean takes secrets out of what is remembered */
  constructor(
    private readonly clean: (text: string) => string,
    private now: ProcessesState,
  ) {}

  /** Replaced, never changed. */
  state(): ProcessesState {
    return this.now;
  }

  noteCall(callId: string, { name, input }: ToolCall): void {
    const command = name === 'exec_command' ? stringOf(input['command']) : null;
    if (command === null) return;
    const known = this.clean(command).slice(0, MAX_COMMAND_CHARS);
    this.now = { ...this.now, commands: withOne(this.now.commands, callId, known) };
  }

  /** @param process null where nothing of it runs any more */
  noteOutput(callId: string, process: string | null): void {
    const command = this.now.commands.find(([id]) => id === callId)?.[1];
    if (command === undefined) return;
    const commands = this.now.commands.filter(([id]) => id !== callId);
    const { processes } = this.now;
    this.now = { commands, processes: process === null ? processes : withOne(processes, process, command) };
  }

  /** A call with the command that it is about. */
  named(call: ToolCall): ToolCall {
    if (call.name !== 'write_stdin') return call;
    const number = String(call.input['session_id']);
    const command = this.now.processes.find(([id]) => id === number)?.[1];
    return command === undefined ? call : { ...call, input: { ...call.input, command } };
  }
}

function withOne(commands: readonly Command[], id: string, command: string): Command[] {
  return [...commands.filter(([other]) => other !== id), [id, command] as Command].slice(-MAX_COMMANDS);
}
