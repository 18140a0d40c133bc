import { readSync } from 'node:fs';
import { fenceBehind } from '../../text/fences.js';
import type { JsonObject } from '../../transcripts/records.js';

/** Notes are short; what is longer is no note, and its beginning will do. */
const MAX_BYTES = 1 << 20;

const HEADING = /^(#{1,6})\s+(\S.*)$/;
/** What may close a heading; the sign in `C#` is a name's own. */
const HEADING_END = /(?<=\s)#+$/;

/** What stands above a note, of which the client alone needs some. */
const FRONT_MATTER = /^---\n((?:[^\n]*\n){1,40}?)---(?:\n+|$)/;
const CHANGED_AT = /^(?: {2})?modified: *(\S+)$/m;
const FOR_THE_CLIENT = /^(?:metadata:|(?: {2})?(?:node_type|type|originSessionId|modified):)[^\n]*\n/gm;

interface Section {
  line: number;
  /** Texts of the headings it stands under, the outermost first. */
  headings: string[];
  lines: string[];
}

/**
 * The parts of a Markdown text, cut at its headings: `{ headings, text }` each, without empty ones, and `changedAt` where
 * the client notes that above.
 */
export function* readSections(
  descriptor: number,
  size: number,
): Generator<{ line: number; record: JsonObject }> {
  const bytes = Buffer.alloc(Math.min(size, MAX_BYTES));
  const count = readSync(descriptor, bytes, 0, bytes.length, 0);
  const sections = sectionsOf(bytes.toString('utf8', 0, count));
  const top = sections[0]!;
  const fields = FRONT_MATTER.exec(top.lines.join('\n'))?.[1] ?? '';
  const changedAt = CHANGED_AT.exec(fields)?.[1];
  for (const section of sections) {
    const { line, headings, lines } = section;
    const all = lines.join('\n').trim();
    const text = section === top ? withoutClientFields(all) : all;
    if (text !== '') yield { line, record: { headings, text, ...(changedAt && { changedAt }) } };
  }
}

function withoutClientFields(note: string): string {
  return note.replace(FRONT_MATTER, (_, fields: string) => `${fields.replace(FOR_THE_CLIENT, '')}\n`).trim();
}

function sectionsOf(text: string): Section[] {
  const path: { level: number; title: string }[] = [];
  let open: Section = { line: 1, headings: [], lines: [] };
  const sections = [open];
  let fence: string | null = null;
  for (const [index, line] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    fence = fenceBehind(line, fence);
    const heading = fence === null ? HEADING.exec(line) : null;
    if (!heading) {
      open.lines.push(line);
      continue;
    }
    const level = heading[1]!.length;
    while ((path.at(-1)?.level ?? 0) >= level) path.pop();
    path.push({ level, title: heading[2]!.trimEnd().replace(HEADING_END, '').trimEnd() });
    open = { line: index + 1, headings: path.map(({ title }) => title), lines: [] };
    sections.push(open);
  }
  return sections;
}
