import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countTokens } from '@causantic/domain/tokens';
import { call, MemoryHome } from './memory-home.js';
import { sessionId, TranscriptBuilder } from './transcript-builder.js';

const PROJECTS = 60;
const SESSIONS = 40;

let memory: MemoryHome;
let unlimited: Client;

beforeAll(async () => {
  memory = new MemoryHome();
  for (let n = 0; n < PROJECTS; n++) writeSession(`5000${pad(n)}`, `/home/ada/mill-${n}-風車-ветряк`, n);
  for (let n = 0; n < SESSIONS; n++) writeSession(`5100${pad(n)}`, '/home/ada/heron', n);
  await memory.ingest();
  unlimited = await memory.connect();
});
afterAll(() => memory.remove());

const pad = (n: number): string => String(n).padStart(4, '0');

function writeSession(prefix: string, cwd: string, day: number): void {
  const start = new Date(Date.UTC(2026, 0, 1 + day, 10)).toISOString();
  new TranscriptBuilder({ session: sessionId(prefix), cwd, start })
    .exchange('What grinds the corn?', 'The mill stone grinds the corn.')
    .writeTo(memory.projects);
}

describe.each([200, 600])('with room for %i tokens', (budget) => {
  it.each<[tool: string, args: Record<string, unknown>, entries: number, isEntry: RegExp]>([
    ['list-projects', {}, PROJECTS + 1, /^- .* chunks, /],
    ['list-sessions', { project: 'heron', limit: 100 }, SESSIONS, /^- 5100/],
    ['list-sessions', { project: 'heron', limit: 30 }, SESSIONS, /^- 5100/],
    ['stats', {}, PROJECTS + 1, /^- (mill|heron).*chunks/],
  ])('%s %j shows whole entries, and says how many are left out', async (tool, args, entries, isEntry) => {
    const client = await memory.connect({ CAUSANTIC_TOKENS_MCP_MAX_RESPONSE: String(budget) });
    const all = (await call(unlimited, tool, args)).text.split('\n').filter((line) => isEntry.test(line));
    const { text } = await call(client, tool, args);
    const shown = text.split('\n').filter((line) => isEntry.test(line));
    expect(countTokens(text)).toBeLessThanOrEqual(budget);
    expect(shown.length).toBeGreaterThan(0);
    expect(shown).toEqual(all.slice(0, shown.length));
    const leftOut = entries - shown.length;
    if (leftOut > 0) expect(text).toMatch(new RegExp(`^\\.\\.\\.and ${leftOut} more`, 'm'));
    await client.close();
  });
});

it('a text that fits is the one that the documents show', async () => {
  const projects = (await call(unlimited, 'list-projects')).text.split('\n');
  expect(projects[0]).toBe('Projects in memory:');
  expect(projects).toHaveLength(PROJECTS + 2);
  const sessions = (await call(unlimited, 'list-sessions', { project: 'heron' })).text.split('\n');
  expect(sessions[0]).toBe(`Sessions for "heron" (${SESSIONS} total):`);
  expect(sessions).toHaveLength(32);
  expect(sessions.at(-1)).toBe('...and 10 more');
});
