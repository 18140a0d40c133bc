import type { SessionSummary, Store, StoredProject } from '@causantic/storage';

/** The latest session of a project in which there is something to show. */
export function latestSession(store: Store, { id }: StoredProject): SessionSummary | undefined {
  return store.sessions.list({ projectId: id }).find((session) => store.chunks.isReadable(session.id));
}

/**
 * Says that none was found; and of a project that has none, though it is in the list of projects, so that it can be forgotten, what
 * is there instead.
 */
export function noSessions(
  store: Store,
  project: StoredProject,
  latest: SessionSummary | undefined = latestSession(store, project),
): string {
  const text = `No sessions found for project "${project.slug}".`;
  const isListed = store.projects.slugsInUse().includes(project.slug);
  if (!isListed || latest) return text;
  return `${text} Memory holds nothing of it but a client's notes or context: no prompt, answer or tool call.`;
}
