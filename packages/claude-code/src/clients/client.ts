import { causanticHome, type TranscriptClient } from '@causantic/domain';
import { type Program, quoted } from '../install/program.js';

/** Where a client's own settings say that it starts the server. */
export interface Registration {
  file: string;
  /** What it starts; undefined where that is not ours to check. */
  command?: string | undefined;
  /** The first word behind the command. */
  script?: string | undefined;
  /** The home that is told to the server, if any. */
  home?: string | undefined;
  /** Whether the server sees what home the user's shell names. */
  seesEnvironment: boolean;
  /** Where the client keeps its sessions, if the server is not told and looks for them elsewhere. */
  unseenFolder?: string | undefined;
  /** Where it is switched off, and what switches it on again. */
  switchedOff?: { file: string; fix: string };
  /** The client's own command that takes it out again, where it has one that knows of this file. */
  detach?: string;
}

/** Where a client is used, and what Causantic is to be told of it. */
export interface ClientPlace {
  projectDir: string;
  env: NodeJS.ProcessEnv;
  program: Program;
}

/** A client whose settings Causantic reads and does not write: its own commands do that. */
export interface OtherClient {
  name: string;
  title: string;
  /** By which its transcripts are known, if these are read. */
  transcripts?: TranscriptClient;
  isThere(env: NodeJS.ProcessEnv): boolean;
  /** @throws ConfigError when its settings cannot be read */
  registration(place: ClientPlace): Promise<Registration | undefined>;
  /** The client's own command that registers the server. */
  attach(place: ClientPlace): string;
  /** What there is to know before it is attached. */
  note: string;
}

/** Of a client whose transcripts are read. */
export const READ_BY_SERVER =
  'the server reads its sessions in the background, including earlier ones, unless ingest.background is false';

/** For the commands of clients that can set a variable; what the user's shell names need not be seen by all of them. */
export function homeOption({ env }: ClientPlace): string {
  return env['CAUSANTIC_HOME'] ? `--env CAUSANTIC_HOME=${quoted(causanticHome(env))} ` : '';
}

/** The command line of the server. */
export function serving({ program: { node, script } }: ClientPlace): string {
  return `${quoted(node)} ${quoted(script)} serve`;
}
