import { jsxReferences } from './jsx-references.js';
import { typescriptQuery } from './typescript.js';

export const tsxQuery = `${typescriptQuery}${jsxReferences}`;
