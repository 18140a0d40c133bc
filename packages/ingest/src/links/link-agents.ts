import { groupBy } from '@causantic/domain';
import type { AgentRun, TeamMessage } from '@causantic/graph';
import type { LinkableAgent, LinkableChunk } from '@causantic/storage';
import { LEAD } from '../clients/claude-code/agents.js';
import { commonTool } from '../turns/tool-names.js';

/** As `commonTool` calls them, whichever client has them. */
const SPAWN_TOOLS = new Set(['Task', 'Agent', 'spawn_agent']);

/** A call, as `callText` writes it: `[Task] Explore Find the till`. */
const CALL_LINE = /^\[([^\]\n]+)\] (.*)$/gm;

interface SpawnCall {
  chunk: LinkableChunk;
  /** Offset behind the call's first line, in the chunk's text. */
  offset: number;
  words: string;
}

/**
 * Finds which chunk started each agent, and which one received its result. Calls are matched by name and description;
 * agents that share both get their calls in the order in which they began.
 * @param chunks of all sessions concerned, in order within each session
 */
export function agentRuns(agents: readonly LinkableAgent[], chunks: readonly LinkableChunk[]): AgentRun[] {
  if (agents.length === 0) return [];
  const calls = chunks.flatMap(spawnCalls);
  const streams = groupBy(chunks, streamOf);
  // Looked for once: a session may have started thousands of agents, each of which may have told of its end.
  const notices = new Set(chunks.filter(({ text }) => NOTICE.test(text)));
  const inOrder = agents
    .map((agent) => ({ agent, own: streams.get(streamKey(agent.sessionUuid, agent.key)) ?? [] }))
    .filter(({ own }) => own.length > 0)
    .toSorted((a, b) => a.own[0]!.orderTimeMs - b.own[0]!.orderTimeMs);
  return inOrder.map(({ agent, own }) => {
    const found = calls.findIndex((call) => isCallOf(call, agent));
    const call = found < 0 ? undefined : calls.splice(found, 1)[0];
    const team = agent.kind === 'teammate';
    return {
      sessionId: agent.sessionUuid,
      agentId: agent.key,
      team,
      spawnChunkId: call ? call.chunk.id : null,
      // A team member reports by messages; the result of its call says only that it was started.
      ...(call && !team
        ? reportOf(call, agent, { own, callers: streams.get(streamOf(call.chunk))!, notices })
        : NO_REPORT),
    };
  });
}

function spawnCalls(chunk: LinkableChunk): SpawnCall[] {
  if (!chunk.tools.some(startsAgent)) return [];
  return [...chunk.text.matchAll(CALL_LINE)]
    .filter(([, tool]) => startsAgent(tool!))
    .map(({ 0: line, 2: words, index }) => ({ chunk, offset: index + line.length, words: words! }));
}

function startsAgent(tool: string): boolean {
  return SPAWN_TOOLS.has(commonTool(tool));
}

function streamOf({ sessionUuid, agentKey }: LinkableChunk): string {
  return streamKey(sessionUuid, agentKey);
}

function streamKey(session: string, agent: string | null): string {
  return JSON.stringify([session, agent]);
}

function isCallOf({ words, chunk }: SpawnCall, agent: LinkableAgent): boolean {
  const { name, description, key, sessionUuid, kind } = agent;
  if (chunk.sessionUuid === sessionUuid && chunk.agentKey === key) return false;
  if (kind === 'teammate') return words.split(' ')[0] === name;
  if (description === null) return words.startsWith(name);
  return description !== '' && words.endsWith(description);
}

type Report = Pick<AgentRun, 'lastChunkId' | 'resultChunkId'>;
const NO_REPORT: Report = { lastChunkId: null, resultChunkId: null };

/**
 * Where the agent's first report ends, and the chunk in which it reached the stream that started the agent.
 * @param own the agent's chunks
 * @param callers those of that stream
 * @param notices chunks that may tell of any agent
 */
function reportOf(
  { chunk, offset }: SpawnCall,
  agent: LinkableAgent,
  {
    own,
    callers,
    notices,
  }: Record<'own' | 'callers', readonly LinkableChunk[]> & { notices: ReadonlySet<LinkableChunk> },
): Report {
  const later = callers.slice(callers.indexOf(chunk) + 1);
  // What it says after its report, it was asked for later.
  const lastBefore = ({ endTimeMs }: LinkableChunk): LinkableChunk | undefined =>
    own.findLast((chunk) => says(chunk) && (chunk.endTimeMs ?? 0) <= (endTimeMs ?? Infinity));
  const notice = later.find((chunk) => notices.has(chunk) && isNoticeOf(chunk.text, agent));
  if (notice) return { lastChunkId: (lastBefore(notice) ?? own.at(-1)!).id, resultChunkId: notice.id };
  const answer = answersAt(chunk, offset) ? later[0] : later.find((chunk) => answersAt(chunk, 0));
  const last = answer && lastBefore(answer);
  // An agent in the background: the call was answered before the agent had anything to say.
  return answer && last ? { lastChunkId: last.id, resultChunkId: answer.id } : NO_REPORT;
}

function says({ spans }: LinkableChunk): boolean {
  return spans.some(({ speaker }) => speaker === 'assistant' || speaker === 'tool_use');
}

/** Stands in every text of which {@link isNoticeOf} is true. */
const NOTICE = / \(Agent "| → /;

/** `Explore (Agent "Find the till" completed) → main: …`, and what else the agent says to who started it. */
function isNoticeOf(text: string, { name, description, kind }: LinkableAgent): boolean {
  if (description !== null && text.includes(`${name} (Agent "${description}"`)) return true;
  const said = `${name} → `;
  return kind === 'subagent' && (text.startsWith(said) || text.includes(`\n${said}`));
}

/** Whether the first thing after this place that a tool wrote or was asked is a result. */
function answersAt({ spans }: LinkableChunk, offset: number): boolean {
  const next = spans.find(
    ({ speaker, start }) => start >= offset && (speaker === 'tool_result' || speaker === 'tool_use'),
  );
  return next?.speaker === 'tool_result';
}

/** `[SendMessage] lead → ada: How far are you?` where it is sent, without the tool's name where it arrives. */
const MESSAGE_LINE = /^(\[SendMessage\] )?(\S[^\n→]{0,199}) → ([^\n:]{1,100}): (.*)$/gm;
/** The two ends may be shortened differently. */
const COMPARED_CHARS = 80;

/**
 * Messages that appear in both their sender's and their receiver's stream; the k-th of equal messages is paired with the
 * k-th.
 * @param chunks in the order of session ids, and in order within each session
 */
export function teamMessages(chunks: readonly LinkableChunk[]): TeamMessage[] {
  const inOrder = chunks.toSorted((a, b) => a.orderTimeMs - b.orderTimeMs);
  const sent = new Map<string, LinkableChunk[]>();
  const received: { key: string; to: string; chunk: LinkableChunk }[] = [];
  for (const chunk of inOrder) {
    for (const [, marker, from, to, text] of chunk.text.matchAll(MESSAGE_LINE)) {
      const key = JSON.stringify([from, to, text!.slice(0, COMPARED_CHARS)]);
      if (!marker) received.push({ key, to: to!, chunk });
      else sent.set(key, [...(sent.get(key) ?? []), chunk]);
    }
  }
  return received.flatMap(({ key, to, chunk }) => {
    const sender = sent.get(key)?.shift();
    return sender ? [{ senderChunkId: sender.id, receiverChunkId: chunk.id, toLead: to === LEAD }] : [];
  });
}
