import * as z from 'zod';
import { explain } from '@causantic/retrieval';
import { agentFilter, projectFilter, text } from '../arguments.js';
import { foundAnswer, rangeHint, retrievalContext, scopeOf } from '../memory-call.js';
import { defineTool, READ_ONLY } from '../tool.js';

export const explainTool = defineTool({
  name: 'explain',
  title: 'Explain history',
  description:
    'Get an explanation of the context and history behind a topic: the decisive passages of every session that ' +
    'touched it, in order, from the first mention to the latest state. A long answer begins with what answers best. ' +
    'Best for design evolution and past decisions: "why is X the way it is?". Defaults to long-range retrieval ' +
    'spanning multiple sessions.',
  input: z.strictObject({
    topic: text(
      'What topic or aspect to explain. E.g., "the authentication system" or "why we chose React".',
    ),
    range: rangeHint.describe(
      'Time range: "short" for recent context, "long" for full history. Default: "long".',
    ),
    project: projectFilter,
    agent: agentFilter,
  }),
  annotations: READ_ONLY,
  async run({ topic, range, project, agent }, context, options) {
    const explanation = await explain(retrievalContext(context, options), {
      topic,
      scope: scopeOf(context, { project, agent }),
      ...(range && { range }),
      budgetTokens: context.config.tokens.mcpMaxResponse,
    });
    return foundAnswer(explanation);
  },
});
