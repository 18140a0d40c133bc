// Reads what a person mentioned with `@`, which Claude Code attaches to the prompt.
import { type JsonObject, listOf, objectOf, stringOf } from '../../transcripts/records.js';

/** What was attached, as the call of a tool that would read it. */
export interface Mentioned {
  name: string;
  input: JsonObject;
  text: string;
}

/** Null for an attachment that nobody mentioned. */
export function mentionedIn(attachment: JsonObject): Mentioned | null {
  switch (attachment['type']) {
    case 'file':
      return mentionedFile(attachment);
    case 'mcp_resource':
      return mentionedResource(attachment);
    default:
      return null;
  }
}

function mentionedFile({ filename, content }: JsonObject): Mentioned {
  const text = stringOf(objectOf(objectOf(content)['file'])['content']) ?? '';
  return { name: 'Attachment', input: { file_path: stringOf(filename) }, text };
}

/** A server's resource (`@server:uri`), told as by the tool that reads one. */
function mentionedResource({ server, uri, content }: JsonObject): Mentioned {
  const texts = listOf(objectOf(content)['contents']).flatMap(
    (part) => stringOf(objectOf(part)['text']) ?? [],
  );
  return { name: 'ReadMcpResourceTool', input: { server, uri }, text: texts.join('\n') };
}
