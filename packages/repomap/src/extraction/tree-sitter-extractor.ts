import type Parser from 'tree-sitter';
import type { ExtractedTags } from '../tags.js';
import { readableBash } from './bash-source.js';
import { withoutSplits } from './c-directives.js';
import { withoutMacros } from './c-macros.js';
import type { Role } from './capture-roles.js';
import type { capturesOf } from './captures.js';
import { CONDITIONAL, withoutDirectives } from './csharp-directives.js';
import { readableCSharp } from './csharp-source.js';
import { isFlow, readableFlow } from './flow-source.js';
import { GRAMMARS } from './grammars.js';
import { ParseTimeoutError } from './parse-timeout.js';
import { readableEndless } from './ruby-endless.js';
import { withoutLongHeredocs } from './ruby-heredocs.js';
import { readableRust } from './rust-source.js';
import { tagsOf } from './tags-of-captures.js';
import { readableTypeScript } from './typescript-source.js';

interface LoadedGrammar {
  parser: Parser;
  query: Parser.Query;
  capturesOf: typeof capturesOf;
  /** What each pattern's capture says, once it has been met. */
  roles: Role[];
}

/** Reads files of one language after the other; holds one parser per language it has met. */
export class TreeSitterExtractor {
  private readonly loaded = new Map<string, Promise<LoadedGrammar>>();

  /** @param timeoutMs for parsing and again for querying one file */
  constructor(private readonly timeoutMs: number) {}

  /** @throws ParseTimeoutError */
  async extract(language: string, text: string): Promise<ExtractedTags> {
    if (language === 'javascript' && isFlow(text))
      return this.extractReadable('tsx', text, readableFlow(text));
    return this.extractReadable(language, text, readable(language, text));
  }

  private async extractReadable(
    language: string,
    text: string,
    readableText: string,
  ): Promise<ExtractedTags> {
    const { parser, query, capturesOf, roles } = await this.grammar(language);
    let tree = parse(parser, readableText);
    if (language === 'csharp' && tree.rootNode.hasError && CONDITIONAL.test(text)) {
      tree = parse(parser, withoutDirectives(readableText));
    }
    const startedAt = performance.now();
    const captures = capturesOf(query, tree, this.timeoutMs);
    if (performance.now() - startedAt >= this.timeoutMs)
      throw new ParseTimeoutError('querying took too long');
    return tagsOf(captures, roles, text, language);
  }

  private grammar(language: string): Promise<LoadedGrammar> {
    let grammar = this.loaded.get(language);
    if (grammar === undefined) {
      grammar = loadGrammar(language, this.timeoutMs);
      this.loaded.set(language, grammar);
    }
    return grammar;
  }
}

/** The parser itself, without a grammar. */
export function loadTreeSitter() {
  return import('./captures.js');
}

/** What the grammar can read, of the same length. */
function readable(language: string, text: string): string {
  if (/^c(?:pp)?$/.test(language)) return withoutMacros(withoutSplits(text));
  if (language === 'bash') return readableBash(text);
  if (language === 'csharp') return readableCSharp(text);
  if (language === 'rust') return readableRust(text);
  if (/^t(?:s|ypescript)/.test(language)) return readableTypeScript(text);
  return language === 'ruby' ? readableEndless(withoutLongHeredocs(text)) : text;
}

async function loadGrammar(name: string, timeoutMs: number): Promise<LoadedGrammar> {
  const grammar = GRAMMARS[name];
  if (grammar === undefined) throw new RangeError(`no grammar for ${name}`);
  const { TreeSitter, capturesOf } = await loadTreeSitter();
  const language = withoutNodeClasses(await grammar.load());
  const parser = new TreeSitter();
  parser.setLanguage(language);
  parser.setTimeoutMicros(timeoutMs * 1000);
  return {
    parser,
    query: new TreeSitter.Query(language, grammar.query),
    capturesOf,
    roles: [],
  };
}

/** A class with getters for each type of node takes 10 ms a grammar to make, and nothing here uses them. */
function withoutNodeClasses(language: unknown): Parser.Language {
  (language as { nodeTypeInfo: unknown[] }).nodeTypeInfo = [];
  return language as Parser.Language;
}

/** The native reader copies the text into a buffer of its own; one that holds all of it is filled once. */
function parse(parser: Parser, text: string): Parser.Tree {
  const tree = parser.parse(text, null, { bufferSize: Math.max(text.length + 1, 1024) }) as
    Parser.Tree | undefined;
  if (tree) return tree;
  parser.reset();
  throw new ParseTimeoutError('parsing took too long');
}
