import type { Command, Option } from 'commander';
import { settingKeys } from '@causantic/domain';

/** What may follow the words of one command. */
export interface CompletionPlace {
  /** `causantic config set` */
  words: string;
  subcommands: Suggestion[];
  options: Suggestion[];
  /** Options that are followed by a value, as they are written. */
  valued: string[];
  /** Values of the first argument that are known beforehand. */
  values: string[];
  /** Whether the first argument is the name of a project. */
  takesProject: boolean;
}

export interface Suggestion {
  word: string;
  description: string;
}

/** Options whose value is the name of a project. */
export const PROJECT_OPTION = '--project';

/**
 * Every command with what it takes, read from the same definitions that parse a command line.
 *
 * @param everywhere options of the program that each of its commands takes, too
 */
export function completionPlaces(
  command: Command,
  above = '',
  everywhere: readonly Option[] = [],
): CompletionPlace[] {
  const words = `${above}${command.name()}`;
  const [argument] = command.registeredArguments;
  const own = command.createHelp().visibleOptions(command);
  const options = [...own, ...everywhere];
  const place = {
    words,
    subcommands: command.commands.map((each) => ({
      word: each.name(),
      description: firstSentence(each.description()),
    })),
    options: options.map(({ long, short, description }) => ({
      word: long ?? short ?? '',
      description: firstSentence(description),
    })),
    valued: options.filter((option) => option.required).map(({ long, short }) => long ?? short ?? ''),
    values: argument?.argChoices ?? (argument?.name() === 'key' ? settingKeys() : []),
    takesProject: argument?.name() === 'project',
  };
  // Others of the program's, as --version, end it.
  const ofAll = above === '' ? own.filter(({ required }) => required) : everywhere;
  return [place, ...command.commands.flatMap((each) => completionPlaces(each, `${words} `, ofAll))];
}

/** Lists have room for no more. */
export function firstSentence(text: string): string {
  return text.split(/(?<=[.?!]) /)[0]!.replace(/\.$/, '');
}
