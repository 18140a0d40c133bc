import type { TaskContext } from '@causantic/compute';
import { ComputeError } from '@causantic/domain/errors';

export type Cancelling = Pick<TaskContext, 'cancelled'>;

/** @throws ComputeError ABORTED once the caller has cancelled */
export function stopIfCancelled(context: Cancelling): void {
  if (context.cancelled()) throw new ComputeError('ABORTED', 'The repo map was cancelled.');
}
