/** Components used in JSX, for the grammars that know it. */
export const jsxReferences = `
(jsx_opening_element name: (identifier) @ref)
(jsx_opening_element name: (member_expression property: (property_identifier) @ref))
(jsx_self_closing_element name: (identifier) @ref)
(jsx_self_closing_element name: (member_expression property: (property_identifier) @ref))
`;
