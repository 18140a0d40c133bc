// Codex has no tool to read a file: it prints it.
import { folderEntered, pathFrom, PLAIN_WORD, stepsOf, unquoted } from '../../text/shell.js';

/** Between files, a heading may be printed. */
const HEADING_STEP = /^(?:echo|printf)\s[^>|`(]*$/;

const RANGE = `(?:(['"])[\\d,;p$ ]+\\1|\\d+(?:,\\d+)?p)`;
const CUT = `(?:sed -n ['"][\\d,;p$ ]+['"]|(?:head|tail)(?: -n)? -?\\d+|nl -ba)`;
const PRINT_STEP = new RegExp(
  `^(?:cat|nl -ba|sed -n ${RANGE}|(?:head|tail)(?: -n)? -?\\d+)((?:\\s+${PLAIN_WORD})+)(?:\\s*\\|\\s*${CUT})?$`,
);
const WORDS = new RegExp(PLAIN_WORD, 'g');

const OPTION = '-(?:LiteralPath|Path|Raw|Encoding\\s+\\w+|(?:TotalCount|Head|Tail)\\s+\\d+)';
const PRINT_ON_WINDOWS = new RegExp(
  `^\\s*Get-Content\\s+(?:${OPTION}\\s+)*(?:'([^'\\n]+)'|"([^"\\n$]+)"|([^\\s'"|;&<>()$@*-][^\\s'"|;&<>()$@*]*))(?:\\s+${OPTION})*(?:\\s*\\|\\s*Select-Object(?:\\s+-(?:First|Skip|Last)\\s+\\d+)+)?\\s*$`,
);

/** The files that a command prints, as it would find them from its folder; none where it does anything else. */
export function printedFiles(command: string): string[] {
  const onWindows = PRINT_ON_WINDOWS.exec(command)?.slice(1).find(Boolean);
  if (onWindows !== undefined) return [onWindows];
  let folder = '';
  const files: string[] = [];
  for (const step of stepsOf(command)) {
    if (HEADING_STEP.test(step)) continue;
    const entered = folderEntered(step);
    const printed = PRINT_STEP.exec(step)?.[2];
    if (entered !== null) folder = pathFrom(folder, entered);
    else if (printed === undefined) return [];
    else files.push(...(printed.match(WORDS) ?? []).map((word) => pathFrom(folder, unquoted(word))));
  }
  return [...new Set(files)];
}
