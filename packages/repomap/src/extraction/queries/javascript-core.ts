const functionValue = '[(arrow_function) (function_expression) (generator_function)]';

/** Of an object. */
export const functions = `
  (method_definition name: (property_identifier) @def.method)
  (pair key: (property_identifier) @def.method
    value: ${functionValue})`;

/** Its functions and those one level down count where something holds it, or it is exported. */
const object = `(object [${functions} (pair value: (object [${functions}]))])`;

/** `defineComponent({ … })`, `createSlice({ reducers: { … } })`: what a module makes of an object. */
const callWithObject = `(call_expression arguments: (arguments ${object}))`;

/**
 * What JavaScript and TypeScript grammars name alike. Each pattern has one capture: the name itself,
 * because every captured node is marshalled from native code.
 * @param className the node type of a class's name, which differs between the grammars
 */
export function javascriptCore(className: 'identifier' | 'type_identifier'): string {
  return `
(class_declaration name: (${className}) @def.class)
(variable_declarator name: (identifier) @def.class value: (class))
(class name: (${className}) @def.class)
(function_declaration name: (identifier) @def.fn)
(generator_function_declaration name: (identifier) @def.fn)
(function_expression name: (identifier) @def.fn)
(class_body (method_definition name: [(property_identifier) (private_property_identifier)] @def.method))
(variable_declarator name: (identifier) @def.fn
  value: ${functionValue})
(variable_declarator name: (identifier) @def.fn
  value: (assignment_expression right: ${functionValue}))
(assignment_expression left: [(identifier) @def.fn (member_expression property: (property_identifier) @def.fn)]
  right: ${functionValue})
(assignment_expression left: [(identifier) @def.fn (member_expression property: (property_identifier) @def.fn)]
  right: (assignment_expression right: ${functionValue}))
(assignment_expression left: (member_expression property: (property_identifier) @def.class)
  right: (class))
(program (export_statement value: [${object} ${callWithObject}]))
(program (lexical_declaration (variable_declarator value: ${callWithObject})))
(program (export_statement declaration: (lexical_declaration (variable_declarator value: ${callWithObject}))))
(assignment_expression right: ${object})
(variable_declarator value: ${object})
(program (lexical_declaration (variable_declarator name: (identifier) @def.const)))
(program (variable_declaration (variable_declarator name: (identifier) @def.const)))
(program (export_statement declaration: (lexical_declaration (variable_declarator name: (identifier) @def.const))))
(program (export_statement declaration: (variable_declaration (variable_declarator name: (identifier) @def.const))))
(program (export_statement declaration: (lexical_declaration (variable_declarator name: (object_pattern (shorthand_property_identifier_pattern) @def.const)))))
(program (export_statement declaration: (lexical_declaration (variable_declarator name: (object_pattern (pair_pattern value: (identifier) @def.const))))))
(program (export_statement declaration: (lexical_declaration (variable_declarator name: (array_pattern (identifier) @def.const)))))

(program (expression_statement (call_expression) @call))
(call_expression function: (identifier) @ref)
(call_expression function: (member_expression property: (property_identifier) @member))
(new_expression constructor: (identifier) @ref)
(new_expression constructor: (member_expression property: (property_identifier) @qualified))
(import_specifier name: (identifier) @ref)
(import_clause (identifier) @ref)
(export_specifier name: (identifier) @ref)
(arguments (identifier) @ref)
(decorator (identifier) @ref)
`;
}
