// Edits that touch nothing but the value they are about: comments, order, indentation and commas around it stay. What is
// added behind the last value and taken out again leaves the text as it was.
import { createScanner, type Node, parseTree } from 'jsonc-parser';
import { BYTE_ORDER_MARK, PARSING, withoutMark } from './json-text.js';

/** Names of properties and indexes of elements, from the outside in. */
export type JsonPath = readonly (string | number)[];

/** The text with a value at this path, in place of an earlier one or behind everything else. */
export function setValue(text: string, path: JsonPath, value: unknown): string {
  return edited(text, (plain) => {
    const present = nodeAt(plain, path);
    if (present) return splice(plain, present, stringify(value, plain, indentAt(plain, present.offset)));
    const depth = depthOfExisting(plain, path);
    const wrapped = path.slice(depth + 1).reduceRight((inner, name) => ({ [name]: inner }), value);
    return append(plain, nodeAt(plain, path.slice(0, depth))!, wrapped, path[depth] as string);
  });
}

/** The text with another element at the end of the list at this path. */
export function addElement(text: string, path: JsonPath, value: unknown): string {
  return edited(text, (plain) => append(plain, nodeAt(plain, path)!, value));
}

/** The text without the value at this path. */
export function removeValue(text: string, path: JsonPath): string {
  return edited(text, (plain) => {
    const value = nodeAt(plain, path);
    if (!value) return plain;
    return remove(plain, value.parent?.type === 'property' ? value.parent : value);
  });
}

function edited(text: string, edit: (plain: string) => string): string {
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  const plain = withoutMark(text);
  return (
    mark + edit(parseTree(plain, [], PARSING) ? plain : `${plain}${/[^\n]$/.test(plain) ? '\n' : ''}{}\n`)
  );
}

function nodeAt(text: string, path: JsonPath): Node | undefined {
  let node = parseTree(text, [], PARSING);
  for (const step of path) node = typeof step === 'number' ? node?.children?.[step] : valueOf(node, step);
  return node;
}

/** Of a name that stands twice the last value counts, here as for whoever reads the file. */
function valueOf(object: Node | undefined, name: string): Node | undefined {
  return object?.children?.findLast(({ children }) => children?.[0]?.value === name)?.children?.[1];
}

/** How many names of the path lead to something that is there. */
function depthOfExisting(text: string, path: JsonPath): number {
  let depth = path.length - 1;
  while (depth > 0 && !nodeAt(text, path.slice(0, depth))) depth--;
  return depth;
}

function splice(text: string, { offset, length }: { offset: number; length: number }, by: string): string {
  return text.slice(0, offset) + by + text.slice(offset + length);
}

function append(text: string, container: Node, value: unknown, name?: string): string {
  const label = name === undefined ? '' : `${JSON.stringify(name)}: `;
  const end = container.offset + container.length - 1;
  const last = container.children?.at(-1);
  const outer = indentAt(text, container.offset);
  if (!last) {
    const inner = outer + indentOf(text);
    const line = `${inner}${label}${stringify(value, text, inner)}`;
    const before = text.slice(0, end).trimEnd();
    return [before, line, `${outer}${text.slice(end)}`].join(newlineOf(text));
  }
  const lastEnd = last.offset + last.length;
  const isOneLine = !text.slice(container.offset, end).includes('\n');
  if (isOneLine) return splice(text, { offset: lastEnd, length: 0 }, `, ${label}${JSON.stringify(value)}`);
  const comma = nextComma(text, lastEnd);
  const inner = indentAt(text, last.offset);
  // A comment behind the last value stays behind it.
  const lineEnd = endOfLine(text, comma === undefined ? lastEnd : comma + 1, end);
  const line = `${newlineOf(text)}${inner}${label}${stringify(value, text, inner)}`;
  return comma === undefined
    ? `${text.slice(0, lastEnd)},${text.slice(lastEnd, lineEnd)}${line}${text.slice(lineEnd)}`
    : `${text.slice(0, lineEnd)}${line},${text.slice(lineEnd)}`;
}

function remove(text: string, node: Node): string {
  const siblings = node.parent!.children!;
  const previous = siblings[siblings.indexOf(node) - 1];
  const end = node.offset + node.length;
  const commaAfter = nextComma(text, end);
  const rest = withoutLine(text, node.offset, commaAfter === undefined ? end : commaAfter + 1);
  if (commaAfter !== undefined || !previous) return rest;
  const commaBefore = nextComma(text, previous.offset + previous.length)!;
  return splice(rest, { offset: commaBefore, length: 1 }, '');
}

/** Cut `[start, end)` out, and with it the lines that nothing is left in, or the space before it in a line. */
function withoutLine(text: string, start: number, end: number): string {
  const before = /(?:\r?\n)?[ \t]*$/.exec(text.slice(0, start))![0];
  const isBeginOfLine = before.includes('\n') && !/^[ \t]*(?:\r?\n|$)/.test(text.slice(end));
  return text.slice(0, isBeginOfLine ? start : start - before.length) + text.slice(end);
}

/** Place of the comma behind an offset, if nothing but space and comments stands before it. */
function nextComma(text: string, offset: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset);
  scanner.scan();
  const place = scanner.getTokenOffset();
  return text[place] === ',' ? place : undefined;
}

/** The end of the line at an offset, where nothing but comments stand up to it. */
function endOfLine(text: string, offset: number, limit: number): number {
  const rest = /^[ \t]*(?:\/\*(?:(?!\*\/)[^\r\n])*\*\/[ \t]*)*(?:\/\/[^\r\n]*)?(?=\r?\n)/.exec(
    text.slice(offset, limit),
  );
  return offset + (rest?.[0].length ?? 0);
}

function stringify(value: unknown, text: string, indent: string): string {
  return JSON.stringify(value, null, indentOf(text)).replace(/\n/g, `${newlineOf(text)}${indent}`);
}

/** The white space that the line of this place begins with. */
function indentAt(text: string, offset: number): string {
  return /[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1))![0];
}

/** One step of indentation, as the text has it. */
function indentOf(text: string): string {
  return /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
}

function newlineOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}
