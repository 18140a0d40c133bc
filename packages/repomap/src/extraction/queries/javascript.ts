import { javascriptCore } from './javascript-core.js';
import { jsxReferences } from './jsx-references.js';

export const javascriptQuery = `
${javascriptCore('identifier')}
${jsxReferences}
(class_heritage (identifier) @ref)
(class_heritage (member_expression property: (property_identifier) @ref))
(field_definition property: [(property_identifier) (private_property_identifier)] @def.method
  value: [(arrow_function) (function_expression)])
(object_pattern (shorthand_property_identifier_pattern) @ref)
`;
