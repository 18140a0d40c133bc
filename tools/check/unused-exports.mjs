import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';

/** Modules that are used without an import: a package's surface, an app's start, a worker's entry. */
const entryModules = /src[\\/](index|main)\.ts$|-(task|worker)\.ts$/;

/** Stands for every export of a module: a namespace, `export *`, `import()`. */
const everything = '*';

/**
 * Exports that nothing outside of their own module uses, tests included. A type that its module uses
 * itself is left in peace: it names a part of an exported signature.
 *
 * @param {string} root the workspace
 * @returns {string[]} `packages/x/src/y.ts:12 name`
 */
export function findUnusedExports(root) {
  const modules = sourceFiles(root).map(parse);
  const uses = collectUses(modules, root);
  return modules
    .filter(({ fileName }) => /[\\/]src[\\/]/.test(fileName) && !entryModules.test(fileName))
    .filter(({ fileName }) => !uses.get(fileName)?.has(everything))
    .flatMap((module) =>
      exportsOf(module)
        .filter(({ name }) => !uses.get(module.fileName)?.has(name))
        .filter(({ name, isType }) => !(isType && countOf(name, module.text) > 1))
        .map(({ name, line }) => `${relative(root, module.fileName)}:${line} ${name}`),
    );
}

/** @param {string} path */
function parse(path) {
  return ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.ES2023, true);
}

/**
 * @param {ts.SourceFile} module
 * @returns {{ name: string, isType: boolean, line: number }[]} the named exports that it declares itself
 */
function exportsOf(module) {
  return module.statements.flatMap((statement) => {
    if (ts.isExportDeclaration(statement) && !statement.moduleSpecifier && statement.exportClause) {
      const { exportClause } = statement;
      const names = ts.isNamedExports(exportClause) ? exportClause.elements.map(({ name }) => name) : [];
      return names.map((name) => ({
        name: name.text,
        isType: statement.isTypeOnly,
        line: lineOf(statement),
      }));
    }
    if (!ts.canHaveModifiers(statement) || !isExported(statement)) return [];
    const isType = ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement);
    return declaredNames(statement).map((name) => ({ name, isType, line: lineOf(statement) }));
  });
}

/** @param {ts.HasModifiers} statement */
function isExported(statement) {
  return ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
}

/**
 * @param {ts.Node} statement
 * @returns {string[]}
 */
function declaredNames(statement) {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap(({ name }) =>
      ts.isIdentifier(name) ? [name.text] : [],
    );
  }
  const name = 'name' in statement ? /** @type {ts.Node | undefined} */ (statement.name) : undefined;
  return name && ts.isIdentifier(name) ? [name.text] : [];
}

/** @param {ts.Node} node */
function lineOf(node) {
  return node.getSourceFile().getLineAndCharacterOfPosition(node.getStart()).line + 1;
}

/**
 * @param {ts.SourceFile[]} modules
 * @param {string} root
 * @returns {Map<string, Set<string>>} file → the names that other modules take from it
 */
function collectUses(modules, root) {
  /** @type {Map<string, Set<string>>} */
  const uses = new Map();
  for (const module of modules) {
    visit(module, (specifier, names) => {
      const file = resolveSource(dirname(module.fileName), specifier, root);
      if (file === undefined) return;
      const known = uses.get(file) ?? new Set();
      names.forEach((name) => known.add(name));
      uses.set(file, known);
    });
  }
  return uses;
}

/**
 * @param {ts.Node} node
 * @param {(specifier: string, names: string[]) => void} report
 */
function visit(node, report) {
  if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
    report(node.moduleSpecifier.text, namesOf(node.importClause?.namedBindings));
  } else if (
    ts.isExportDeclaration(node) &&
    node.moduleSpecifier &&
    ts.isStringLiteral(node.moduleSpecifier)
  ) {
    report(node.moduleSpecifier.text, node.exportClause ? namesOf(node.exportClause) : [everything]);
  } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    const [specifier] = node.arguments;
    if (specifier && ts.isStringLiteral(specifier)) report(specifier.text, [everything]);
  } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    if (ts.isStringLiteral(node.argument.literal)) report(node.argument.literal.text, [everything]);
  }
  ts.forEachChild(node, (child) => visit(child, report));
}

/**
 * @param {ts.NamedImportBindings | ts.NamedExportBindings | undefined} bindings
 * @returns {string[]} as the other module calls them
 */
function namesOf(bindings) {
  if (bindings === undefined) return [];
  if (!ts.isNamedImports(bindings) && !ts.isNamedExports(bindings)) return [everything];
  return bindings.elements.map(({ name, propertyName }) => (propertyName ?? name).text);
}

/**
 * @param {string} folder
 * @param {string} specifier `./x.js`, or `@causantic/package/x` for a module that a package offers beside its entry
 * @param {string} root
 */
function resolveSource(folder, specifier, root) {
  const [, packageName, offered] = /^@causantic\/([^/]+)\/(.+)$/.exec(specifier) ?? [];
  if (offered === undefined && !specifier.startsWith('.')) return undefined;
  const path =
    offered === undefined
      ? resolve(folder, specifier.replace(/\.js$/, '.ts'))
      : join(root, 'packages', packageName ?? '', 'src', `${offered}.ts`);
  return existsSync(path) ? path : undefined;
}

/**
 * @param {string} name
 * @param {string} text
 */
function countOf(name, text) {
  return text.match(new RegExp(`\\b${name}\\b`, 'g'))?.length ?? 0;
}

/** @param {string} root */
function sourceFiles(root) {
  return ['packages', 'apps', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !/(^|[\\/])(node_modules|dist|fixtures)[\\/]/.test(path))
      .map((path) => join(root, folder, path)),
  );
}
