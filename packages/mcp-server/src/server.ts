import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolRequestSchema,
  ListToolsRequestSchema,
  type ServerNotification,
  type ServerRequest,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { CausanticError, errorMessage } from '@causantic/domain';
import { agentLabel, type Hit } from '@causantic/retrieval';
import { causanticTools } from './causantic/index.js';
import type { Services } from './services.js';
import { callTool, type CallOptions, type ToolAnswer, type ToolDefinition } from './tool.js';

/** The document's code for an error inside a known tool. */
const TOOL_ERROR = -32002;
/** JSON-RPC's own code for wrong parameters: no such tool. */
const INVALID_PARAMS = -32602;

const INSTRUCTIONS = `Causantic is long-term memory of past coding sessions. Which tool to use:
- Broad discovery, "what do I know about X?": search
- Episodic narrative, "how did we solve X?": recall
- Design evolution and past decisions, "why is X the way it is?": explain
- Relevant past context before you are asked, likely next steps: predict
- "What did I work on yesterday / in the last session?", recent work: reconstruct (with just a project: its newest history)
- Code orientation, "what is defined where?": repomap
- Which projects exist: list-projects. Browse sessions before diving into one: list-sessions
- System health: stats. Hook problems: hook-status. Delete memory: forget (previews first)
Any retrieval tool takes agent (e.g. "researcher") to look at one agent only.
Session ids in results can be opened with reconstruct (session_id).`;

/** An error with the numbers of JSON-RPC; the SDK puts code, message and data on the wire. */
class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

/** A memory server on one transport. */
export class MemoryServer {
  private readonly server: Server;
  private readonly tools = new Map(causanticTools.map((tool) => [tool.name, tool]));
  private readonly running = new Set<Promise<unknown>>();

  constructor(private readonly services: Services) {
    const info = { name: 'causantic', title: 'Causantic memory', version: services.version };
    this.server = new Server(info, { capabilities: { tools: {} }, instructions: INSTRUCTIONS });
    this.server.setRequestHandler(ListToolsRequestSchema, () => ({
      tools: [...this.tools.values()].map(describeTool),
    }));
    this.server.setRequestHandler(CallToolRequestSchema, ({ params }, extra) =>
      this.track(this.call(params.name, params.arguments, callOptions(params._meta?.progressToken, extra))),
    );
  }

  /** @param onClosed called when the transport gives up, and by `close` */
  async connect(transport: Transport, onClosed?: () => void): Promise<void> {
    if (onClosed) this.server.onclose = onClosed;
    await this.server.connect(transport);
  }

  /** Finish and answer what runs, then close. */
  async close(): Promise<void> {
    while (this.running.size > 0) {
      await Promise.allSettled(this.running);
      // The SDK writes an answer some microtasks after its handler is done.
      await new Promise((resolve) => setImmediate(resolve));
    }
    await this.server.close();
    await this.services.close();
  }

  private track<T>(work: Promise<T>): Promise<T> {
    this.running.add(work);
    return work.finally(() => this.running.delete(work));
  }

  private async call(name: string, input: unknown, options: CallOptions) {
    const tool = this.tools.get(name);
    if (!tool)
      throw new RpcError(
        INVALID_PARAMS,
        `Unknown tool "${name}". Known: ${[...this.tools.keys()].join(', ')}.`,
      );
    try {
      return toResult(await callTool(tool, input, this.services.context(), options));
    } catch (error) {
      const data = error instanceof CausanticError ? { code: error.code, ...error.data } : undefined;
      throw new RpcError(TOOL_ERROR, `Tool "${name}" failed: ${errorMessage(error)}`, {
        tool: name,
        ...data,
      });
    }
  }
}

type RequestExtra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** Progress is told only to a client that asked for it. */
function callOptions(progressToken: string | number | undefined, extra: RequestExtra): CallOptions {
  if (progressToken === undefined) return { signal: extra.signal };
  const onProgress = (progress: number, total: number): void => {
    const params = { progressToken, progress, total };
    // A client that went away needs no progress; its call ends with the connection.
    extra.sendNotification({ method: 'notifications/progress', params }).catch(() => undefined);
  };
  return { signal: extra.signal, onProgress };
}

function describeTool(tool: ToolDefinition) {
  const { $schema: _schema, ...inputSchema } = z.toJSONSchema(tool.input, { io: 'input' });
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: inputSchema as { type: 'object' },
    annotations: { title: tool.title, ...tool.annotations },
  };
}

/**
 * One text block and no `structuredContent`: clients that see it hide the text from the model.
 * Machine-readable detail goes into `_meta`.
 */
function toResult(answer: ToolAnswer) {
  return {
    content: [{ type: 'text' as const, text: answer.text }],
    _meta: {
      ...(answer.hits && { 'causantic/hits': answer.hits.map(describeHit) }),
      ...(answer.diagnostics !== undefined && { 'causantic/diagnostics': answer.diagnostics }),
    },
  };
}

/** A hit as machines read it. */
export function describeHit({ chunk, score, sources }: Hit) {
  return {
    chunkId: chunk.id,
    sessionId: chunk.sessionUuid,
    project: chunk.projectSlug,
    agent: agentLabel(chunk),
    score,
    sources,
    tokens: chunk.tokens,
    startTime: chunk.startTimeMs === null ? null : new Date(chunk.startTimeMs).toISOString(),
  };
}
