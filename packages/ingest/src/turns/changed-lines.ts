/** The lines that an edit removes (`- `) and adds (`+ `), without the lines both sides share at their ends. */
export function changedLines(before: string, after: string): string {
  const old = splitLines(before);
  const fresh = splitLines(after);
  let head = 0;
  while (head < old.length && head < fresh.length && old[head] === fresh[head]) head++;
  let tail = 0;
  while (
    tail < old.length - head &&
    tail < fresh.length - head &&
    old[old.length - 1 - tail] === fresh[fresh.length - 1 - tail]
  ) {
    tail++;
  }
  const removed = old.slice(head, old.length - tail).map((line) => `- ${line}`);
  const added = fresh.slice(head, fresh.length - tail).map((line) => `+ ${line}`);
  return [...removed, ...added].join('\n');
}

function splitLines(text: string): string[] {
  return text === '' ? [] : text.split('\n');
}
