import type { TaskContext } from '@causantic/compute';
import { ComputeError } from '@causantic/domain/errors';

/** @throws ComputeError ABORTED once the caller has cancelled */
export function stopIfCancelled(context: Pick<TaskContext, 'cancelled'>): void {
  if (context.cancelled()) throw new ComputeError('ABORTED', 'The repo map was cancelled.');
}
