export const bashQuery = `
(function_definition name: (word) @def.fn)
(program (variable_assignment name: (variable_name) @def.const))
(program (declaration_command (variable_assignment name: (variable_name) @def.const)))

(command name: (command_name (word) @ref))
(command argument: (word) @ref)
(simple_expansion (variable_name) @ref)
(expansion (variable_name) @ref)
`;
