import { expect, it } from 'vitest';
import { writtenFiles } from '../src/turns/written-files.js';

it.each([
  ["cat > src/a.ts <<'EOF'\nexport const a = 1;\necho b > c\nEOF\nnpm test", ['src/a.ts']],
  ['cat <<EOF >> "docs/a b.md"\ntext\nEOF', ['docs/a b.md']],
  ['cat > a.ts <<EOF && cat <<"END" > b.ts\na\nEOF\nb\nEND', ['a.ts', 'b.ts']],
  [
    'cd app && cat > ./a.ts <<EOF\nx\nEOF\ncd ../lib; cat >/work/b.ts <<EOF\nx\nEOF',
    ['app/a.ts', '/work/b.ts'],
  ],
  [
    'cd "$APP" && echo x > a.ts && echo y > /work/b.ts && cd /work && echo z > c.ts',
    ['/work/b.ts', '/work/c.ts'],
  ],
  ['cd app/src && echo x > ../b.ts && cd ../.. && echo y > c.ts', ['app/b.ts', 'c.ts']],
  ['mkdir -p a; (cd a && printf "%s\\n" "x > y" > b.txt)', ['a/b.txt']],
  ['sudo tee -a /etc/hosts <<EOF\n1.2.3.4 till\nEOF', ['/etc/hosts']],
  ["sed -i 's/a > b/c/; s|d|e|' src/a.ts src/b.ts 2>/dev/null && npm test", ['src/a.ts', 'src/b.ts']],
  ["sed -i '' -E 's/a/b/' a.ts", ['a.ts']],
  ["sed -n -i.bak -e 's/a/b/' -e 's/c/d/' a.ts", ['a.ts']],
  ["for f in *.ts; do sed -i 's/a/b/' $f b.ts; done", ['b.ts']],
  ["$p = 'src\\a.ts'; (Get-Content $p) -replace 'a','b' | Set-Content $p", ['src\\a.ts']],
  ['@\'\necho a > b\n\'@ | Set-Content -Encoding utf8 -Path "src\\a b.ts" -Force', ['src\\a b.ts']],
  ['Get-Date | Out-File -Encoding utf8 log.txt', ['log.txt']],
  ['Add-Content -Value "x" notes.md', ['notes.md']],
  // deleted again, by the same command
  ["cat > probe.ts <<'EOF'\nx\nEOF\nnode probe.ts; rm -f probe.ts", []],
  // what is not known, and what is no file
  ['echo x > "$HOME/a"', []],
  ['echo x > $(mktemp)', []],
  ['echo x > ~/a; cd ~/b && echo y > c', []],
  ['echo x >&2; cat a 2> errors.log; echo y > /dev/null; echo z > NUL', []],
  ['npm test > test.log; make | tee build.log', []],
  ["sed -n '1,5p' a.ts; sed 's/a/b/' a.ts > b.ts", []],
  ['git commit -m "$(cat <<\'EOF\'\nUse a > b\n\ncat > c\nEOF\n)"', []],
  ['if (a > b) { Set-Content $unknown }', []],
  ['Set-Content -Path', []],
  ["Set-Content (Join-Path $folder 'a.ts') $text", []],
  ['', []],
])('%j writes %j', (command, files) => {
  expect(writtenFiles(command, '')).toEqual(files);
});

it('tells paths from where the command runs', () => {
  expect(writtenFiles('echo x > a.ts; cd lib; echo y > b.ts; echo z > /c.ts', 'app')).toEqual([
    'app/a.ts',
    'app/lib/b.ts',
    '/c.ts',
  ]);
});

it('looks at a long command in linear time', () => {
  const command = `${'cat > a <<A1\n'.repeat(50_000)}${"cat <<'B' > '\n@'\n".repeat(50_000)}`;
  expect(writtenFiles(command, '')).toEqual(['a']);
  expect(writtenFiles('sed '.repeat(500_000), '')).toEqual([]);
});
