import { expect, it } from 'vitest';
import { printedFiles } from '../src/clients/codex/printed-files.js';

it.each([
  ["sed -n '1,80p' src/a.ts", ['src/a.ts']],
  ["sed -n '1,80p;90,$p' src/a.ts | head -20", ['src/a.ts']],
  ['cat a.md "b c.md" \'d e.md\'', ['a.md', 'b c.md', 'd e.md']],
  [
    "sed -n '1,9p' a.ts && sed -n '10,20p' a.ts; nl -ba b.ts | sed -n '3,4p'\nhead -n 5 c.ts",
    ['a.ts', 'b.ts', 'c.ts'],
  ],
  ["echo '--- a'; cat a.ts; printf '\\n--- b\\n'; tail -40 b.ts", ['a.ts', 'b.ts']],
  [
    'cd /work/till && cat src/a.ts /etc/hosts; cd ./docs; cat b.md',
    ['/work/till/src/a.ts', '/etc/hosts', '/work/till/docs/b.md'],
  ],
  ['cat routes/\\$id.tsx app/[slug]/page.tsx', ['routes/$id.tsx', 'app/[slug]/page.tsx']],
  ['cat packages\\till\\index.ts', ['packages\\till\\index.ts']],
  ["Get-Content -Path 'src\\a.ts' | Select-Object -First 20", ['src\\a.ts']],
  ['cat a.ts && rg till', []],
  ['cat $FILE', []],
  ['cat *.md', []],
  ['cat -n', []],
  ["cat > a.ts <<'EOF'\ncat b.ts\nEOF", []],
  ['cat a.ts 2>&1', []],
  ['cat a.ts > b.ts', []],
  ['git show HEAD:a.ts', []],
  ['', []],
])('%j prints %j', (command, files) => {
  expect(printedFiles(command)).toEqual(files);
});
