import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import {
  causanticHome,
  configJsonSchema,
  configProblems,
  findSetting,
  homeConfigFile,
  InvalidArgumentError,
  listSettings,
  placeOf,
  print,
  printAside,
  projectConfigFile,
  settingValue,
  writeSetting,
  type ConfigSources,
  type Setting,
} from '@causantic/domain';

interface FileFlags {
  project?: boolean;
}

interface OutputFlags {
  json?: boolean;
}

/** `causantic config …`: what is set, where, and whether it is valid. */
export function addConfigCommand(program: Command): void {
  const config = program
    .command('config')
    .description('Show, change and check settings. Without a command, list them all.')
    .option('--json', 'print settings with their defaults, variables and origins as JSON')
    // Commander offers it and knows unknown commands only where none is a command, too.
    .helpCommand(true)
    // Wherever it stands, Commander takes the option for this command's.
    .hook('preSubcommand', (_, { options }) => {
      const takesJson = options.some(({ long }) => long === '--json');
      if (config.opts<OutputFlags>().json && !takesJson) config.error("error: unknown option '--json'");
    })
    .action((flags: OutputFlags, { args: [unknown], commands }: Command) => {
      if (unknown !== undefined) {
        const known = commands.map((command) => command.name()).join(', ');
        throw new InvalidArgumentError('command', unknown, `one of: ${known}`);
      }
      printSettings(listSettings(sources()), flags);
      tellProblems();
    });
  addReading(config);
  addWriting(config);
  // Not before: those commands would take any number of arguments, too.
  config.allowExcessArguments();
}

function addReading(config: Command): void {
  config
    .command('get')
    .description('Print the value of one setting.')
    .argument('<key>', 'such as tokens.mcpMaxResponse')
    .option('--json', 'print it with its default, variable and origin as JSON')
    .action((key: string, _flags: OutputFlags, command: Command) => {
      const setting = findSetting(sources(), key);
      print(command.optsWithGlobals<OutputFlags>().json ? json(setting) : plain(setting.value));
      tellProblems();
    });
  config
    .command('path')
    .description('Print the path of your settings file.')
    .option('--project', "the project's file, which overrides yours")
    .action((flags: FileFlags) => print(fileOf(flags)));
  config
    .command('validate')
    .description('Check both files and the environment; the exit status is 1 if something is wrong.')
    .option('--json', 'print the problems as JSON')
    .action((_flags: OutputFlags, command: Command) =>
      validate(command.optsWithGlobals<OutputFlags>().json === true),
    );
  config
    .command('schema')
    .description('Print the JSON schema of settings files, for editors.')
    .option('--path', 'print the path of the schema, for "$schema" in a file')
    .action((flags: { path?: boolean }) => print(flags.path ? schemaFile() : json(configJsonSchema())));
}

function addWriting(config: Command): void {
  config
    .command('set')
    .description('Write a setting to your file.')
    .argument('<key>', 'such as tokens.mcpMaxResponse')
    .argument('<value...>', 'a number, true, false or text; several values for a list')
    .option('--project', "write to the project's file")
    .action((key: string, words: string[], flags: FileFlags) => {
      const value = settingValue(findSetting(sources(), key), words);
      write(key, value, fileOf(flags));
    });
  config
    .command('unset')
    .description('Remove a setting from your file, so that the default applies again.')
    .argument('<key>', 'such as tokens.mcpMaxResponse; may be an unknown key')
    .option('--project', "remove it from the project's file")
    .action((key: string, flags: FileFlags) => write(key, undefined, fileOf(flags)));
}

function write(key: string, value: unknown, file: string): void {
  if (!writeSetting(file, key, value)) return print(`${findSetting(sources(), key).key} is not in ${file}`);
  print(value === undefined ? `Removed ${key} from ${file}` : `Set ${key} = ${plain(value)} in ${file}`);
  const setting = listSettings(sources()).find((each) => each.key === key);
  if (value === undefined || !setting) return;
  // What a project excludes is added to what the user does.
  const inForce = [setting.value].flat();
  if ([value].flat().every((each) => inForce.includes(each))) return;
  printAside(`Note: ${placeOf(key, setting.origin)} overrides this with ${plain(setting.value)}.`);
}

function validate(asJson: boolean): void {
  const problems = configProblems(sources());
  const lines = problems.map(
    ({ key, origin, message }) => `- "${key}" in ${placeOf(key, origin)}: ${message}`,
  );
  if (asJson) print(json(problems));
  else print(problems.length === 0 ? 'All settings are valid.' : ['Invalid settings:', ...lines].join('\n'));
  if (problems.length > 0) process.exitCode = 1;
}

/** No other command works with such settings: what was just printed is not in force. */
function tellProblems(): void {
  const problems = configProblems(sources());
  for (const { key, origin, message } of problems)
    printAside(`Invalid: "${key}" in ${placeOf(key, origin)}: ${message}.`);
  if (problems.length > 0) process.exitCode = 1;
}

function printSettings(settings: readonly Setting[], { json: asJson }: OutputFlags): void {
  if (asJson) return print(json(settings));
  const width = Math.max(...settings.map(({ key }) => key.length));
  const lines = settings.map(({ key, value, origin, description }) => {
    const place = origin === 'default' ? '' : `  (${placeOf(key, origin)})`;
    return `${key.padEnd(width)}  ${plain(value)}${place}\n${' '.repeat(width)}  ${description}`;
  });
  print(lines.join('\n'));
}

function sources(): ConfigSources {
  return { home: causanticHome(), projectDir: process.cwd(), env: process.env };
}

function fileOf({ project }: FileFlags): string {
  return project ? projectConfigFile(process.cwd()) : homeConfigFile(causanticHome());
}

/** Written beside the program when it is bundled. */
function schemaFile(): string {
  return fileURLToPath(new URL('./config.schema.json', import.meta.url));
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
