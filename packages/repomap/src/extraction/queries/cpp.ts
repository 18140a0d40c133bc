import { cCore } from './c-core.js';

export const cppQuery = `
(field_declaration_list (function_definition declarator: (_) @declarator.method body: (_)))
(field_declaration_list (template_declaration (function_definition declarator: (_) @declarator.method body: (_))))
(field_declaration declarator: (function_declarator) @declarator.method default_value: (initializer_list))
(class_specifier name: (type_identifier) @def.class body: (_))
(class_specifier name: [(qualified_identifier) (template_type)] @declarator.class body: (_))
(struct_specifier name: [(qualified_identifier) (template_type)] @declarator.struct body: (_))
(ERROR "class" . (type_identifier) @def.class)
(ERROR "struct" . (type_identifier) @def.struct)
(namespace_definition name: (namespace_identifier) @def.namespace)
(namespace_definition name: (nested_namespace_specifier (namespace_identifier) @def.namespace))
(alias_declaration name: (type_identifier) @def.type)
(compound_statement (alias_declaration name: (type_identifier) @def.local-type))
(compound_statement (class_specifier name: (type_identifier) @def.local-class body: (_)))
(concept_definition name: (identifier) @def.type)
${cCore}
(qualified_identifier name: (identifier) @ref)
(template_function name: (identifier) @ref)
(namespace_identifier) @ref
`;
