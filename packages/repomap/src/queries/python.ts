export const pythonQuery = `
(class_definition name: (identifier) @def.class)
(function_definition name: (identifier) @def.fn)
(class_definition body: (block (function_definition name: (identifier) @def.method)))
(class_definition body: (block (decorated_definition
  definition: (function_definition name: (identifier) @def.method))))
(type_alias_statement left: (type (identifier) @def.type))
(module (expression_statement (assignment left: (identifier) @def.const)))
(module (expression_statement (assignment left: (identifier) @def.fn right: (lambda))))

(call function: (identifier) @ref)
(call function: (attribute attribute: (identifier) @ref))
(class_definition superclasses: (argument_list (attribute attribute: (identifier) @ref)))
(import_from_statement name: (dotted_name (identifier) @ref))
(import_from_statement name: (aliased_import name: (dotted_name (identifier) @ref)))
(type (identifier) @ref)
(type (attribute attribute: (identifier) @ref))
(type (generic_type (identifier) @ref))
(decorator (identifier) @ref)
(decorator (attribute attribute: (identifier) @ref))
(argument_list (identifier) @ref)
(keyword_argument value: (identifier) @ref)
(except_clause value: (identifier) @ref)
`;
