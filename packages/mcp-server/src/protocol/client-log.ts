import type { LoggingLevel } from '@modelcontextprotocol/sdk/types.js';

const LEVELS: readonly LoggingLevel[] = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
];

/** Log messages for the client, from the level it asked for; warnings if it asked for none. */
export class ClientLog {
  level: LoggingLevel = 'warning';
  private readonly said = new Set<string>();

  constructor(private readonly send: (level: LoggingLevel, data: unknown) => void) {}

  log(level: LoggingLevel, data: unknown): void {
    if (LEVELS.indexOf(level) >= LEVELS.indexOf(this.level)) this.send(level, data);
  }

  /** Logs the same reason once: a search without a model would repeat it each time. */
  warnOnce(reason: string, data: unknown): void {
    if (this.said.has(reason)) return;
    this.said.add(reason);
    this.log('warning', data);
  }
}
