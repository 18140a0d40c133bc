// Reads what Claude Code notes beside a tool's result (`toolUseResult`), which the model is not given.
import { listOf, objectOf } from '../../transcripts/records.js';

/** What a tool wrote, where its result block is empty. */
export function outputOf(toolUseResult: unknown): string {
  const result = objectOf(toolUseResult);
  return [result['stdout'], result['stderr']].filter((text) => typeof text === 'string').join('\n');
}

/** More files than an agent edits by hand: a formatter or a generator wrote them. */
const MAX_EDITED = 20;

/** The files that a command changed, where the client looked and nothing else ran that may have changed them. */
export function changedByCommand(toolUseResult: unknown): string[] {
  const { changedFiles, shared } = objectOf(objectOf(toolUseResult)['bashEditDiff']);
  const files = listOf(changedFiles).filter((path) => typeof path === 'string');
  return shared === true || files.length > MAX_EDITED ? [] : files;
}
