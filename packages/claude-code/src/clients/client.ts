import { causanticHome, type TranscriptClient } from '@causantic/domain';
import { type Program, quoted } from '../install/program.js';

/** A client's own settings for starting the server. */
export interface Registration {
  file: string;
  /** The command it starts; undefined if that is not ours to check. */
  command?: string | undefined;
  /** The first argument of the command. */
  script?: string | undefined;
  /** The home that is passed to the server, if any. */
  home?: string | undefined;
  /** Whether the server sees the home that the user's shell sets. */
  seesEnvironment: boolean;
  /** Where the client keeps its sessions, if the server does not know that and looks elsewhere. */
  unseenFolder?: string | undefined;
  /** The file that disables it, and how to enable it again. */
  switchedOff?: { file: string; fix: string };
  /** The client's own command that removes it, if there is one for this file. */
  detach?: string;
}

/** Where a client is used, and what Causantic is to be told of it. */
export interface ClientPlace {
  projectDir: string;
  env: NodeJS.ProcessEnv;
  program: Program;
}

/** A client whose settings Causantic only reads; the client's own commands write them. */
export interface OtherClient {
  /** By which its command and its transcripts are known. */
  name: TranscriptClient;
  title: string;
  isThere(env: NodeJS.ProcessEnv): boolean;
  /** @throws ConfigError when its settings cannot be read */
  registration(place: ClientPlace): Promise<Registration | undefined>;
  /** The client's own command that registers the server. */
  attach(place: ClientPlace): string;
  /** What a user should know before attaching it. */
  note: string;
}

export const READ_BY_SERVER =
  'the server reads its sessions in the background, including earlier ones, unless ingest.background is false';

/** For client commands that can set a variable: not all clients pass on the variables of the user's shell. */
export function homeOption({ env }: ClientPlace): string {
  return env['CAUSANTIC_HOME'] ? `--env CAUSANTIC_HOME=${quoted(causanticHome(env))} ` : '';
}

/** The command line of the server. */
export function serving({ program: { node, script } }: ClientPlace): string {
  return `${quoted(node)} ${quoted(script)} serve`;
}
