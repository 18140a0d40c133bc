export const javaQuery = `
(class_declaration name: (identifier) @def.class)
(interface_declaration name: (identifier) @def.interface)
(annotation_type_declaration name: (identifier) @def.interface)
(enum_declaration name: (identifier) @def.enum)
(record_declaration name: (identifier) @def.record)
(method_declaration name: (identifier) @def.method)
(constructor_declaration name: (identifier) @def.method)
(compact_constructor_declaration name: (identifier) @def.method)
(annotation_type_element_declaration name: (identifier) @def.method)

(method_invocation !object name: (identifier) @ref)
(method_invocation object: (_) name: (identifier) @member)
(type_identifier) @ref
(method_invocation object: (identifier) @object)
(field_access object: (identifier) @object)
(marker_annotation name: (identifier) @ref)
(annotation name: (identifier) @ref)
(method_reference . (identifier) @object)
(method_reference "::" (identifier) @ref)
(import_declaration (scoped_identifier name: (identifier) @ref))
(import_declaration (scoped_identifier scope: (scoped_identifier name: (identifier) @object)))
`;
