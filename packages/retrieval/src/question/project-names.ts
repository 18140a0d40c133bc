import { literally } from '@causantic/domain';
import type { Store } from '@causantic/storage';
import { beforeName, perhapsQuoted, wholeWords } from './patterns.js';

/** Slugs of the projects that a text names, the longest first: `old-mill` before `mill`; not the `app` in `my-app`. */
export function projectsNamed({ projects }: Store, text: string): string[] {
  const plain = withSpaces(text);
  return projects
    .slugsInUse()
    .filter((slug) => plain.includes(withSpaces(slug)) && wholeWords(patternOf(slug)).test(text))
    .sort((one, other) => other.length - one.length);
}

function withSpaces(name: string): string {
  return name.toLowerCase().replace(/[-_\s]/g, ' ');
}

const KIND = '(?:project|repo|repository|codebase)';

/**
 * Many projects are called `app` or `hello-world`: a name of one word counts beside the word "project" alone, and one of
 * several where it is written as one.
 */
export function isClearlyNamed(slug: string, text: string): boolean {
  const name = perhapsQuoted(patternOf(slug));
  const isOneWord = /[-_.]/.test(slug) && wholeWords(literally(slug)).test(text);
  return isOneWord || wholeWords(`${beforeName(KIND)}${name}|${name}\\s+${KIND}`).test(text);
}

export function withoutProject(text: string, slug: string): string {
  return text.replace(
    wholeWords(`(?:${beforeName(KIND)})?${perhapsQuoted(patternOf(slug))}(?:\\s+${KIND})?`),
    ' ',
  );
}

/** `my-app` is called "my app", too. */
function patternOf(slug: string): string {
  return literally(slug).replace(/[-_]/g, '[-_\\s]');
}
