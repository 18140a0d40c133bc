export const rubyQuery = `
(class name: (constant) @def.class)
(class name: (scope_resolution name: (constant) @def.class))
(module name: (constant) @def.module)
(module name: (scope_resolution name: (constant) @def.module))
(method name: (_) @def.method)
(singleton_method name: (_) @def.method)
(alias name: [(identifier) (setter) (operator)] @def.method)
(alias name: (simple_symbol) @symbol)
(argument_list (simple_symbol) @symbol)
(pair value: (simple_symbol) @symbol)
(program (assignment left: (constant) @def.const))
(body_statement (assignment left: (constant) @def.const))
(program (operator_assignment left: (constant) @def.const))
(body_statement (operator_assignment left: (constant) @def.const))

(call method: (identifier) @ref)
(constant) @ref
(argument_list (identifier) @ref)
`;
