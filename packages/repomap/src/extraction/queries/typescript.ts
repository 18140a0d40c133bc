import { functions, javascriptCore } from './javascript-core.js';

const object = `(object [${functions}])`;
/**
 * `export default { … } satisfies Handler`, `{ … } as const satisfies Routes`: an object is one, whatever its type is said to be.
 * Of those further down and of what is assigned nothing is listed: to compile that, too, would take each worker 40 ms.
 */
const typedObject = `[(as_expression ${object}) (satisfies_expression [${object} (as_expression ${object})])]`;

/** Definitions and references that TypeScript adds to JavaScript; TSX shares them. */
export const typescriptQuery = `
${javascriptCore('type_identifier')}
(program (export_statement value: ${typedObject}))
(variable_declarator value: ${typedObject})
(abstract_class_declaration name: (type_identifier) @def.class)
(interface_declaration name: (type_identifier) @def.interface)
(type_alias_declaration name: (type_identifier) @def.type)
(enum_declaration name: (identifier) @def.enum)
(module name: (identifier) @def.namespace)
(internal_module name: (identifier) @def.namespace)
(internal_module name: (nested_identifier property: (property_identifier) @def.namespace))
(function_signature name: (identifier) @signature.fn)
(program (ambient_declaration (_ (variable_declarator name: (identifier) @def.const))))
(program (export_statement (ambient_declaration (_ (variable_declarator name: (identifier) @def.const)))))
(method_signature name: (property_identifier) @def.method)
(abstract_method_signature name: (property_identifier) @def.method)
(public_field_definition "accessor" name: [(property_identifier) (private_property_identifier)] @def.method)
(public_field_definition name: [(property_identifier) (private_property_identifier)] @def.method
  value: [(arrow_function) (function_expression)])

(type_identifier) @ref
(enum_assignment value: (identifier) @ref)
(extends_clause value: (identifier) @ref)
(extends_clause value: (member_expression property: (property_identifier) @qualified))
`;
