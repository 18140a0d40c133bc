/** What reading transcripts costs at the least: every line of every file parsed as JSON, nothing kept. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.argv[2] ?? '.';
for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
  if (!name.endsWith('.jsonl')) continue;
  for (const line of readFileSync(join(folder, name), 'utf8').split('\n')) if (line !== '') JSON.parse(line);
}
