import * as z from 'zod';
import { agentLabel, type Hit, isoTime } from '@causantic/retrieval';
import type { ToolAnswer, ToolDefinition } from '../tool.js';

/**
 * Claude Code writes answers larger than 50,000 characters to a file and shows the model its first 2 KB, unless the tool
 * declares a larger limit; this is the largest allowed. `tokens.mcpMaxResponse` sets the actual size of answers.
 */
const SHOWN_WHOLE = { 'anthropic/maxResultSizeChars': 500_000 };

/** That no other arguments are accepted stays unsaid: libraries for Gemini fail at the word for it, and the tool tells anyway. */
export function describeTool(tool: ToolDefinition) {
  const {
    $schema: _schema,
    additionalProperties: _others,
    ...inputSchema
  } = z.toJSONSchema(tool.input, { io: 'input' });
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: inputSchema as { type: 'object' },
    annotations: { title: tool.title, ...tool.annotations },
    _meta: SHOWN_WHOLE,
  };
}

/**
 * One text block and no `structuredContent`: clients that see it hide the text from the model.
 * Machine-readable details go into `_meta`, except for a client that shows it to the model.
 */
export function toResult(answer: ToolAnswer, isMetaShown = false) {
  const content = [{ type: 'text' as const, text: answer.text }];
  if (isMetaShown) return { content };
  return {
    content,
    _meta: {
      ...(answer.hits && { 'causantic/hits': answer.hits.map(describeHit) }),
      ...(answer.diagnostics !== undefined && { 'causantic/diagnostics': answer.diagnostics }),
    },
  };
}

/** A hit in machine-readable form. */
export function describeHit({ chunk, score, sources }: Hit) {
  return {
    chunkId: chunk.id,
    sessionId: chunk.sessionUuid,
    project: chunk.projectSlug,
    agent: agentLabel(chunk),
    score,
    sources,
    tokens: chunk.tokens,
    startTime: isoTime(chunk.startTimeMs),
  };
}
