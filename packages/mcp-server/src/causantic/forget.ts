import { z } from 'zod';
import type { ChunkFilter, Store } from '@causantic/storage';
import {
  optionalText,
  parseDate,
  requireProject,
  requireSession,
  text,
  type ProjectRef,
} from '../arguments.js';
import { defineTool } from '../tool.js';

const input = z.strictObject({
  project: text('Project slug. Use list-projects to see available projects.'),
  before: optionalText('Delete chunks before this ISO 8601 date.'),
  after: optionalText('Delete chunks on or after this ISO 8601 date.'),
  session_id: optionalText('Delete chunks from a specific session.'),
  dry_run: z
    .boolean()
    .default(true)
    .describe('Preview without deleting (default: true). Set to false to actually delete.'),
});

export const forgetTool = defineTool({
  name: 'forget',
  title: 'Forget',
  description:
    'Delete chunks from memory filtered by project, time range, session, or semantic query. Requires project to ' +
    'prevent accidental full-database deletion. Defaults to dry_run=true (preview only).',
  input,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  async run(given, { store, deleteChunks }) {
    const project = requireProject(store, given.project);
    const filter = filterOf(given, project, store);
    const count = store.forgetting.count(filter);
    if (count === 0) return { text: 'No chunks match the given filters.' };
    if (given.dry_run) {
      return {
        text: `Dry run: ${count} chunk(s) would be deleted from project "${project.slug}". Set dry_run=false to proceed.`,
      };
    }
    const deleted = await deleteChunks(store.forgetting.ids(filter));
    return {
      text: `Deleted ${deleted} chunk(s) from project "${project.slug}" (vectors and related edges/clusters also removed).`,
    };
  },
});

function filterOf(given: z.infer<typeof input>, project: ProjectRef, store: Store): ChunkFilter {
  const beforeMs = parseDate('before', given.before, 'start');
  const fromMs = parseDate('after', given.after, 'start');
  const session =
    given.session_id === undefined
      ? undefined
      : requireSession(store, { argument: 'session_id', id: given.session_id, projectId: project.id });
  return {
    projectId: project.id,
    ...(beforeMs !== undefined && { beforeMs }),
    ...(fromMs !== undefined && { fromMs }),
    ...(session && { sessionId: session.id }),
  };
}
