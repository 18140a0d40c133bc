/** The package declares no types for it, and its `main` names a folder, which a module may not import. */
declare module 'tree-sitter-c-sharp/bindings/node/index.js' {
  const language: unknown;
  export default language;
}
