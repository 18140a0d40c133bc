/**
 * Tells, from the text alone and without a grammar, whether a line declares a name: a second opinion on definitions that
 * ctags does not know. For languages with braces; comments and strings are not looked at, so it is asked about names
 * that an extractor found, never used to find any.
 */

const KEYWORDS =
  /(?:^|[\s(,;{}!=])(?:class|interface|@interface|enum|struct|record|type|namespace|module|trait|delegate|function|func|fn|def|get|set)\s*\*?\s*$/;
/** What stands before a name that is used, not declared. */
const USES =
  /(?:[.(,=:?&|!<+\-*/%]|(?:^|\s)(?:return|await|throw|yield|case|in|of|typeof|void|delete|else|do))\s*$/;
const MADE = /\bnew\s+(?:[\w.]+\.)?$/;
const VALUE =
  /^\s*['"\]]?[?!]?\s*(?::(?!:)[^=;]*?)?(?:=(?!=|>)|:)\s*(?:async\b\s*)?(?:function\b|class\b|\(|<|[\w$]+\s*=>|(?:[\w$.]+\()+\s*(?:async\s*)?(?:function|\())/;
/** Nobody calls it by this name. */
const CONSTRUCTOR = /^constructor\s*\(/;
const AFTER_PARAMETERS =
  /^\s*(?:throws\b|where\b|const\b|noexcept\b|override\b|final\b|->|=>|:(?!:)|\{|;|default\b)/;

/**
 * @param {string[]} lines of the file
 * @param {{ name: string, line: number }} definition
 */
export function declares(lines, { name, line }) {
  const text = lines.slice(line - 1, line + 40).join('\n');
  const firstLine = lines[line - 1] ?? '';
  for (let at = firstLine.indexOf(name); at >= 0; at = firstLine.indexOf(name, at + 1)) {
    const before = firstLine.slice(0, at);
    const after = text.slice(at + name.length);
    if (/[\w$]$/.test(before) || /^[\w$]/.test(after)) continue;
    if (declaredAt(name, before, after, lines[line - 2] ?? '')) return true;
  }
  return false;
}

function declaredAt(name, before, after, lineBefore) {
  const ownBefore = before.replace(/['"[#@]+$/, '');
  if (KEYWORDS.test(ownBefore) || VALUE.test(after) || CONSTRUCTOR.test(name + after)) return true;
  const parameters = /^\s*['"\]]?[?!]?\s*(?=[<(])/.exec(after);
  if (parameters === null || MADE.test(ownBefore)) return false;
  const rest = afterParameters(after.slice(parameters[0].length));
  if (rest === undefined || !AFTER_PARAMETERS.test(rest)) return false;
  // No expression goes on with a body; a type before the name tells `void run();` from a call.
  if (/^\s*\{|^\s*(?:throws|where)\b/.test(rest)) return true;
  if (/^\s*=>/.test(rest)) return /[\w>\]?*.]\s*$/.test(ownBefore);
  if (USES.test(ownBefore) && !/\bvoid\s+$/.test(ownBefore)) return false;
  return !/^\s*;/.test(rest) || /[\w>\]?*&]\s*$/.test(ownBefore) || /[\w>\]]\s*$/.test(lineBefore);
}

/** @returns what follows type parameters and parameters; undefined where there are none, or they do not end */
function afterParameters(text) {
  const rest = text.startsWith('<') ? afterBrackets(text, '<', '>')?.trimStart() : text;
  return rest?.startsWith('(') ? afterBrackets(rest, '(', ')') : undefined;
}

function afterBrackets(text, open, close) {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === open) depth++;
    else if (text[i] === close && text[i - 1] !== '=' && --depth === 0) return text.slice(i + 1);
  }
  return undefined;
}
