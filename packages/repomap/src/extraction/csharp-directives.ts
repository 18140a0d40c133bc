import { blanked } from './lines.js';

/** The start of a conditional part. */
export const CONDITIONAL = /^[ \t]*#[ \t]*if\b/m;

const DIRECTIVE = /^[ \t]*#[ \t]*(\w+)/;

/**
 * C# lets `#if` split a declaration, which its grammar cannot follow. Blanks the directives and all but the first
 * branch, so that every position stays what it was.
 */
export function withoutDirectives(text: string): string {
  const skipping: boolean[] = [];
  const lines = text.split('\n').map((line) => {
    const directive = DIRECTIVE.exec(line)?.[1];
    if (directive === 'if') skipping.push(skipping.at(-1) ?? false);
    else if (directive === 'elif' || directive === 'else') skipping[skipping.length - 1] = true;
    else if (directive === 'endif') skipping.pop();
    return directive !== undefined || skipping.at(-1) === true ? blanked(line) : line;
  });
  return lines.join('\n');
}
