import { formatMonthRange } from '@causantic/retrieval';
import type { Store, StoredProject } from '@causantic/storage';
import { editCounts } from '../briefing/open-work.js';

const FILES = 8;
/** A file that was edited in fewer turns is not what the project is about. */
const MIN_EDITS = 2;

/**
 * What CLAUDE.md says of the memory. Nothing in it changes with each session, since the file mostly is under version
 * control; what does change is told by the briefing. Sub-agents read this, and are given no briefing.
 */
export function memorySummary(store: Store, project: StoredProject): string {
  const sessions = store.sessions.list({ projectId: project.id });
  const starts = sessions.flatMap(({ startTimeMs }) => startTimeMs ?? []);
  const firstMs = starts.length > 0 ? starts.reduce((a, b) => Math.min(a, b)) : null;
  const since = firstMs === null ? '' : `, since ${formatMonthRange(firstMs, firstMs).split(' – ')[0]}`;
  return [
    '## Memory of earlier sessions',
    '',
    `Earlier sessions of this project are kept by Causantic (project \`${project.slug}\`${since}). Before you ask for what was`,
    'discussed before, or work it out again, look there with the tools of the MCP server `causantic`:',
    '',
    `- what was done last, or in one session: \`reconstruct\` with project \`${project.slug}\``,
    '- how something was solved: `recall`; why it is the way it is: `explain`',
    '- anything about a topic, an error, a file: `search`',
    ...editedLine(
      store,
      project,
      sessions.map(({ id }) => id),
    ),
  ].join('\n');
}

/** Files of other names would end the block, or the line, and what comes after would seem to be the user's. */
const HARMLESS_NAME = /^[^`<>\p{C}\p{Zl}\p{Zp}]+$/u;

/** In the order of the alphabet: ranks change more often than the set does. */
function editedLine(store: Store, project: StoredProject, sessionIds: readonly number[]): string[] {
  const counts = editCounts(store.sessions.turns(sessionIds), store.projects.folders(project.id));
  const most = [...counts]
    .filter(([file, turns]) => turns >= MIN_EDITS && HARMLESS_NAME.test(file))
    .sort((a, b) => b[1] - a[1]);
  const files = most.slice(0, FILES).map(([file]) => file);
  return files.length === 0
    ? []
    : [
        '',
        `Edited most so far: ${files
          .sort()
          .map((file) => `\`${file}\``)
          .join(', ')}.`,
      ];
}
