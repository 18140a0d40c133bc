export const pythonQuery = `
(class_definition name: (identifier) @def.class)
(function_definition name: (identifier) @def.fn)
(class_definition body: (block (function_definition name: (identifier) @def.method)))
(class_definition body: (block (decorated_definition
  definition: (function_definition name: (identifier) @def.method))))
(function_definition body: (block [
  (function_definition name: (identifier) @def.local-fn)
  (decorated_definition definition: (function_definition name: (identifier) @def.local-fn))]))
(function_definition body: (block [
  (class_definition name: (identifier) @def.local-class)
  (decorated_definition definition: (class_definition name: (identifier) @def.local-class))]))
(type_alias_statement left: (type (identifier) @def.type))
(type_alias_statement left: (type (generic_type . (identifier) @def.type)))
(module (expression_statement (assignment left: (identifier) @def.const)))
(module (expression_statement (assignment right: (assignment left: (identifier) @def.const))))
(module (expression_statement (assignment left: [(pattern_list (identifier) @def.const) (tuple_pattern (identifier) @def.const)])))
(module (expression_statement (assignment left: (identifier) @def.fn right: (lambda))))

(call function: (identifier) @ref)
(call function: (attribute attribute: (identifier) @member))
(attribute object: (identifier) attribute: (identifier) @member)
(class_definition superclasses: (argument_list (attribute attribute: (identifier) @qualified)))
(import_from_statement name: (dotted_name (identifier) @ref))
(import_from_statement name: (aliased_import name: (dotted_name (identifier) @ref)))
(type (identifier) @ref)
(type (attribute attribute: (identifier) @qualified))
(type (generic_type (identifier) @ref))
(decorator (identifier) @ref)
(decorator (attribute attribute: (identifier) @member))
(argument_list (identifier) @ref)
(keyword_argument value: (identifier) @ref)
(except_clause value: (identifier) @ref)
`;
