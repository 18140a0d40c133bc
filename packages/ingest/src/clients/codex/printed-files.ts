// Codex has no tool to read a file: it prints it.

const STEP = /(?:'[^']*'|"(?:\\[^]|[^"\\])*"|\\[^]|[^'"\\;&\n]+)+/g;
const FOLDER_STEP = /^cd\s+(['"]?)([^\s'"$*`(]+)\1$/;
/** Between files, a heading may be printed. */
const HEADING_STEP = /^(?:echo|printf)\s[^>|`(]*$/;

const WORD = `(?:'[^'\\n]+'|"[^"\\n$\`]+"|(?!-)(?:\\\\.|[^\\s'"|;&<>()$\`*\\\\])+)`;
const RANGE = `(?:(['"])[\\d,;p$ ]+\\1|\\d+(?:,\\d+)?p)`;
const CUT = `(?:sed -n ['"][\\d,;p$ ]+['"]|(?:head|tail)(?: -n)? -?\\d+|nl -ba)`;
const PRINT_STEP = new RegExp(
  `^(?:cat|nl -ba|sed -n ${RANGE}|(?:head|tail)(?: -n)? -?\\d+)((?:\\s+${WORD})+)(?:\\s*\\|\\s*${CUT})?$`,
);
const WORDS = new RegExp(WORD, 'g');

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
  for (const [given] of command.matchAll(STEP)) {
    const step = given.trim();
    if (step === '' || HEADING_STEP.test(step)) continue;
    const entered = FOLDER_STEP.exec(step)?.[2];
    const printed = PRINT_STEP.exec(step)?.[2];
    if (entered !== undefined) folder = pathFrom(folder, entered);
    else if (printed === undefined) return [];
    else files.push(...(printed.match(WORDS) ?? []).map((word) => pathFrom(folder, unquoted(word))));
  }
  return [...new Set(files)];
}

/** A path as seen from where the folder is seen; an empty one is that place itself. */
export function pathFrom(folder: string, path: string): string {
  const isAbsolute = /^(?:[/\\~]|[A-Za-z]:)/.test(path);
  return folder === '' || isAbsolute ? path : `${folder.replace(/[/\\]$/, '')}/${path.replace(/^\.\//, '')}`;
}

function unquoted(word: string): string {
  return /^['"]/.test(word) ? word.slice(1, -1) : word.replace(/\\(?=\W)/g, '');
}
