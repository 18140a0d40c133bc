import { createHash } from 'node:crypto';
import { GRAMMARS } from './grammars.js';

/** Raise it when extraction changes by anything but the queries, which are part of the version themselves. */
const EXTRACTION_RULES = 1;

/** What cached tags were made with: another version reads every file again. */
export const EXTRACTION_VERSION = createHash('sha1')
  .update(
    JSON.stringify([EXTRACTION_RULES, Object.entries(GRAMMARS).map(([name, { query }]) => [name, query])]),
  )
  .digest('hex');
