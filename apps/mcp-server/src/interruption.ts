/** What shells report of a program that Ctrl-C has ended. */
export const INTERRUPTED = 130;

const INTERRUPTIONS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Ctrl-C, or a terminal that is closed, leaves no copy of the memory behind, and nothing half deleted; the second
 * time, whichever asks, it ends the process at once.
 */
export async function untilInterrupted<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const letGo = (): void => INTERRUPTIONS.forEach((signal) => process.off(signal, stop));
  const stop = (): void => {
    letGo();
    controller.abort();
  };
  for (const signal of INTERRUPTIONS) process.on(signal, stop);
  try {
    return await work(controller.signal);
  } catch (error) {
    if (controller.signal.aborted) process.exit(INTERRUPTED);
    throw error;
  } finally {
    letGo();
  }
}
