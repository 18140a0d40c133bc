/**
 * `a80692b fix: …`, behind the graph, a date, a branch of `git branch -vv` or a step of a rebase. Not a line of
 * `git blame`, which says when it was written in parentheses.
 */
const ONE_LINE =
  /^(?:→ )?[ *|/\\+]{0,200}(?:\d{4}-\d\d-\d\d +|(?:pick|reword|edit|squash|fixup|drop) +|[\w./-]+ +(?=\w+ \[))?\[?(?=\d*[a-f])(?=[a-f]*\d)(?:[0-9a-f]{40}|[0-9a-f]{7,12})\b\]?(?=[ \t:|])(?! *\(.*\d{4}-\d\d-\d\d)/;
/** The first line of a commit as `git log` and `git show` print it, with more lines below. */
const HEADING = /^(?:→ )?[ *|/\\]*commit [0-9a-f]{7,40}\b/;
const FIELD = /^[ *|/\\]*(?:Author|AuthorDate|Commit|CommitDate|Date|Merge): /;
const MESSAGE = /^[ *|/\\]*(?: {4}.*)?$/;

/**
 * A tool's output without the messages of the commits that it lists; their hashes stay. Sessions that look at a commit
 * are many and the one that made it is wanted, and what they list stands in Git's history anyway. Evidence:
 * docs/decisions/0113-listed-commits.md.
 */
export function withoutListedCommits(output: string): string {
  let isInCommit = false;
  const lines = output.split('\n').map((line) => {
    if (HEADING.test(line)) {
      isInCommit = true;
      return line;
    }
    isInCommit &&= FIELD.test(line) || MESSAGE.test(line);
    if (isInCommit) return FIELD.test(line) ? line : '';
    return ONE_LINE.exec(line)?.[0] ?? line;
  });
  return lines.join('\n');
}
