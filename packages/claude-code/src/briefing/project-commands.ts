import { groupBy } from '@causantic/domain';
import type { ProjectMemory } from './project-memory.js';
import { SESSION_FACTOR } from './open-work.js';

/** What was run in one session only says little of how the project is built and tested. */
const MIN_SESSIONS = 2;
/** Longer ones are made for one purpose. */
const MAX_CHARS = 60;

/** Programs of every machine, which an agent knows how to use. */
const EVERYWHERE = new Set(
  (
    'cd pushd popd pwd ls dir tree find fd cat nl less more head tail wc grep rg ag sed awk sort uniq cut tr diff cmp stat file ' +
    'which where type whereis jq xxd du df rm mv cp mkdir rmdir touch chmod chown ln tar zip unzip echo printf test [ [[ ' +
    'export unset set source . : true false exit read eval env date sleep wait kill pkill killall ps pgrep lsof xargs tee ' +
    'for while until if then else fi do done case function return curl wget ssh scp ping open git gh glab hg svn claude mcp-cli'
  ).split(' '),
);
/** What is run is what stands behind them. */
const WRAPPERS = /^(?:(?:time|sudo|nice|nohup|command|rtk|timeout(?: -\S+)* \d+[smh]?) )+/;
const CMDLET = /^[A-Z]\w*-[A-Z]\w*$/;
/** Asked of a program about itself. */
const ABOUT_ITSELF = / (?:--help|--version|-h|-V)$/;
/** Code in the command itself: `python -c`, `node -e`. */
const WITH_CODE = /^(?:\S+ )*(?:python\d?|node|bun|deno|ruby|perl|php|bash|sh|zsh|pwsh|powershell) -/;
const QUOTED = /"(?:\\.|[^"\\])*"|'[^']*'/g;
const REDIRECTION = /\s*(?:\d|&)?>>?\s*(?:&\d|\S+)/g;

/**
 * Commands that were run in more than one of the latest sessions, such as those that build and test the project; first
 * those run often and lately. docs/decisions/0124-briefings.md
 */
export function projectCommands({ turns }: Pick<ProjectMemory, 'turns'>): string[] {
  const found = new Map<string, { weight: number; sessions: number }>();
  const sessions = [...groupBy(turns, ({ sessionId }) => sessionId).values()].toReversed();
  sessions.forEach((ofSession, place) => {
    for (const command of new Set(ofSession.flatMap(({ facts }) => facts.commands ?? []).flatMap(partsOf))) {
      const { weight, sessions } = found.get(command) ?? { weight: 0, sessions: 0 };
      found.set(command, { weight: weight + SESSION_FACTOR ** place, sessions: sessions + 1 });
    }
  });
  return [...found]
    .filter(([, { sessions }]) => sessions >= MIN_SESSIONS)
    .sort(([, a], [, b]) => b.weight - a.weight)
    .map(([command]) => command);
}

/** The project's commands in a line of a shell, without what is done with their output. */
function partsOf(line: string): string[] {
  // Text and code in quotes may look like commands, and what was shortened lacks its end.
  const isPlain = (line.match(QUOTED) ?? []).every((text) => !/[;&|<>]/.test(text));
  if (!isPlain || /["'`]|<<|\$\(|…$/.test(line.replace(QUOTED, ''))) return [];
  return line
    .replace(REDIRECTION, '')
    .split(/&&|\|\||;/)
    .map((part) => part.split('|')[0]!.replace(/&\s*$/, '').replace(/\s+/g, ' '))
    .map((part) => part.replace(/^[ (]+|[ )]+$/g, ''))
    .map((part) => part.replace(WRAPPERS, ''))
    .filter(isOfProject);
}

function isOfProject(command: string): boolean {
  const program = command.split(' ').find((word) => !/^\w+=/.test(word)) ?? '';
  return (
    /^[\w.~@/]/.test(program) &&
    command.length <= MAX_CHARS &&
    !EVERYWHERE.has(program) &&
    !CMDLET.test(program) &&
    !ABOUT_ITSELF.test(command) &&
    !WITH_CODE.test(command)
  );
}
