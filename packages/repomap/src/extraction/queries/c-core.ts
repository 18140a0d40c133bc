/**
 * What C and C++ share. Prototypes are no definitions: the function itself is elsewhere. `@declarator` captures
 * what the name is found in (see c-declarators): patterns for every nesting take a second to compile.
 */
export const cCore = `
(struct_specifier name: (type_identifier) @def.struct body: (_))
(union_specifier name: (type_identifier) @def.union body: (_))
(enum_specifier name: (type_identifier) @def.enum body: (_))
(type_definition declarator: (_) @declarator.type)
(compound_statement (type_definition declarator: (_) @declarator.local-type))
(compound_statement (struct_specifier name: (type_identifier) @def.local-struct body: (_)))
(function_definition declarator: (_) @declarator.fn body: (_))
(preproc_def name: (identifier) @def.macro value: (_))
(preproc_function_def name: (identifier) @def.macro)

(call_expression function: (identifier) @ref)
(call_expression function: (field_expression field: (field_identifier) @ref))
(type_identifier) @ref
(initializer_list (identifier) @ref)
(initializer_pair value: (identifier) @ref)
(argument_list (identifier) @ref)
`;
