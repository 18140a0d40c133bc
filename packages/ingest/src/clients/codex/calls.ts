import type { TranscriptFile } from '../../transcripts/describe-transcript.js';
import { type JsonObject, stringOf } from '../../transcripts/records.js';
import type { EventSink, Place } from '../events.js';
import type { Agents } from './agents.js';
import type { NestedCall } from './nested-calls.js';
import { Processes, type ProcessesState } from './processes.js';
import { Scripts, type ScriptsState } from './scripts.js';
import { runningProcess, toolCall, toolOutput } from './tools.js';

export interface CallsState extends ScriptsState, ProcessesState {}

/** Tells the model's calls, those that its scripts make, and what came of them. */
export class Calls {
  private readonly scripts: Scripts;
  private readonly processes: Processes;

  constructor(
    private readonly file: TranscriptFile,
    private readonly sink: EventSink,
    private readonly agents: Agents,
    { scripts, told, commands, processes }: CallsState,
  ) {
    this.scripts = new Scripts(sink, { scripts, told });
    this.processes = new Processes((text) => sink.clean(text), { commands, processes });
  }

  /** Replaced, never changed. */
  state(): CallsState {
    return { ...this.scripts.state(), ...this.processes.state() };
  }

  readCall(item: JsonObject, place: Place): void {
    // Noted all the same: a fork's copy of it has the same id.
    if (this.scripts.holdBack(item, place)) return this.sink.event({ ...place, type: 'injected', text: '' });
    const called = toolCall(item, this.file.cwd);
    if (!called) return;
    const call = this.processes.named(called);
    const id = stringOf(item['call_id']);
    if (id !== null) {
      this.agents.noteCall(id, call);
      this.processes.noteCall(id, call);
    }
    this.sink.event({ ...place, type: 'tool-call', id, ...call });
  }

  /** @param areCommandsTold whether events tell of the commands that a script ran */
  readOutput(item: JsonObject, place: Place, areCommandsTold: boolean): void {
    if (this.scripts.tellOutput(item, place, areCommandsTold)) return;
    const id = stringOf(item['call_id']);
    const process = runningProcess(item);
    const output = toolOutput(item);
    if (id !== null) {
      this.processes.noteOutput(id, process);
      const agent = this.agents.fromResult(id, output.text);
      if (agent) this.sink.agent(agent, place.uuid);
    }
    this.sink.event({ ...place, type: 'tool-result', id, ...output, ...(process && { isRunning: true }) });
  }

  readNested(call: NestedCall, place: Place): void {
    this.scripts.tellCall(call, place);
  }

  /** What scripts were to do that have written nothing. */
  tellOpenScripts(): void {
    this.scripts.tellOpen();
  }

  forgetOpenScripts(): void {
    this.scripts.forgetOpen();
  }
}
