/** `info` needs no fix: something that has not happened yet. */
export type CheckStatus = 'ok' | 'info' | 'warning' | 'error';

/** One thing that was checked. */
export interface Check {
  name: string;
  status: CheckStatus;
  message: string;
  /** How to fix it. */
  fix?: string;
}

export const ok = (name: string, message: string): Check => ({ name, status: 'ok', message });

export const info = (name: string, message: string): Check => ({ name, status: 'info', message });

export const warning = (name: string, message: string, fix: string): Check => ({
  name,
  status: 'warning',
  message,
  fix,
});

export const failure = (name: string, message: string, fix: string): Check => ({
  name,
  status: 'error',
  message,
  fix,
});
