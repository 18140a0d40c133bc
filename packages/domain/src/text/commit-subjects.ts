/** What a script was to fill in, no words at all, or those of a commit that only has to be there. */
const SAYS_NOTHING =
  /\$\w|^[^\p{L}\p{N}[(:\p{Extended_Pictographic}]|^wip\b|^(?:init|initial|initial commit|first|second|third|base|test|tmp|temp|foo|bar|\w)$/iu;

/** Whether a commit's subject says what was changed. */
export function saysWhatChanged(subject: string): boolean {
  return !SAYS_NOTHING.test(subject);
}
