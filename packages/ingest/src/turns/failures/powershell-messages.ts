// Messages of PowerShell, which breaks them at its window's edge and writes the kind of error and the place around them.

/** Behind it stands the kind of error. */
const SIGN = '+ CategoryInfo';
/** Where in the script, in any language. */
const PLACE = '\\p{L}.*:\\s?\\d+\\s[\\p{L} ]{0,20}:\\s?\\d+\\s*';
const IS_PLACE = new RegExp(`^${PLACE}$`, 'u');
const OF_FRAME = new RegExp(`^(?:\\+ .*|${PLACE})$`, 'u');

/**
 * A message of its own commands, of a script and of a name that none has, which it breaks into lines as wide as its window, up to
 * where the line of the script is told, or the kind of error, if there is no line.
 */
const MESSAGE = new RegExp(
  `^(?:[A-Z]\\w+-\\w+|[A-Za-z]:[^\\n:]+\\.ps1|[^\\s+][^\\n]{0,200}?(?= : The term ')) : [^\\n]*(?:\\n[^\\n+][^\\n]*){0,5}?(?=\\n(?:${PLACE}$|\\s*\\+ CategoryInfo))`,
  'gmu',
);
/** Where a line of it ends in the middle of a word: behind a whole one its blank is kept. */
const BREAK = /(?<=[^\n]{78}[^\s.,:;])\r?\n(?=\S)/g;
const ADVICE = / Check the spelling of the name, or if a path was included, .*/;

/** The script could not be read: each mistake in it follows its place, and at last that there are more. */
const OF_PARSER = /\+ CategoryInfo +: ParserError/;

export function isOfPowerShell(text: string): boolean {
  return text.includes(SIGN);
}

/** The text with each message on a line, without advice. */
export function joinedMessages(text: string): string {
  return text.replace(MESSAGE, (message) =>
    message.replace(BREAK, '').replace(/\s+/g, ' ').replace(ADVICE, ''),
  );
}

/** Of the lines of a text, those that are no frame; of a script that could not be read, the first mistake. */
export function messageLines(text: string, lines: readonly string[]): string[] {
  const isOfParser = OF_PARSER.test(text);
  const first = isOfParser ? lines.findIndex((line) => IS_PLACE.test(line)) : 0;
  const messages = lines.slice(Math.max(0, first)).filter((line) => !OF_FRAME.test(line));
  return isOfParser ? messages.slice(0, 1) : messages;
}
