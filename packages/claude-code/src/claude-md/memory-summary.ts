import { editCounts, formatMonthRange } from '@causantic/retrieval';
import type { SessionSummary, Store, StoredProject } from '@causantic/storage';
import { firstStartMs } from '../briefing/project-memory.js';

const FILES = 8;
/** A file that was edited in fewer turns is not what the project is about. */
const MIN_EDITS = 2;

/**
 * What CLAUDE.md says about the memory. Nothing in it changes with each session, because the file is usually under version
 * control; the briefing covers what changes. Sub-agents read this, but get no briefing.
 */
export function memorySummary(store: Store, project: StoredProject): string {
  const sessions = store.sessions.list({ projectId: project.id });
  const firstMs = firstStartMs(sessions);
  const since = firstMs === undefined ? '' : `, since ${formatMonthRange(firstMs, firstMs).split(' – ')[0]}`;
  return [
    '## Memory of earlier sessions',
    '',
    `Causantic remembers earlier sessions of this project (project \`${project.slug}\`${since}). Before you ask about`,
    'something that was discussed before, or work it out again, look it up with the tools of the MCP server `causantic`:',
    '',
    `- what was done recently, or in one session: \`reconstruct\` with project \`${project.slug}\``,
    '- how something was solved: `recall`; why it is as it is: `explain`',
    '- anything about a topic, an error, a file: `search`',
    ...editedLine(store, project, sessions),
  ].join('\n');
}

/** Files of other names would end the block, or the line, and what comes after would seem to be the user's. */
const HARMLESS_NAME = /^[^`<>\p{C}\p{Zl}\p{Zp}]+$/u;

/** In the order of the alphabet: ranks change more often than the set does. */
function editedLine(store: Store, project: StoredProject, sessions: readonly SessionSummary[]): string[] {
  const turns = store.sessions.turns(sessions.map(({ id }) => id));
  const filesByTurn = turns.map(({ facts }) => facts.filesTouched);
  const counts = editCounts(filesByTurn, store.projects.folders(project.id));
  const most = [...counts]
    .filter(([file, edits]) => edits >= MIN_EDITS && HARMLESS_NAME.test(file))
    .sort((a, b) => b[1] - a[1]);
  const files = most.slice(0, FILES).map(([file]) => file);
  const names = files.sort().map((file) => `\`${file}\``);
  return names.length === 0 ? [] : ['', `Most edited files: ${names.join(', ')}.`];
}
