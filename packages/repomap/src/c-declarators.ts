import type { SyntaxNode } from 'tree-sitter';
import type { DefinitionKind } from './tags.js';

export interface DeclaredName {
  startIndex: number;
  endIndex: number;
  kind: DefinitionKind;
}

/** Pointers to pointers to functions that return pointers: real code stays far below. */
const MAX_NESTING = 24;

/**
 * Goes down a declarator of C or C++ to the name it declares: past pointers, references, parameters, template
 * arguments and qualifications, so that `*ns::Stack<int>::top()` declares `top`.
 *
 * @param kind what it is where it stands; a qualified function is a method
 */
export function declaredName(declarator: SyntaxNode, kind: DefinitionKind): DeclaredName | undefined {
  if (isMacro(declarator, kind)) return undefined;
  let node: SyntaxNode | null = declarator;
  let found = kind;
  for (let level = 0; level < MAX_NESTING && node !== null; level++) {
    switch (node.type) {
      case 'identifier':
      case 'type_identifier':
      case 'operator_name':
        return { startIndex: node.startIndex, endIndex: node.endIndex, kind: found };
      case 'field_identifier':
      case 'destructor_name':
      case 'operator_cast':
        return {
          startIndex: node.startIndex,
          endIndex: endOfName(node),
          kind: kind === 'fn' ? 'method' : kind,
        };
      case 'qualified_identifier':
        if (kind === 'fn') found = 'method';
        node = node.childForFieldName('name');
        break;
      case 'template_function':
      case 'template_method':
      case 'template_type':
        node = node.childForFieldName('name');
        break;
      default:
        node = node.childForFieldName('declarator') ?? innerDeclarator(node);
    }
  }
  return undefined;
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
