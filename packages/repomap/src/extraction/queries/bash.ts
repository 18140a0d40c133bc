export const bashQuery = `
(function_definition name: (word) @def.fn)
(program (variable_assignment name: (variable_name) @def.const))
(program (declaration_command (variable_assignment name: (variable_name) @def.const)))

(command name: (command_name (word) @function))
(command argument: (word) @ref)
(simple_expansion (variable_name) @variable)
(expansion (variable_name) @variable)
(declaration_command ["local" "declare" "typeset"] [(variable_name) @own (variable_assignment name: (variable_name) @own)])
(for_statement variable: (variable_name) @own)
(variable_assignment name: (variable_name) @assigned)
`;
