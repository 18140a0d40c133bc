import * as z from 'zod';
import { search } from '@causantic/retrieval';
import { agentFilter, projectFilter, text } from '../arguments.js';
import { foundAnswer, retrievalContext, scopeOf } from '../memory-call.js';
import { defineTool, READ_ONLY } from '../tool.js';

export const searchTool = defineTool({
  name: 'search',
  title: 'Search memory',
  description:
    'Search memory to discover relevant past context. Uses hybrid (BM25 + vector) retrieval with entity boosting. ' +
    'Returns ranked results by relevance. Best for broad discovery: "what do I know about X?". ' +
    'For recent/latest session queries, use reconstruct instead.',
  input: z.strictObject({
    query: text('What to search for in memory. Be specific about what context you need.'),
    project: projectFilter,
    agent: agentFilter,
  }),
  annotations: READ_ONLY,
  async run({ query, ...scope }, context, options) {
    const result = await search(retrievalContext(context, options), {
      query,
      scope: scopeOf(context, scope),
      budgetTokens: context.config.tokens.mcpMaxResponse,
    });
    return foundAnswer(result);
  },
});
