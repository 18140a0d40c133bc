import type { ExtractedTags } from '../tags.js';
import { blanked } from './lines.js';
import { matchFrom } from './match-from.js';

const COMPONENT_FILE = /(?:^|\/)([^/]+)\.(vue|svelte|astro)$/i;

/** A file that is one component, of which only a part is a program: Vue, Svelte, Astro. */
export function isComponentFile(path: string): boolean {
  return COMPONENT_FILE.test(path);
}

/** Whether its program holds markup, too. */
export function hasMarkupInScript(text: string): boolean {
  return /<script\b[^>]{0,300}\blang\s*=\s*["']?[jt]sx\b/i.test(text);
}

/** The program of a component file, everything else blanked: positions stay what they were. */
export function scriptOf(text: string): string {
  let script = '';
  for (const { start, end } of scripts(text)) {
    script += blanked(text.slice(script.length, start)) + text.slice(start, end);
  }
  return script + blanked(text.slice(script.length));
}

/** What the script defines and mentions, with the component itself and those in its markup. */
export function withComponents(script: ExtractedTags, path: string, text: string): ExtractedTags {
  const any = new Map(script.references.any);
  for (const [, tag] of text.matchAll(COMPONENT_TAG)) {
    const used = inPascalCase(tag!);
    if (used === DYNAMIC) continue;
    any.set(used, (any.get(used) ?? 0) + 1);
  }
  const name = componentName(path);
  return {
    definitions:
      name === undefined ? script.definitions : [{ name, kind: 'component', line: 1 }, ...script.definitions],
    references: { ...script.references, any },
  };
}

interface Range {
  start: number;
  end: number;
}

const OPENING = /<script\b/gi;
/** An attribute's value may contain `>`: `generic="T extends Map<string, T>"`. */
const OPENING_TAG = /<script\b(?:"[^"]*"|'[^']*'|[^>"'])*>/iy;
/** What is data, and no program: `type="application/ld+json"`. */
const IS_DATA = /(?<![\w-])type\s*=\s*["']?(?!["']|module|text\/(?:java|type|babel)script)/i;
const CLOSING_TAG = /<\/script\s*>/gi;
/** Of Astro, at the very beginning. */
const FRONT_MATTER = /^\s*---[^\n]*\n/;

function scripts(text: string): Range[] {
  const found: Range[] = [];
  let from = 0;
  const front = FRONT_MATTER.exec(text)?.[0].length;
  if (front !== undefined) {
    from = text.indexOf('\n---', front - 1);
    if (from < 0) return found;
    found.push({ start: front, end: from });
  }
  for (;;) {
    const opening = matchFrom(OPENING, text, from);
    const tag = opening && matchFrom(OPENING_TAG, text, opening.index);
    const start = OPENING_TAG.lastIndex;
    const closing = tag && matchFrom(CLOSING_TAG, text, start);
    if (!tag || !closing) return found;
    from = closing.index;
    if (!IS_DATA.test(tag[0])) found.push({ start, end: from });
  }
}

/** `<UserCard`, `<user-card`; of a member, as `<Card.Root`, what it is taken from. */
const COMPONENT_TAG = /<([A-Z][\w$]*|[a-z][a-z\d]*(?:-[a-z\d]+)+)/g;
/** `<Component :is="chosen">` of Vue, which names none. */
const DYNAMIC = 'Component';
/** As a tag of the component would begin. */
const TAG_NAME = /^(?:[A-Z][\w$]*|[a-z][a-z\d]*(?:-[a-z\d]+)+)$/;
/** Where routes have other names, as Svelte's `+page`; elsewhere `index` and `error` are routes. */
const WORD = /^[a-z][a-z\d]*$/;

function componentName(path: string): string | undefined {
  const [, name, kind] = COMPONENT_FILE.exec(path)!;
  const isNamed = TAG_NAME.test(name!) || (kind!.toLowerCase() === 'svelte' && WORD.test(name!));
  return isNamed ? inPascalCase(name!) : undefined;
}

/** `user-card` as `UserCard`. */
function inPascalCase(name: string): string {
  return name.replace(/(?:^|-)([a-z\d])/g, (_, first: string) => first.toUpperCase());
}
