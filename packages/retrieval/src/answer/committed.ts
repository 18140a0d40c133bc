import { type Commit, oneLine, saysWhatChanged } from '@causantic/domain';
import type { Store } from '@causantic/storage';
import { headerTokens, type Hit, SEPARATOR_TOKENS } from './presentation.js';

/** The person reads what was done, or asks for one thing more, before they ask for a commit. docs/decisions/0055 */
const TURNS_TO_COMMIT = 4;
const MOST_COMMITS = 3;
const SUBJECT_CHARACTERS = 80;

/** What is told of one session in chronological order. */
interface Story {
  text: string;
  hits: readonly Hit[];
}

/**
 * The texts of the stories, each with what was committed then or soon after, as far as that fits into this many tokens
 * and no text tells it; with the tokens that it takes.
 */
export function withCommits(
  store: Store,
  stories: readonly Story[],
  roomTokens: number,
): { texts: string[]; tokens: number } {
  const told = new Set<string>();
  const isTold = (subject: string): boolean =>
    told.has(subject) || stories.some(({ text }) => text.includes(subject));
  let tokens = 0;
  const texts = stories.map(({ text, hits }) => {
    const untold = commitsBehind(store, hits).filter(
      ({ subject }) => saysWhatChanged(subject) && !isTold(subject),
    );
    // Of a commit that was amended, the last is left in the repository.
    const commits = [...new Map(untold.map((commit) => [commit.subject, commit])).values()];
    const line = committedLine(commits);
    const more = headerTokens(line) + SEPARATOR_TOKENS;
    if (commits.length === 0 || tokens + more > roomTokens) return text;
    tokens += more;
    for (const { subject } of commits) told.add(subject);
    return `${text}\n\n${line}`;
  });
  return { texts, tokens };
}

/** Of the first turn that made any: that of the main agent's last hit, or one soon after. */
function commitsBehind({ sessions }: Store, hits: readonly Hit[]): Commit[] {
  const last = hits.findLast(({ chunk }) => chunk.agentId === null) ?? hits.at(-1);
  return last ? sessions.commitsFrom(last.chunk.turnId, TURNS_TO_COMMIT) : [];
}

/** `[committed: 4c1e9d2 auth: callers share one token refresh]` */
function committedLine(commits: readonly Commit[]): string {
  const shown = commits.slice(0, MOST_COMMITS).map(({ hash, subject }) => {
    const short = oneLine(subject, SUBJECT_CHARACTERS);
    return hash === undefined ? short : `${hash} ${short}`;
  });
  return `[committed: ${[...shown, ...(commits.length > MOST_COMMITS ? ['…'] : [])].join('; ')}]`;
}
