import { asCompared, literally } from '@causantic/domain';
import type { Store } from '@causantic/storage';
import { beforeName, perhapsQuoted, wholeWords } from './patterns.js';

/**
 * The projects that a text names, where `isMeant` says so, and the text without them. The longest come first: `old-mill` is
 * not `mill`, and `my-app` no `app`.
 *
 * @param text in composed letters (NFC); a name may have the letters that macOS took apart in its folder's
 */
export function projectsNamed(
  { projects }: Store,
  text: string,
  isMeant: (slug: string, text: string) => boolean,
): { projectIds: number[]; others: string } {
  const plain = withSpaces(text);
  const slugs = projects.slugsInUse().filter((slug) => plain.includes(withSpaces(slug)));
  const projectIds: number[] = [];
  let others = text;
  for (const slug of slugs.sort((one, other) => other.length - one.length)) {
    if (!wholeWords(patternOf(slug)).test(others) || !isMeant(slug, others)) continue;
    others = withoutProject(others, slug);
    projectIds.push(projects.findBySlug(slug)!.id);
  }
  return { projectIds, others };
}

function withSpaces(name: string): string {
  return asCompared(name).replace(/[-_\s]/g, ' ');
}

const KIND = '(?:project|repo|repository|codebase)';

/**
 * Many projects are called `app` or `hello-world`: a name of one word counts beside the word "project" alone, and one of
 * several where it is written as one.
 */
export function isClearlyNamed(slug: string, text: string): boolean {
  const name = perhapsQuoted(patternOf(slug));
  const isOneWord = /[-_.]/.test(slug) && wholeWords(patternAsWritten(slug)).test(text);
  return isOneWord || wholeWords(`${beforeName(KIND)}${name}|${name}\\s+${KIND}`).test(text);
}

function withoutProject(text: string, slug: string): string {
  return text.replace(
    wholeWords(`(?:${beforeName(KIND)})?${perhapsQuoted(patternOf(slug))}(?:\\s+${KIND})?`),
    ' ',
  );
}

/** `my-app` is called "my app", too. */
function patternOf(slug: string): string {
  return patternAsWritten(slug).replace(/[-_]/g, '[-_\\s]');
}

function patternAsWritten(slug: string): string {
  return literally(slug.normalize('NFC'));
}
