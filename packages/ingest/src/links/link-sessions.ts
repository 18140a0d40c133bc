import {
  adjacentEdges,
  agentEdges,
  type ChunkFacts,
  crossSessionEdges,
  diffEdges,
  type Edge,
  type EdgeType,
  filePathEdges,
  type TimelinePoint,
} from '@causantic/graph';
import type {
  EdgeWriter,
  FileTouch,
  LinkableChunk,
  LinkableSession,
  Store,
  StoredEdge,
} from '@causantic/storage';
import { entitiesOf } from './entities.js';
import { agentRuns, teamMessages } from './link-agents.js';
import { changedClocks } from './link-clocks.js';
import { projectFile } from './project-file.js';

const WITHIN_SESSION: EdgeType[] = ['adjacent', 'brief', 'debrief'];
const WITHIN_TEAM: EdgeType[] = ['team-spawn', 'team-report', 'peer-message'];

/**
 * Makes the edges of all sessions that changed since the last call, one transaction per project. The wanted edges are
 * computed from the stored chunks alone, and the difference is stored, so that the order of ingestion, repetition and
 * other processes do not matter. Files are linked across the whole project, because an older session that arrives later
 * may come between two that are already linked.
 * @param onProgress called with the share that is done, from 0 to 1
 */
export function linkSessions(
  store: Store,
  projectIds = store.edges.unlinkedProjects(),
  onProgress?: (share: number) => void,
): void {
  projectIds.forEach((projectId, before) => {
    const report = (share: number): void => onProgress?.((before + share) / projectIds.length);
    store.edges.write(projectId, (writer) => linkProject({ store, writer, projectId }, report));
  });
}

interface Linking {
  store: Store;
  writer: EdgeWriter;
  projectId: number;
}

function linkProject({ store, writer, projectId }: Linking, onProgress: (share: number) => void): void {
  const changed = writer.unlinkedSessions();
  if (changed.length === 0) return; // another process was faster
  const roots = writer.projectFolders();
  for (const [done, session] of changed.entries()) {
    onProgress(done / changed.length);
    const chunks = writer.chunks(session.id);
    putEntities(store, chunks, [...roots, session.cwd]);
    linkWithin(writer, session, chunks);
  }
  for (const session of continuations(writer, changed)) linkToOrigin(writer, session, projectId);
  linkFiles(writer, roots, projectId);
  linkTeams(writer);
}

/** What chunks name; a chunk that has a clock was looked at before. */
function putEntities(store: Store, chunks: readonly LinkableChunk[], folders: (string | null)[]): void {
  for (const chunk of chunks.filter(({ clock }) => clock === null)) {
    const files = chunk.files.map((file) => projectFile(file, folders));
    store.entities.put(chunk.id, entitiesOf({ ...chunk, files }));
  }
}

function linkWithin(writer: EdgeWriter, { id }: LinkableSession, chunks: readonly LinkableChunk[]): void {
  const facts = chunkFacts(chunks);
  const runs = agentRuns(writer.agentsOf(id), chunks);
  writer.putClocks(changedClocks(chunks, runs));
  const wanted = [...adjacentEdges(facts), ...agentEdges({ chunks: facts, runs })];
  storeEdges(writer, writer.endingInSession(id, WITHIN_SESSION), wanted);
}

/** The changed sessions, which may continue another, and those that continue a changed one. */
function continuations(writer: EdgeWriter, changed: readonly LinkableSession[]): LinkableSession[] {
  const uuids = new Set(changed.map(({ uuid }) => uuid));
  const others = writer.continuations().filter(({ continuesUuid }) => uuids.has(continuesUuid!));
  return [...new Map([...changed, ...others].map((session) => [session.id, session])).values()];
}

function linkToOrigin(writer: EdgeWriter, later: LinkableSession, projectId: number): void {
  const existing = writer.endingInSession(later.id, ['cross-session']);
  const earlier = later.continuesUuid === null ? undefined : writer.sessionByUuid(later.continuesUuid);
  if (!earlier) return storeEdges(writer, existing, []);
  const points = [later, earlier].flatMap(({ id }) => timeline(writer.chunks(id), projectId));
  const link = { earlierSessionId: earlier.uuid, laterSessionId: later.uuid };
  storeEdges(writer, existing, crossSessionEdges(points, [link]));
}

function linkFiles(writer: EdgeWriter, roots: readonly string[], projectId: number): void {
  const touches = writer.fileTouches().map((touch) => ({
    ...touch,
    files: touch.files.map((file) => projectFile(file, [...roots, touch.cwd])),
  }));
  storeEdges(writer, writer.endingInProject(['file-path']), filePathEdges(timeline(touches, projectId)));
}

function linkTeams(writer: EdgeWriter): void {
  const agents = writer.teamMembers();
  if (agents.length === 0) return;
  const chunks = writer.teamSessions().flatMap((id) => writer.chunks(id));
  const wanted = agentEdges({
    chunks: chunkFacts(chunks),
    runs: agentRuns(agents, chunks),
    messages: teamMessages(chunks),
  });
  storeEdges(writer, writer.endingInProject(WITHIN_TEAM), wanted);
}

function storeEdges(writer: EdgeWriter, existing: readonly StoredEdge[], wanted: readonly Edge[]): void {
  writer.apply(diffEdges(existing, wanted));
}

/** What the graph has to know of chunks; their order gives the positions. */
function chunkFacts(chunks: readonly LinkableChunk[]): ChunkFacts[] {
  return chunks.map((chunk, position) => ({
    id: chunk.id,
    sessionId: chunk.sessionUuid,
    agentId: chunk.agentKey,
    turn: chunk.turnId,
    position,
    startTimeMs: chunk.startTimeMs,
    endTimeMs: chunk.endTimeMs,
    files: chunk.files,
    kind: chunk.kind,
    text: chunk.text.replace(/^User: /, ''),
  }));
}

/** Chunks in their stored order: order times never decrease in it. */
function timeline(chunks: readonly FileTouch[], projectId: number): TimelinePoint[] {
  return chunks.map(({ id, sessionUuid, agentKey, orderTimeMs, files }, position) => ({
    id,
    projectId,
    sessionId: sessionUuid,
    agentId: agentKey,
    position,
    orderTimeMs,
    files,
  }));
}
