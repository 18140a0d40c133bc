// Reads the blocks that messages and results of Claude Code are made of.
import { PRIVATE_TAG } from '../../redaction/redaction.js';
import { type JsonObject, isObject, listOf, stringOf } from '../../transcripts/records.js';

/** The blocks of a message: a string content is one text block; anything that is no block is left out. */
export function contentBlocks(content: unknown): JsonObject[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return listOf(content).flatMap((block) => {
    if (typeof block === 'string') return [{ type: 'text', text: block }];
    return isObject(block) ? [block] : [];
  });
}

/** An image or a mentioned file parts a prompt into blocks: what is private in one of them goes on to be so in the next. */
export function withTagsClosed(blocks: readonly JsonObject[]): JsonObject[] {
  let isPrivate = false;
  const lastEnd = blocks.findLastIndex((block) => /<\/private\s*>/i.test(blockText(block)));
  return blocks.map((block, index) => {
    if (block['type'] !== 'text') return block;
    const text = `${isPrivate ? '<private>' : ''}${stringOf(block['text']) ?? ''}`;
    const [, slash] = [...text.matchAll(PRIVATE_TAG)].at(-1) ?? [];
    isPrivate = slash === '' && index < lastEnd;
    return { ...block, text };
  });
}

/** How many entries of a content list are no blocks. */
export function unreadableBlocks(content: unknown): number {
  return listOf(content).filter((block) => typeof block !== 'string' && !isObject(block)).length;
}

/** The readable text of a tool result's content: strings, a block or a list of them, marks for what is no text. */
export function resultText(content: unknown): string {
  if (typeof content === 'string') return content;
  return contentBlocks(isObject(content) ? [content] : content)
    .map(blockText)
    .filter((text) => text !== '')
    .join('\n');
}

/** The text of one block, or a mark for media. */
export function blockText(block: JsonObject): string {
  switch (block['type']) {
    case 'image':
      return '[image]';
    case 'document':
      return `[document${stringOf(block['title']) ? ` ${stringOf(block['title'])}` : ''}]`;
    case 'web_search_result':
      return `${stringOf(block['title']) ?? ''} ${stringOf(block['url']) ?? ''}`.trim();
    case 'tool_reference':
      return `[tool ${stringOf(block['tool_name']) ?? ''}]`;
    default:
      return stringOf(block['text']) ?? '';
  }
}
