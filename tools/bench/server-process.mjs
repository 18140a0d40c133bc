import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { causanticProgram } from './programs.mjs';

/** @typedef {{ milliseconds: number, result: any }} Answer */

const ENDED = 'The server ended.';

/**
 * A search, to be sent to a server.
 *
 * @param {string} query
 * @returns {[method: string, params: object]}
 */
export function search(query) {
  return ['tools/call', { name: 'search', arguments: { query } }];
}

/**
 * A server on stdio and the little of JSON-RPC that measuring takes: a client library would be measured, too.
 */
export class ServerProcess {
  /** From the start of the process to its answer to `initialize`. */
  startMs = 0;
  /** @type {Map<number, { resolve: (answer: Answer) => void, reject: (error: Error) => void, sentAt: number }>} */
  #waiting = new Map();
  #lastId = 0;
  #child;
  #ended;

  /** @param {string} home */
  constructor(home) {
    this.#child = spawn(process.execPath, [causanticProgram, 'serve'], {
      env: { ...process.env, CAUSANTIC_HOME: home },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    createInterface({ input: this.#child.stdout }).on('line', (line) => this.#receive(line));
    // Who waits is told below.
    this.#child.stdin.on('error', () => undefined);
    this.#ended = once(this.#child, 'close').then(() => {
      for (const { reject } of this.#waiting.values()) reject(new Error(ENDED));
    });
  }

  /** @param {string} home */
  static async start(home) {
    const startedAt = performance.now();
    const server = new ServerProcess(home);
    const clientInfo = { name: 'bench', version: '0' };
    await server.millisecondsOf('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo,
    });
    server.startMs = performance.now() - startedAt;
    server.#send({ method: 'notifications/initialized' });
    return server;
  }

  /**
   * Sends a request and waits for its answer.
   *
   * @param {string} method
   * @param {object} params
   * @returns {Promise<number>} until the answer was there
   */
  async millisecondsOf(method, params) {
    return (await this.#ask(method, params)).milliseconds;
  }

  /**
   * @param {string} method
   * @param {object} params
   */
  async resultOf(method, params) {
    return (await this.#ask(method, params)).result;
  }

  /**
   * @param {string} method
   * @param {object} params
   * @returns {Promise<Answer>}
   */
  #ask(method, params) {
    const { exitCode, signalCode } = this.#child;
    if (exitCode !== null || signalCode !== null) return Promise.reject(new Error(ENDED));
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, sentAt: performance.now() });
      this.#send({ id, method, params });
    });
  }

  /** Resident memory now; NaN where there is no /proc. */
  memoryMegabytes() {
    const path = `/proc/${this.#child.pid}/status`;
    const kilobytes = existsSync(path) ? /VmRSS:\s+(\d+)/.exec(readFileSync(path, 'utf8'))?.[1] : undefined;
    return Math.round(Number(kilobytes) / 1024);
  }

  /** Time the main thread has run on a core, which other work on the machine hardly changes; NaN without /proc. */
  mainThreadCpuMs() {
    const { pid } = this.#child;
    const path = `/proc/${pid}/task/${pid}/schedstat`;
    return existsSync(path) ? Number(readFileSync(path, 'utf8').split(' ')[0]) / 1e6 : NaN;
  }

  async close() {
    this.#child.stdin.end();
    await this.#ended;
  }

  /** @param {object} message */
  #send(message) {
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  /** @param {string} line */
  #receive(line) {
    const receivedAt = performance.now();
    const { id, error, result } = JSON.parse(line);
    const request = this.#waiting.get(id);
    if (!request) return;
    this.#waiting.delete(id);
    if (error) request.reject(new Error(error.message));
    else request.resolve({ milliseconds: receivedAt - request.sentAt, result });
  }
}
