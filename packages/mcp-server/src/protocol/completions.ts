import { asCompared } from '@causantic/domain';
import type { ToolContext } from '../tool.js';

/** The protocol allows no more in one answer. */
const MOST = 100;

/**
 * Names that begin with the typed text, for arguments of prompts and parts of addresses; for projects, followed by those
 * that contain it. Empty for an argument without names.
 */
export function complete({ store }: ToolContext, argument: { name: string; value: string }) {
  const values = candidates(argument, store);
  return { completion: { values: values.slice(0, MOST), hasMore: values.length > MOST } };
}

function candidates({ name, value }: { name: string; value: string }, store: ToolContext['store']): string[] {
  if (name === 'project') return matching(store.projects.slugsInUse(), value);
  if (name === 'id' || name === 'session_id') return store.sessions.latest(value, MOST + 1);
  return [];
}

function matching(names: readonly string[], value: string): string[] {
  const typed = asCompared(value);
  const found = names.filter((name) => asCompared(name).includes(typed));
  return found.sort((a, b) => Number(startsWith(b, typed)) - Number(startsWith(a, typed)));
}

function startsWith(name: string, typed: string): boolean {
  return asCompared(name).startsWith(typed);
}
