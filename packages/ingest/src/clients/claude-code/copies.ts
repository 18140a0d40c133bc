// Tells records that Claude Code copied from another session by what it notes with them.
import { type JsonObject, objectOf, stringOf } from '../../transcripts/records.js';
import { firstRecords } from './first-records.js';

/** The session from which a record was copied, as clients note with some, or forget to change; null for its own. */
export function originalSession(record: JsonObject, ownSession: string): string | null {
  const from =
    stringOf(objectOf(record['forkedFrom'])['sessionId']) ??
    stringOf(record['requestSessionId']) ??
    stringOf(record['sessionId']);
  return from === ownSession ? null : from;
}

/** The id of a record, in a copy that of its original: a fork that the client's library makes gives its copies new ones. */
export function originalId(record: JsonObject): string | null {
  return stringOf(objectOf(record['forkedFrom'])['messageUuid']) ?? stringOf(record['uuid']);
}

/** Is what stands in a transcript up to the model's first answer noted to be a copy? */
export function beginsWithCopy(path: string, session: string): boolean {
  for (const record of firstRecords(path)) {
    if (originalSession(record, session) !== null) return true;
    if (record['type'] === 'assistant') return false;
  }
  return false;
}
