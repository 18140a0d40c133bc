import { version } from './own-program.js';

// A server must answer within 300 ms of its start: it loads nothing that only the command line needs.
if (process.argv[2] === 'serve' && process.argv.length === 3) {
  const { serveStdio } = await import('@causantic/mcp-server');
  await serveStdio(version);
} else if (process.argv[2] === 'hook' && !process.argv.some((word) => word === '--help' || word === '-h')) {
  // A session waits for its hooks.
  const { runHookCommand } = await import('./commands/hook-command.js');
  await runHookCommand();
} else if (process.argv[2] === 'completion' && process.argv[3] === '--projects') {
  // Somebody has pressed a key.
  const { endWithOutput } = await import('@causantic/domain');
  const { projectNames } = await import('./completion/project-names.js');
  endWithOutput('causantic');
  try {
    process.stdout.write(projectNames());
  } catch {
    // Which says what is wrong.
    await runWholeCommandLine();
  }
} else {
  await runWholeCommandLine();
}

async function runWholeCommandLine(): Promise<void> {
  const { runCommandLine } = await import('./command-line.js');
  await runCommandLine();
}
