export const goQuery = `
(function_declaration name: (identifier) @def.fn)
(method_declaration name: (field_identifier) @def.method)
(type_spec name: (type_identifier) @def.type)
(type_spec name: (type_identifier) @def.struct type: (struct_type))
(type_spec name: (type_identifier) @def.interface type: (interface_type))
(type_alias name: (type_identifier) @def.type)
(method_elem name: (field_identifier) @def.method)
(source_file (const_declaration (const_spec (identifier) @def.const)))
(source_file (var_declaration (var_spec name: (identifier) @def.const)))
(source_file (var_declaration (var_spec_list (var_spec name: (identifier) @def.const))))

(call_expression function: (identifier) @ref)
(selector_expression field: (field_identifier) @ref)
(type_identifier) @type
(argument_list (identifier) @ref)
(literal_value (literal_element (identifier) @ref))
(keyed_element (_) (literal_element (identifier) @ref))
`;
