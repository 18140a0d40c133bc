// What clients say of calls that they did not carry out.
import { jsonValue } from '@causantic/domain';
import { isObject, listOf, stringOf } from '../../transcripts/records.js';

const OF_PATCH = /^(?:apply_patch verification failed: )?Failed to find [^\n]*:\n/;
/** Older clients without their tag. */
const OF_EDIT = /<tool_use_error>|^Found \d+ matches of the string to replace/m;

/** Clients say what was wrong with an edit, and below it what the edit looked for. */
export function withoutLookedFor(text: string): string {
  if (OF_PATCH.test(text)) return text.split('\n', 1)[0]!;
  return OF_EDIT.test(text) ? text.split('\nString: ', 1)[0]! : text;
}

/** Claude Code tells what is wrong with a call as JSON: of the first, where it is and what. */
export function validationIssue(text: string): string | null {
  const json = /^(?:<tool_use_error>)?InputValidationError: (\[[^]*\])/.exec(text)?.[1];
  let issue = listOf(json && jsonValue(json))[0];
  const path = listOf(isObject(issue) && issue['path']).join('.');
  // Of each form that a value may have, what is wrong with it as that: the first is what is meant.
  for (let inner = issue; isObject(inner); inner = listOf(listOf(inner['errors'])[0])[0]) issue = inner;
  const message = isObject(issue) ? stringOf(issue['message']) : null;
  return message && [path, message].filter(Boolean).join(': ');
}
