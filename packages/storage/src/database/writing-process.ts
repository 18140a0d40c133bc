import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';

/** The byte of the shared-memory file that SQLite's writers lock. */
const WRITE_LOCK_BYTE = 120;

/** The process that holds the write lock of a database (Linux only); null if there is none or it is unknown. */
export function writingProcess(databasePath: string): string | null {
  try {
    const { ino } = statSync(`${databasePath}-shm`);
    const locks = readFileSync('/proc/locks', 'utf8').split('\n');
    const [pid] = locks.flatMap((line) => holderOf(line, ino) ?? []);
    return pid === undefined ? null : describe(pid);
  } catch {
    return null;
  }
}

/** Of a line such as `1: POSIX  ADVISORY  WRITE 6484 fe:00:12888756 120 120`. */
function holderOf(line: string, ino: number): string | null {
  const [, , , kind, pid, file, from, to] = line.trim().split(/\s+/);
  const isLock = kind === 'WRITE' && file?.endsWith(`:${ino}`);
  const isHeld = Number(from) <= WRITE_LOCK_BYTE && (to === 'EOF' || Number(to) >= WRITE_LOCK_BYTE);
  return isLock && isHeld && pid !== undefined && Number(pid) > 0 ? pid : null;
}

function describe(pid: string): string {
  const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').filter(Boolean).slice(0, 3);
  const [, state] = /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
  const command = words.map((word) => basename(word)).join(' ');
  return `${pid} (${command}${state === 'T' ? '; it is suspended' : ''})`;
}
