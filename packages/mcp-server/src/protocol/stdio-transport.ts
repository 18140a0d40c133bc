import type { Readable, Writable } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import { jsonValue } from '@causantic/domain';
import { PARSE_ERROR, refusalOf, rpcError, withoutNulls } from './messages.js';

/** No message of the protocol comes close. */
const MOST_CHARACTERS = 10_000_000;

/**
 * Messages as lines. Unlike the SDK's transport it answers what is none: whoever sent it would wait until they give up. It
 * also takes the batches of protocol 2025-03-26, whose answers it writes one by one.
 */
export class StdioTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  private begun = '';
  private readonly take = (piece: string): void => this.receive(piece);

  constructor(
    private readonly input: Readable,
    private readonly output: Writable,
  ) {}

  start(): Promise<void> {
    this.input.setEncoding('utf8').on('data', this.take);
    return Promise.resolve();
  }

  /** Resolves when the client has room for more. */
  send(message: object): Promise<void> {
    return new Promise((resolve) => {
      if (this.output.write(`${JSON.stringify(message)}\n`)) resolve();
      else this.output.once('drain', resolve);
    });
  }

  close(): Promise<void> {
    this.input.off('data', this.take).pause();
    this.onclose?.();
    return Promise.resolve();
  }

  private receive(piece: string): void {
    const [end = '', ...more] = piece.split('\n');
    this.begun += end;
    for (const begun of more) {
      this.read(this.begun);
      this.begun = begun;
    }
    if (this.begun.length > MOST_CHARACTERS) void this.close();
  }

  private read(line: string): void {
    // Takes away a byte order mark, too.
    const text = line.trim();
    if (text === '') return;
    const received = withoutNulls(jsonValue(text));
    if (received === undefined) return this.answer(rpcError(PARSE_ERROR, 'Not JSON.'));
    const isBatch = Array.isArray(received) && received.length > 0;
    for (const message of isBatch ? (received as unknown[]) : [received]) {
      const { success, data } = JSONRPCMessageSchema.safeParse(message);
      if (success) this.onmessage?.(data);
      else this.answer(refusalOf(message));
    }
  }

  private answer(refusal: object | undefined): void {
    if (refusal) void this.send(refusal);
  }
}
