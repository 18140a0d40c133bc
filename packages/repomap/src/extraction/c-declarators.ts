import type { SyntaxNode } from 'tree-sitter';
import type { DefinitionKind } from '../tags.js';

export interface DeclaredName {
  startIndex: number;
  endIndex: number;
  kind: DefinitionKind;
}

/** Limit for nested declarators, such as pointers to functions that return pointers; real code stays far below. */
const MAX_NESTING = 24;

/**
 * Finds the name that a declarator of C or C++ declares: `top` in `*ns::Stack<int>::top()`.
 *
 * @param kind its kind by position; a qualified function is a method
 * @returns undefined if it only looks like a function because of a macro
 */
export function declaredName(declarator: SyntaxNode, kind: DefinitionKind): DeclaredName | undefined {
  const found = isMacro(declarator, kind) ? undefined : nameIn(declarator);
  if (found === undefined) return undefined;
  const isFunction = kind === 'fn' || kind === 'method';
  const hasParameters = found.hasParameters || isSystemCall(declarator);
  if (isFunction && (!hasParameters || NO_FUNCTIONS.test(found.node.text))) return undefined;
  const { startIndex } = found.node;
  return { startIndex, endIndex: endOfName(found.node), kind: kindOfNamed(kind, found) };
}

interface FoundName {
  node: SyntaxNode;
  /** Of the class or namespace that it stands behind. */
  scope: string | undefined;
  hasParameters: boolean;
}

/** Where a macro makes a statement look like a function. */
const NO_FUNCTIONS =
  /^(?:if|for|while|switch|catch|return|sizeof|alignof|decltype|noexcept|(?:static|dynamic|const|reinterpret)_cast)$/;

/** `SYSCALL_DEFINE0(getpid) {`, whose macro the grammar takes for the result's type. */
function isSystemCall(declarator: SyntaxNode): boolean {
  if (declarator.type !== 'parenthesized_declarator') return false;
  return /(?:SYSCALL_DEFINE|BPF_CALL_)\d$/.test(declarator.parent?.childForFieldName('type')?.text ?? '');
}

/** Descends past pointers, references, parameters, template arguments and qualifications. */
function nameIn(declarator: SyntaxNode): FoundName | undefined {
  let node: SyntaxNode | null = declarator;
  let hasParameters = false;
  let scope: string | undefined;
  for (let level = 0; level < MAX_NESTING && node !== null; level++) {
    hasParameters ||= node.type === 'function_declarator' || node.type === 'operator_cast';
    if (node.type === 'qualified_identifier') scope = node.childForFieldName('scope')?.text ?? '';
    if (NAMES.test(node.type)) return { node, scope, hasParameters };
    node = HAS_NAME.test(node.type)
      ? node.childForFieldName('name')
      : (node.childForFieldName('declarator') ?? innerDeclarator(node));
  }
  return undefined;
}

const MEMBER_NAMES = /^(?:field_identifier|destructor_name|operator_cast)$/;
const NAMES = /^(?:identifier|type_identifier|operator_name|field_identifier|destructor_name|operator_cast)$/;
const HAS_NAME = /^(?:qualified_identifier|template_function|template_method|template_type)$/;

function kindOfNamed(kind: DefinitionKind, { node, scope }: FoundName): DefinitionKind {
  if (kind !== 'fn') return kind;
  if (scope?.replace(/\s*<[^]*/, '') === node.text) return 'constructor';
  return scope !== undefined || MEMBER_NAMES.test(node.type) ? 'method' : kind;
}

/** `LOCK_REQUIRED_(mutex) {` after a function's parameters, `TEST(Suite, name) {`: a macro that looks like a function. */
function isMacro(declarator: SyntaxNode, kind: DefinitionKind): boolean {
  const name = /^([A-Z][A-Z0-9_]*)\s*\(/.exec(declarator.text)?.[1];
  if (name === undefined || kind === 'type') return false;
  const hasResult = Boolean(declarator.parent?.childForFieldName('type'));
  return name.endsWith('_') || (kind === 'fn' && !hasResult);
}

/** The grammar gives the fields of a few declarators no name. */
function innerDeclarator(node: SyntaxNode): SyntaxNode | null {
  return (
    node.namedChildren.find((child) => /declarator$|identifier$|^operator_|_name$/.test(child.type)) ?? null
  );
}

/** A conversion operator's node holds its parameters too: its name ends with the type. */
function endOfName(node: SyntaxNode): number {
  const type = node.type === 'operator_cast' ? node.childForFieldName('type') : null;
  return (type ?? node).endIndex;
}
