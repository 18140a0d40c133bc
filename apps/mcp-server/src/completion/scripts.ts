import { PROJECT_OPTION, type CompletionPlace, type Suggestion } from './command-tree.js';

/** Prints one project a line. */
const PROJECTS = 'causantic completion --projects';

/** A shell's script, made of the commands there are. */
export const SCRIPTS: Readonly<Record<string, (places: readonly CompletionPlace[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
  powershell: powershellScript,
};

const wordsAt = ({ subcommands, options, values }: CompletionPlace): string[] => [
  ...values,
  ...[...subcommands, ...options].map(({ word }) => word),
];
const below = (places: readonly CompletionPlace[]): string[] => places.slice(1).map(({ words }) => words);
const withProjects = (places: readonly CompletionPlace[]): string[] =>
  places.filter(({ takesProject }) => takesProject).map(({ words }) => words);
/** After a command whose first argument is a project, and after an option that names one: `previous:place:current`. */
const projectPatterns = (places: readonly CompletionPlace[], notOption: string): string =>
  [
    ...withProjectOption(places).map((words) => `${PROJECT_OPTION}:${quoted(words)}:*`),
    ...withProjects(places).flatMap((words) => [`*:${quoted(words)}:${notOption}*`, `*:${quoted(words)}:`]),
  ].join('|');
const withProjectOption = (places: readonly CompletionPlace[]): string[] =>
  places.filter(({ valued }) => valued.includes(PROJECT_OPTION)).map(({ words }) => words);
const valuedOptions = (places: readonly CompletionPlace[]): string[] =>
  [...new Set(places.flatMap(({ valued }) => valued))].filter((option) => option !== PROJECT_OPTION);

/** Works with the bash 3.2 of macOS. */
function bashScript(places: readonly CompletionPlace[]): string {
  return `# bash completion for causantic: source <(causantic completion bash)
_causantic() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" place="causantic" candidates="" left_out="" name i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$place \${COMP_WORDS[i]}" in
      ${below(places).map(quoted).join('|')}) place="$place \${COMP_WORDS[i]}" ;;
    esac
  done
  COMPREPLY=()
  case "$previous" in
    ${valuedOptions(places).join('|')}) return ;;
  esac
  case "$place" in
${places.map((place) => `    ${quoted(place.words)}) candidates=${quoted(wordsAt(place).join(' '))} ;;`).join('\n')}
  esac
  case "$previous:$place:$current" in
    ${projectPatterns(places, '[!-]')})
      while IFS= read -r name; do
        [[ "$name" == "$current"* ]] && COMPREPLY+=("$(printf '%q' "$name")")
      done < <(${PROJECTS} 2>/dev/null) ;;
    *)
      # Where a file is asked for, options would hide the files.
      [[ "$current" == -* ]] || left_out='-*'
      COMPREPLY=($(compgen -W "$candidates" -X "$left_out" -- "$current")) ;;
  esac
}
complete -o default -F _causantic causantic
`;
}

function zshScript(places: readonly CompletionPlace[]): string {
  return `#compdef causantic
# zsh completion for causantic: source <(causantic completion zsh)
_causantic() {
  local place="causantic" word
  local -a candidates projects
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$place $word" in
      (${below(places).map(quoted).join('|')}) place="$place $word" ;;
    esac
  done
  case "\${words[CURRENT-1]}" in
    (${valuedOptions(places).join('|')}) _files; return ;;
  esac
  case "\${words[CURRENT-1]}:$place:\${words[CURRENT]}" in
    (${projectPatterns(places, '[^-]')})
      projects=("\${(@f)$(${PROJECTS} 2>/dev/null)}")
      compadd -a projects
      return ;;
  esac
  case "$place" in
${places
  .map((place) => {
    const named = [...place.subcommands, ...place.options].map(({ word, description }) =>
      quoted(`${word}:${description}`),
    );
    return `    (${quoted(place.words)}) candidates=(${[...place.values.map(quoted), ...named].join(' ')}) ;;`;
  })
  .join('\n')}
  esac
  # Where a file is asked for, options would hide the files.
  [[ "\${words[CURRENT]}" == -* ]] || candidates=("\${(@)candidates:#-*}")
  _describe 'causantic' candidates || _files
}
if [ "\${funcstack[1]}" = "_causantic" ]; then _causantic "$@"; else compdef _causantic causantic; fi
`;
}

function fishScript(places: readonly CompletionPlace[]): string {
  const lines = places.flatMap((place) => {
    const [, ...path] = place.words.split(' ');
    const seen = path.map((word) => `__fish_seen_subcommand_from ${word}`);
    const deeper = place.subcommands.map(({ word }) => word).join(' ');
    const notDeeper = deeper === '' ? [] : [`not __fish_seen_subcommand_from ${deeper}`];
    const condition = [...seen, ...notDeeper].join('; and ');
    const at = `complete -c causantic -n ${quoted(condition)}`;
    return [
      ...place.subcommands.map(({ word, description }) => `${at} -f -a ${word} -d ${quoted(description)}`),
      ...place.values.map((value) => `${at} -f -a ${value}`),
      ...(place.takesProject ? [`${at} -f -a '(${PROJECTS} 2>/dev/null)'`] : []),
      ...place.options.map((option) => `${at} ${fishOption(option, place.valued)}`),
    ];
  });
  return `# fish completion for causantic: causantic completion fish | source\n${lines.join('\n')}\n`;
}

function fishOption({ word, description }: Suggestion, valued: readonly string[]): string {
  const name = `-l ${word.replace(/^--/, '')} -d ${quoted(description)}`;
  if (word === PROJECT_OPTION && valued.includes(word)) return `${name} -x -a '(${PROJECTS} 2>/dev/null)'`;
  return valued.includes(word) ? `${name} -r` : name;
}

function powershellScript(places: readonly CompletionPlace[]): string {
  const doubled = (text: string): string => `'${text.replaceAll("'", "''")}'`;
  const list = (words: readonly string[]): string => `@(${words.map(doubled).join(', ')})`;
  return `# PowerShell completion for causantic: causantic completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName causantic -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $candidates = @{
${places.map((place) => `    ${doubled(place.words)} = ${list(wordsAt(place))}`).join('\n')}
  }
  $withProjects = ${list(withProjects(places))}
  $withProjectOption = ${list(withProjectOption(places))}
  $words = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
  $place = 'causantic'
  foreach ($word in ($words | Select-Object -Skip 1)) {
    if ($candidates.ContainsKey("$place $word")) { $place = "$place $word" }
  }
  $found = if (($words[-1] -eq '${PROJECT_OPTION}' -and $withProjectOption -contains $place) -or ($withProjects -contains $place -and -not $wordToComplete.StartsWith('-'))) {
    ${PROJECTS} 2>$null
  } else { $candidates[$place] }
  $found | Where-Object { $_ -like "$wordToComplete*" } | ForEach-Object {
    $text = if ($_ -match '^[\\w./-]+$') { $_ } else { "'" + ($_ -replace "(['\\u2018-\\u201b])", '$1$1') + "'" }
    [System.Management.Automation.CompletionResult]::new($text, $_, 'ParameterValue', $_)
  }
}
`;
}

/** In single quotes, which bash, zsh and fish read alike where there is neither quote nor backslash within. */
function quoted(text: string): string {
  return `'${text.replace(/['\\]/g, '’')}'`;
}
