import { blanked } from './lines.js';

const CONDITION = /^[ \t]*#[ \t]*(?:(if|ifdef|ifndef)|(elif|elifdef|elifndef|else)|endif)\b/;
const ANY_DIRECTIVE = /^[ \t]*#[ \t]*(?:if|endif)/m;
/** Longer ones hold whole declarations, as the guards of headers do. */
const MAX_LINES = 200;

/**
 * `#if` may split what the grammars of C and C++ can only read whole: an expression, an initializer, the head of a function.
 * Of such a conditional, blanks the directives and all but the first branch; every position stays the same.
 */
export function withoutSplits(text: string): string {
  if (!ANY_DIRECTIVE.test(text)) return text;
  const lines = text.split('\n');
  /** Of each open conditional, the lines of its directives. */
  const open: number[][] = [];
  for (let i = 0; i < lines.length; i++) {
    const found = lines[i]!.includes('#') ? CONDITION.exec(lines[i]!) : null;
    if (found === null) continue;
    if (found[1] !== undefined) open.push([i]);
    else if (found[2] !== undefined) open.at(-1)?.push(i);
    else {
      const directives = open.pop();
      if (directives !== undefined && isSplit(lines, [...directives, i])) keepFirst(lines, directives, i);
    }
  }
  return lines.join('\n');
}

function isSplit(lines: readonly string[], directives: readonly number[]): boolean {
  if (directives.at(-1)! - directives[0]! > MAX_LINES) return false;
  // What would be left of such a comment is no comment.
  if (directives.some((line) => OPEN_COMMENT.test(lines[line]!))) return false;
  const branches = directives.slice(1).map((end, branch) => codeOf(lines.slice(directives[branch], end)));
  if (branches.some(isPart) || OPENS_EXPRESSION.test(codeOf(lines.slice(directives[0]! - 1, directives[0]))))
    return true;
  return isBodyAt(lines, directives.at(-1)! + 1) && branches.every((code) => ENDS_WITH_PARAMETERS.test(code));
}

const OPEN_COMMENT = /\/\*(?!.*\*\/)/;
const COMMENTS_AND_STRINGS =
  /\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$)|"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\.){1,8}'/g;
const DIRECTIVES = /^[ \t]*#(?:[^\\\n]|\\\r?\n|\\.)*/gm;
const STARTS_WITHIN = /^\s*(?:&&|\|\||[,)?:|+=]|else\b)/;
/** Each branch is a head of the function whose body follows the last of them. */
const ENDS_WITH_PARAMETERS = /\w[ \t]*\([^;{}]*\)\s*$/;
/** What stands before the first branch, where each is no more than an operand. */
const OPENS_EXPRESSION = /(?:[,(=&|+?])\s*$/;
const LINES_BEFORE_BODY = 3;
const ENDS_WITHIN = /(?:[,({=&|+?]|\belse)\s*$/;

function codeOf(lines: readonly string[]): string {
  return lines.join('\n').replace(COMMENTS_AND_STRINGS, '').replace(DIRECTIVES, '');
}

function isBodyAt(lines: readonly string[], line: number): boolean {
  return /^\s*\{/.test(lines.slice(line, line + LINES_BEFORE_BODY).join('\n'));
}

function isPart(code: string): boolean {
  return STARTS_WITHIN.test(code) || ENDS_WITHIN.test(code) || !isBalanced(code);
}

function isBalanced(code: string): boolean {
  let braces = 0;
  let brackets = 0;
  for (const [bracket] of code.matchAll(/[(){}]/g)) {
    if (bracket === '{') braces++;
    else if (bracket === '}') braces--;
    else if (bracket === '(') brackets++;
    else brackets--;
    if (braces < 0 || brackets < 0) return false;
  }
  return braces === 0 && brackets === 0;
}

function keepFirst(lines: string[], directives: readonly number[], end: number): void {
  const first = directives[0]!;
  const second = directives[1] ?? end;
  let isDirective = true;
  for (let i = first; i <= end; i++) {
    const isContinued: boolean = isDirective && /\\\r?$/.test(lines[i]!);
    if (isDirective || i >= second) lines[i] = blanked(lines[i]!);
    isDirective = isContinued;
  }
}
