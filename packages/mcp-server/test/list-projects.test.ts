import { expect, it } from 'vitest';
import { causanticTools } from '../src/causantic/index.js';
import { callTool, type ToolContext } from '../src/tool.js';

const listProjects = causanticTools.find(({ name }) => name === 'list-projects')!;

it.each([
  ['what raises a setting', undefined, /\(raise tokens\.mcpMaxResponse to list them\)$/],
  ['that the client is the limit', 200, /\(the client shows no more of an answer\)$/],
])('a list of projects that is cut says %s', async (_what, mostTokens, end) => {
  const projects = Array.from({ length: 90 }, (_, n) => {
    return { slug: `mill-${n}`, chunks: 7, startTimeMs: null, endTimeMs: null };
  });
  const store = { projects: { list: () => projects } };
  const context = {
    store,
    config: { tokens: { mcpMaxResponse: 200 } },
    mostTokens,
  } as unknown as ToolContext;
  const { text } = await callTool(listProjects, {}, context);
  expect(text).toContain('mill-0 ');
  expect(text).not.toContain('mill-89');
  expect(text).toMatch(end);
});
