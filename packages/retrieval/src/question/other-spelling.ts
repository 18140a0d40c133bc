/** From two on: `one` is seldom a number. */
const NUMBERS =
  'two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty';

/**
 * Those that people write short or long as they like, and that mean nothing else in talk about software. `func` is a
 * keyword: it stands in all code of some languages.
 */
const ABBREVIATIONS = `app application, args arguments, auth authentication, config configuration, configs configurations,
  db database, dbs databases, deps dependencies, dir directory, dirs directories, docs documentation, env environment,
  impl implementation, lib library, max maximum, min minimum, msg message, params parameters,
  perf performance, prod production, repo repository, repos repositories, spec specification, temp temporary, vars variables`;

const PAIRS = [
  ...NUMBERS.split(' ').map((word, at) => [word, `${at + 2}`] as const),
  ...ABBREVIATIONS.split(',').map((pair) => pair.trim().split(' ') as [string, string]),
];
const OTHERS = new Map(
  PAIRS.flatMap(([one, other]) => [
    [one, other],
    [other, one],
  ]),
);

/**
 * The other way to write an English word: who asks for the `two failing tests` or the `configuration` finds `2 failing tests`
 * and the `config`. Evidence: docs/measurements/ranking.md.
 */
export function otherSpelling(word: string): string | undefined {
  return OTHERS.get(word);
}

/** `10-20` is no name, and not another way to write 1020. */
const NAME_OF_WORDS = /^(?=.*[a-z])[a-z0-9]+(?:[_-][a-z0-9]+)+$/;

/** Other ways to write a name of words: `env-from` and `envfrom`, as the index has `envFrom`, for `env_from`. */
export function otherWritings(name: string): string[] {
  if (!NAME_OF_WORDS.test(name)) return [];
  return ['_', '-', ''].map((sign) => name.replace(/[_-]/g, sign)).filter((writing) => writing !== name);
}
