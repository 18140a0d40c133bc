// Finds secrets that only what they stand in tells: Secrets of Kubernetes, Terraform's state, rows of SQL.
import type { SecretRange } from './secret-rule.js';
import { isGivenSecret } from './secret-values.js';

/** As it may stand in a text of its own that a command or a record quotes. */
const QUOTE = '\\\\{0,3}["\']';

/** Secrets that the rules for a single place do not see, in no order; they may overlap. */
export function structuredSecrets(text: string): SecretRange[] {
  return [
    ...(SECRET_IN_YAML.test(text) ? secretsInYaml(text) : []),
    ...(SECRET_IN_BRACES.test(text) ? secretsInBraces(text) : []),
    ...secretsOfTerraform(text),
    ...secretsInRows(text),
  ];
}

const SECRET_IN_YAML = /\bkind: {1,3}["']?Secret\b/;
const SECRET_IN_BRACES = new RegExp(`\\bkind(?:${QUOTE})?\\s{0,3}:\\s{0,3}${QUOTE}Secret\\b`);

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)$/;
/** Words that say what is to stand there. */
const NO_BASE64 = /base64|encoded|password|secret|change|example/i;
const NO_VALUE =
  /^(?:test|secret|(?:my-?)?password|change-?me|placeholder|example|x+|your.*|<.*>|\*\*.*)\s*$/i;

/** A value of a Secret's, which is Base64 in `data` and text in `stringData`. */
function isSecretData(section: string, value: string): boolean {
  if (section === 'stringData') return value.length >= 4 && !NO_VALUE.test(value) && isGivenSecret(value);
  if (section !== 'data' || !BASE64.test(value) || NO_BASE64.test(value)) return false;
  return !NO_VALUE.test(Buffer.from(value.slice(0, 64), 'base64').toString('latin1'));
}

/** A mapping of YAML, up to the place in it that has been read. */
interface Mapping {
  column: number;
  names: Set<string>;
  /** The last name, and whether lines of text follow it. */
  section: string;
  isText: boolean;
  hasText: boolean;
  isSecret: boolean;
  values: SecretRange[];
}

interface Line {
  start: number;
  end: number;
  column: number;
  isEntry: boolean;
  name: string | undefined;
  value: string;
}

/** A line behind the number that a file is shown with or the sign of a diff: how it is indented, and the rest. */
const LINE = /^(?:[ \t]*\d+[→\t|:])?((?:[ +]|-(?=[ \w"']))*)([^\r\n]+)/gm;
const FIELD = /^["']?([\w.-]{1,253})["']?:(?:[ \t]+(?:"([^"]*)"|'([^']*)'|(\S+(?: +(?!#)\S+)*))?|$)/;
/** Comments, and a template's lines, which stand anywhere. */
const ASIDE = /^(?:#|\{\{)/;

function* linesIn(text: string): Generator<Line> {
  for (const { 0: line, 1: indent = '', 2: content = '', index } of text.matchAll(LINE)) {
    if (ASIDE.test(content)) continue;
    const [, name, ...values] = FIELD.exec(content) ?? [];
    const value = values.find((part) => part !== undefined) ?? '';
    const end = index + line.length;
    const start = end - content.length;
    yield { start, end, column: indent.length, isEntry: indent.endsWith('- '), name, value };
  }
}

function secretsInYaml(text: string): SecretRange[] {
  const found: SecretRange[] = [];
  const open: Mapping[] = [];
  const close = (): void => {
    const { isSecret, values } = open.pop()!;
    if (isSecret) found.push(...values);
  };
  for (const line of linesIn(text)) {
    const { column, name } = line;
    while (open.length > 0 && open.at(-1)!.column > column) close();
    const last = open.at(-1);
    if (last?.isText && last.column < column) {
      addText(open.at(-2), last, line);
      continue;
    }
    if (last?.column === column && (!name || last.names.has(name) || line.isEntry)) close();
    if (!name) continue;
    if (open.at(-1)?.column !== column) open.push(newMapping(column));
    addField(open.at(-1)!, name, line.value);
    addValue(open.at(-2), text, line);
  }
  while (open.length > 0) close();
  return found;
}

function newMapping(column: number): Mapping {
  return {
    column,
    names: new Set(),
    section: '',
    isText: false,
    hasText: false,
    isSecret: false,
    values: [],
  };
}

function addField(mapping: Mapping, name: string, value: string): void {
  mapping.names.add(name);
  mapping.section = name;
  mapping.hasText = false;
  mapping.isText = /^[|>][-+\d]{0,2}$/.test(value);
  mapping.isSecret ||= name === 'kind' && value === 'Secret';
}

/** What stands in a field of `data`. */
function addValue(parent: Mapping | undefined, text: string, { start, name, value }: Line): void {
  if (!parent || !isSecretData(parent.section, value)) return;
  const from = text.indexOf(value, start + name!.length + 1);
  parent.values.push({ kind: 'kubernetes', start: from, end: from + value.length });
}

/** What follows a field's `|`, as one secret. */
function addText(parent: Mapping | undefined, field: Mapping, { start, end }: Line): void {
  if (!parent || !/^(?:d|stringD)ata$/.test(parent.section)) return;
  if (field.hasText) parent.values.at(-1)!.end = end;
  else parent.values.push({ kind: 'kubernetes', start, end });
  field.hasText = true;
}

/** An object in braces, up to the place in it that has been read. */
interface Braces {
  start: number;
  section: string;
  isSecret: boolean;
  values: SecretRange[];
}

/** What stands deeper is no Secret; a hostile text must not be looked through for each brace in it. */
const MAX_DEPTH = 20;

const BRACE = new RegExp(
  `\\b(data|stringData)(?:${QUOTE})?\\s{0,3}:\\s{0,3}\\{|(\\bkind(?:${QUOTE})?\\s{0,3}:\\s{0,3}${QUOTE}Secret\\b)|[{}]`,
  'g',
);
const VALUE = new RegExp(`:\\s{0,9}(${QUOTE})([^\\n]{4,20000}?)(?<!\\\\)\\1`, 'g');

function secretsInBraces(text: string): SecretRange[] {
  const found: SecretRange[] = [];
  const open: Braces[] = [];
  const enter = (start: number, section: string): void => {
    open.push({ start, section: open.length < MAX_DEPTH ? section : '', isSecret: false, values: [] });
  };
  const close = (end: number): void => {
    const { start, section, isSecret, values } = open.pop()!;
    if (isSecret) found.push(...values);
    if (!section) return;
    for (const { index, 0: all, 1: quote = '', 2: value = '' } of text.slice(start, end).matchAll(VALUE)) {
      const from = start + index + all.lastIndexOf(value, all.length - quote.length);
      if (isSecretData(section, value))
        open.at(-1)!.values.push({ kind: 'kubernetes', start: from, end: from + value.length });
    }
  };
  // Of what is cut off, the outermost object has no beginning.
  enter(0, '');
  for (const { 0: token, 1: section = '', 2: kind, index } of text.matchAll(BRACE)) {
    if (kind) open.at(-1)!.isSecret = true;
    else if (token !== '}') enter(index + token.length, section);
    else {
      close(index);
      if (open.length === 0) enter(index, '');
    }
  }
  while (open.length > 0) close(text.length);
  return found;
}

/** Where Terraform keeps what it knows of a resource: in its state, and in what it shows of one. */
const RESOURCE = /"schema_version"\s{0,3}:\s{0,3}\d{1,3},\s{0,40}"(?:attributes|values)"\s{0,3}:\s{0,3}\{/g;
const ATTRIBUTE =
  /"((?:\w{1,60}_)??(?:password|passphrase|secret|secret_string|secret_data|token|private_key|access_key|result))"\s{0,3}:\s{0,3}"((?:[^"\\\n]|\\.){4,4000})"/g;

function secretsOfTerraform(text: string): SecretRange[] {
  const ranges: SecretRange[] = [];
  let end = 0;
  for (const { 0: begin, index } of text.matchAll(RESOURCE)) {
    if (index < end) continue;
    const start = index + begin.length;
    end = endOfObject(text, start);
    const attributes = text.slice(start, end);
    // A password made up by Terraform stands in its result.
    const isRandom = attributes.includes('"bcrypt_hash"');
    for (const { 0: field, 1: name, 2: value = '', index: at } of attributes.matchAll(ATTRIBUTE)) {
      if (name === 'result' ? !isRandom : !isGivenSecret(value)) continue;
      const from = start + at + field.length - 1 - value.length;
      ranges.push({ kind: 'terraform', start: from, end: from + value.length });
    }
  }
  return ranges;
}

/** Of the object in which a place is. */
function endOfObject(text: string, from: number): number {
  let depth = 1;
  for (let at = from; at < text.length; at++) {
    if (text[at] === '{') depth++;
    else if (text[at] === '}' && --depth === 0) return at;
  }
  return text.length;
}

const INSERT =
  /\b(?:insert|replace)\s{1,3}(?:or\s{1,3}\w{1,10}\s{1,3}|ignore\s{1,3})?into\s{1,3}[^\s(]{1,100}\s{0,40}\(([^()]{1,2000})\)\s{0,40}values?\s{0,40}\(/gi;
const SECRET_COLUMN =
  /(?:password|passwd|passwort|passphrase|pwd|secret|api_?key|private_?key|(?:access|auth|refresh|bearer|session)_?token)(?:_?(?:hash|digest))?$/i;
const LITERAL = `'(?:[^'\\\\]|\\\\[^]){0,4000}'|"(?:[^"\\\\]|\\\\[^]){0,4000}"|\\\\{1,3}(?:'[^'\\\\]{0,4000}\\\\{1,3}'|"[^"\\\\]{0,4000}\\\\{1,3}"|[nrt])`;
/** The next value of a row, and what follows it. */
const ROW_VALUE = new RegExp(
  `((?:${LITERAL}|[^,()'"\\\\]|\\((?:${LITERAL}|[^()'"\\\\]|\\([^()]{0,200}\\)){0,500}\\)){1,500})(,|\\)(?:\\s{0,40},\\s{0,40}\\()?)`,
  'y',
);
/** A text, also one that the database is to hash. */
const GIVEN_VALUE =
  /^(?:\s|\\{1,3}[nrt])*(?:(?:md5|sha[12]?|crypt|password)\(\s{0,3})?[NE]?\\{0,3}['"]((?:[^'"\\]|'')*)/i;

function secretsInRows(text: string): SecretRange[] {
  const ranges: SecretRange[] = [];
  for (const { 0: begin, 1: names = '', index } of text.matchAll(INSERT)) {
    const isSecret = names.split(',').map((name) => SECRET_COLUMN.test(name.replace(/[\s"'`[\]\\]/g, '')));
    if (!isSecret.includes(true)) continue;
    ROW_VALUE.lastIndex = index + begin.length;
    let column = 0;
    for (let row = ROW_VALUE.exec(text); row; row = ROW_VALUE.exec(text)) {
      const { 1: given = '', 2: follows } = row;
      const { 0: before = '', 1: value = '' } = GIVEN_VALUE.exec(given) ?? [];
      if (isSecret[column] && value.length >= 6 && isGivenSecret(value)) {
        const start = row.index + before.length - value.length;
        ranges.push({ kind: 'sql', start, end: start + value.length });
      }
      if (follows === ')') break;
      column = follows === ',' ? column + 1 : 0;
    }
  }
  return ranges;
}
