// What a person typed, in a message of Cline's.
import { blockText, contentBlocks, withTagsClosed } from '../claude-code/content.js';
import { untilLastEnd } from '../../text/elements.js';
import { type JsonObject } from '../../transcripts/records.js';

const TYPED = /<\/?user_input\b[^<>]*>/g;
/** Told to the model when a person switches between planning and acting. */
const MODE = /<mode_notice>(?:(?!<mode_notice>)[^])*?<\/mode_notice>\n?/g;
/** A command that the client has replaced by the instructions it stands for. */
const COMMAND = /<user_command slash="([^"]*)">([^]*?)<\/user_command>/g;

export interface Said {
  text: string;
  /** What the client put in the place of commands. */
  added: string[];
}

/** The words of a message, without what the client writes around them. */
export function saidIn(message: JsonObject): Said {
  const added: string[] = [];
  const blocks = withTagsClosed(contentBlocks(message['content']));
  const texts = blocks.map((block) => {
    const text = blockText(block).replace(TYPED, '').replace(MODE, '');
    const closed = untilLastEnd(text, 'user_command');
    const typed = closed.replace(COMMAND, (_, name: string, instructions: string) => {
      added.push(instructions);
      return `/${name}`;
    });
    return (typed + text.slice(closed.length)).trim();
  });
  return { text: texts.filter(Boolean).join('\n'), added };
}
