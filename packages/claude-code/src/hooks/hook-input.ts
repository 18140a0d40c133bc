import { InvalidArgumentError } from '@causantic/domain';
import { parseObject } from '../locked-json-file.js';

/** What Claude Code tells a hook on its standard input. */
export interface HookInput {
  /** The session's uuid. */
  sessionId: string | undefined;
  transcriptPath: string | undefined;
  /** The session's working folder. */
  cwd: string;
  /** Why the session starts: startup, resume, clear or compact. */
  source: string | undefined;
  /** What the user typed, for prompt-submit. */
  prompt: string | undefined;
}

/** Far more than any prompt; what is larger is no hook's input. */
const MAX_CHARS = 8_000_000;

/**
 * Read the JSON object that a client writes, and wait no longer for it than it takes to write: a client that keeps
 * the pipe open is not waited for once the object is whole.
 * @throws InvalidArgumentError when none comes in time
 */
export async function readHookInput(stdin: NodeJS.ReadableStream, timeoutMs: number): Promise<HookInput> {
  const fields = await readObject(stdin, timeoutMs);
  const text = (name: string): string | undefined =>
    typeof fields[name] === 'string' && fields[name] !== '' ? fields[name] : undefined;
  return {
    sessionId: text('session_id'),
    transcriptPath: text('transcript_path'),
    cwd: text('cwd') ?? process.cwd(),
    source: text('source'),
    prompt: text('prompt'),
  };
}

function readObject(stdin: NodeJS.ReadableStream, timeoutMs: number): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    let received = '';
    const finish = (): void => {
      clearTimeout(timer);
      stdin.removeAllListeners('data');
      stdin.pause();
      const object = parseObject(received);
      if (object) resolve(object);
      else reject(notUnderstood(received));
    };
    const timer = setTimeout(finish, timeoutMs);
    stdin.setEncoding('utf8');
    stdin.on('data', (piece) => {
      received += String(piece);
      const mayBeWhole = received.trimEnd().endsWith('}') && parseObject(received) !== undefined;
      if (mayBeWhole || received.length > MAX_CHARS) finish();
    });
    stdin.on('end', finish);
    stdin.on('error', finish);
  });
}

/** What was received stays unsaid: it may hold a prompt. */
function notUnderstood({ length }: string): Error {
  return new InvalidArgumentError('stdin', `${length} characters`, 'the JSON object that Claude Code sends');
}
