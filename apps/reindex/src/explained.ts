import { ComputeError, errorMessage } from '@causantic/domain';

/** What went wrong and, where this program cannot help, which one can. */
export function explained(error: unknown): string {
  const isOfModel = error instanceof ComputeError && error.code === 'MODEL_MISSING';
  return errorMessage(error) + (isOfModel ? ' What to do: causantic doctor' : '');
}
