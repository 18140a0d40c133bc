import { dirname, join, sep } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { type Command, Option } from 'commander';
import {
  attachments,
  countTranscripts,
  detachments,
  editedSkills,
  enabledPlugin,
  install,
  type InstallOptions,
  type InstallStep,
  ownFiles,
  purge,
  registeredElsewhere,
  registeredFolder,
  type Scope,
  serverEntry,
  serving,
  sharedProgram,
  uninstall,
  usersServer,
  usesClaudeCode,
  withHome,
} from '@causantic/claude-code';
import {
  causanticHome,
  clientTitles,
  counted,
  homeFolder,
  makeHome,
  megabytes,
  print,
  transcriptFolders,
} from '@causantic/domain';
import { INTERRUPTED } from '../interruption.js';
import { ownProgram } from '../own-program.js';

interface InitFlags {
  scope: Scope;
  dryRun?: boolean;
  yes?: boolean;
  import: boolean;
  promptSubmit?: boolean;
}

/** Measured: 10 MB a second with vectors on two cores; a slower machine should not be promised more. */
const READ_BYTES_PER_SECOND = 6_000_000;

const dryRunText = 'show what would change, and change nothing';

/** `causantic init` and `causantic uninstall`. */
export function addInitCommands(program: Command): void {
  program
    .command('init')
    .description('Set up Claude Code, read earlier sessions, and show how to attach other coding agents.')
    .addOption(
      new Option('--scope <scope>', 'register for all your projects, or for the one in this folder')
        .choices(['user', 'project'])
        .default('user'),
    )
    .option('--dry-run', dryRunText)
    .option('--yes', 'read earlier sessions without asking')
    .option('--no-import', 'do not read earlier sessions')
    .option('--prompt-submit', 'also add memories to prompts if they are clearly relevant')
    .action(init);
  program
    .command('uninstall')
    .description('Remove what init added to Claude Code. The memory stays, unless --purge is given.')
    .option('--dry-run', dryRunText)
    .option('--purge', 'also delete the memory and everything else that Causantic keeps in its home')
    .action(remove);
}

async function init(flags: InitFlags): Promise<void> {
  const dryRun = flags.dryRun === true;
  const options = installOptions(flags.scope, flags.promptSubmit);
  // What a project shares is for everybody's machines.
  const isClaudes = flags.scope === 'project' || usesClaudeCode(options.env);
  if (!isClaudes) beginWithoutClaudeCode(options.env, dryRun);
  else if (!isLeftToPlugin(options)) register(options, dryRun);
  if (flags.import) await offerImport(options.env, { dryRun, yes: flags.yes === true });
  await sayHowToAttach(options, isClaudes);
  if (dryRun) return;
  print(
    `\n${isClaudes ? 'Start a new session of Claude Code to use it. ' : ''}\`causantic doctor\` checks the installation.`,
  );
}

function beginWithoutClaudeCode(env: NodeJS.ProcessEnv, dryRun: boolean): void {
  print('Claude Code was not found on this machine, so nothing was registered with it.');
  if (!dryRun) makeHome(causanticHome(env));
}

/** Their settings are theirs: each has a command of its own that writes them. */
async function sayHowToAttach(options: InstallOptions, isClaudes: boolean): Promise<void> {
  const found = await attachments(options);
  for (const { title, command, note } of found) print(`\nTo attach ${title} (${note}):\n  ${command}`);
  if (found.length === 0 && !isClaudes && (await detachments(options)).length === 0) sayHowToStart(options);
}

function sayHowToStart(options: InstallOptions): void {
  const entry = JSON.stringify(serverEntry(withHome(options.program, options.env)));
  print(`\nAny MCP client can start the server: ${serving(options)}`);
  print(`Where a client keeps its servers in JSON (docs/clients.md says where):\n  "causantic": ${entry}`);
}

function register(options: InstallOptions, dryRun: boolean): void {
  printSteps(install(options, { dryRun }), {
    title: dryRun ? 'Would do:' : 'Registered with Claude Code:',
    nothing: 'Already registered with Claude Code.',
  });
  noteUsersServer(options);
  noteEditedSkills(options);
  warnOfFleetingPlace(options.program.script);
  if (options.scope === 'project') {
    noteOwnPaths(options);
    print(`\nClaude Code asks everyone who works on this project whether to use its server; the default answer
is no.`);
  }
}

/** With both, hooks would run twice, and each session would be told twice. */
function isLeftToPlugin({ scope, projectDir, env }: InstallOptions): boolean {
  const plugin = scope === 'user' ? enabledPlugin(projectDir, env) : undefined;
  if (plugin) {
    print(`The plugin ${plugin.name} (enabled in ${shortPath(plugin.file)})
has already registered the server, hooks and skills, so init registered nothing. To have init register
them instead, disable the plugin (claude plugin disable ${plugin.name}) and run causantic init again.`);
  }
  return plugin !== undefined;
}

function installOptions(scope: Scope, promptSubmit?: boolean): InstallOptions {
  return {
    scope,
    projectDir: process.cwd(),
    env: process.env,
    program: ownProgram(),
    ...(promptSubmit !== undefined && { promptSubmit }),
  };
}

/** Skills are told as one: nine lines of the same would hide the others. */
function printSteps(
  steps: readonly InstallStep[],
  { title, nothing }: { title: string; nothing: string },
): void {
  print(steps.length === 0 ? nothing : title);
  const skills = steps.filter(({ what }) => what.endsWith('the skill'));
  for (const { file, what, backup } of steps.filter((step) => !skills.includes(step))) {
    print(`  ${what}: ${shortPath(file)}${backup === undefined ? '' : ` (backup: ${shortPath(backup)})`}`);
  }
  const lines = skills.map(({ what, file }) => `${what}: ${shortPath(dirname(dirname(file)))}`);
  for (const line of new Set(lines)) {
    print(`  ${line.replace('the skill', counted(lines.filter((each) => each === line).length, 'skill'))}`);
  }
}

function noteUsersServer({ scope, projectDir, env }: InstallOptions): void {
  const kept = usersServer(scope, projectDir, env);
  if (!kept) return;
  print(`\nYou wrote or edited the entry causantic in ${shortPath(kept.note)}, so it was kept. To have
init register the server, remove the entry (${kept.command}) and run init again.`);
}

function noteEditedSkills(options: InstallOptions): void {
  const kept = editedSkills(options);
  if (kept.length === 0) return;
  print(
    '\nYou edited these skills, so they were kept. To get the current version of one, delete it and run init again:',
  );
  for (const file of kept) print(`  ${shortPath(file)}`);
}

function shortPath(path: string): string {
  const home = homeFolder();
  return path.startsWith(join(home, sep)) ? join('~', path.slice(home.length)) : path;
}

/** What npx keeps is deleted sooner or later, and hooks would name a file that is gone. */
function warnOfFleetingPlace(script: string): void {
  if (!/[\\/]_npx[\\/]/.test(script)) return;
  print(`\nThis program is in npx's cache, which npm clears. Install it (npm install -g causantic) and run
causantic init again.`);
}

/** What is shared with others should not name the files of one machine. */
function noteOwnPaths({ program, projectDir }: InstallOptions): void {
  if (sharedProgram(program, projectDir) !== program) return;
  print(`\nThese files name programs on this machine. To share them, install Causantic in the project
(npm install --save-dev causantic) and run npx causantic init --scope project.`);
}

async function offerImport(
  env: NodeJS.ProcessEnv,
  { dryRun, yes }: { dryRun: boolean; yes: boolean },
): Promise<void> {
  const { unreadFiles, unreadBytes, folders } = await countTranscripts(
    causanticHome(env),
    transcriptFolders(env),
  );
  if (unreadFiles === 0) return;
  const seconds = Math.ceil(unreadBytes / READ_BYTES_PER_SECOND);
  const places = folders.map(shortPath).join(', ');
  print(
    `\n${counted(unreadFiles, 'transcript')} (${megabytes(unreadBytes)}) not yet in memory; reading takes about ${duration(seconds)}.`,
  );
  print(`  in ${places}`);
  if (dryRun) return;
  if (yes || (process.stdin.isTTY && (await confirms('Read them now? [Y/n] ')))) {
    const { importTranscripts } = await import('../import-transcripts.js');
    print(await importTranscripts(folders, env));
    return;
  }
  print(`Not read. \`causantic init --yes\` reads them. So do servers started by ${clientTitles('or')},
in the background (\`causantic config set ingest.background false\` turns that off).`);
}

function duration(seconds: number): string {
  return seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}

async function confirms(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  terminal.once('SIGINT', () => {
    print('');
    process.exit(INTERRUPTED);
  });
  try {
    return !/^\s*n/i.test(await terminal.question(question));
  } catch {
    // Ctrl-D answers nothing.
    print('');
    return false;
  } finally {
    terminal.close();
  }
}

interface UninstallFlags {
  dryRun?: boolean;
  purge?: boolean;
}

async function remove({ dryRun = false, purge: purges = false }: UninstallFlags): Promise<void> {
  const scopes: Scope[] = ['user', 'project'];
  const projectDir = registeredFolder(process.cwd(), process.env);
  const all = scopes.flatMap((scope) => uninstall({ ...installOptions(scope), projectDir }, { dryRun }));
  // In the home folder, both scopes are the same.
  const steps = [...new Map(all.map((step) => [step.file, step])).values()];
  const kept = scopes.flatMap((scope) => usersServer(scope, projectDir, process.env) ?? []);
  const still = [...kept, ...(await detachments(installOptions('user')))];
  const elsewhere = registeredElsewhere(process.env, steps);
  printSteps(steps, {
    title: dryRun ? 'Would do:' : 'Done:',
    nothing: `Nothing to remove: init has registered nothing ${elsewhere.length > 0 ? 'here' : 'with Claude Code'}.`,
  });
  if (elsewhere.length > 0) {
    print(`\nStill registered in other places. To remove that, run causantic uninstall in the project that
a file belongs to, or with CLAUDE_CONFIG_DIR as it was:`);
    for (const file of elsewhere) print(`  ${shortPath(file)}`);
  }
  for (const { title, command, note } of still)
    print(`\n${title} still starts the server (${note}). To detach it:\n  ${command}`);
  const home = causanticHome();
  const files = ownFiles(home);
  if (purges) {
    if (!dryRun) purge(home);
    for (const file of files) print(`  ${dryRun ? 'would delete' : 'deleted'}: ${shortPath(file)}`);
  } else if (files.length > 0) {
    print(`\nThe memory is still in ${shortPath(home)}; \`causantic uninstall --purge\` deletes it.`);
  }
}
