import * as z from 'zod';
import { predict } from '@causantic/retrieval';
import { projectFilter, text } from '../arguments.js';
import { episodeAnswer, retrievalContext, scopeOf, seedAgentFilter } from '../memory-call.js';
import { defineTool, READ_ONLY } from '../tool.js';

export const predictTool = defineTool({
  name: 'predict',
  title: 'Predict next steps',
  description:
    'Predict what context or topics might be relevant based on current discussion. Walks forward through causal ' +
    'chains to surface likely next steps. Use proactively when a task begins: it shows what came next the last time. ' +
    'Falls back to search results when no viable chain is found.',
  input: z.strictObject({
    context: text('Current context or topic being discussed.'),
    project: projectFilter,
    agent: seedAgentFilter,
  }),
  annotations: READ_ONLY,
  async run({ context: current, project, agent }, context, options) {
    const result = await predict(retrievalContext(context, options), {
      query: current,
      scope: scopeOf(context, { project, agent }),
      // The documents give predict half of what the other tools may fill.
      budgetTokens: Math.floor(context.config.tokens.mcpMaxResponse / 2),
    });
    return episodeAnswer(result, {
      header: `Potentially relevant context (${result.hits.length} items):`,
      nothing: 'No predictions available based on current context.',
    });
  },
});
