import * as z from 'zod';
import { recall } from '@causantic/retrieval';
import { projectFilter, text } from '../arguments.js';
import {
  episodeAnswer,
  foundHeader,
  NOTHING_FOUND,
  rangeHint,
  retrievalContext,
  scopeOf,
  seedAgentFilter,
} from '../memory-call.js';
import { defineTool, READ_ONLY } from '../tool.js';

export const recallTool = defineTool({
  name: 'recall',
  title: 'Recall episodes',
  description:
    'Recall episodic memory by walking backward through causal chains to reconstruct narrative context. Seeds are ' +
    'found by semantic search; the causal graph unfolds them into ordered chains; chains are ranked by aggregate ' +
    'semantic relevance per token. Best for "how did we solve X?". Falls back to search results when no viable ' +
    'chain is found. For recent/latest session queries, use reconstruct instead.',
  input: z.strictObject({
    query: text('What to recall from memory. Be specific about what context you need.'),
    range: rangeHint.describe(
      '"short" stays within the sessions that match; "long" follows causes far back across sessions. Default: in between.',
    ),
    project: projectFilter,
    agent: seedAgentFilter,
  }),
  annotations: READ_ONLY,
  async run({ query, range, project, agent }, context, options) {
    const result = await recall(retrievalContext(context, options), {
      query,
      scope: scopeOf(context, { project, agent }),
      ...(range && { range }),
      budgetTokens: context.config.tokens.mcpMaxResponse,
    });
    return episodeAnswer(result, { header: foundHeader(result), nothing: NOTHING_FOUND });
  },
});
