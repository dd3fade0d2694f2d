(identifier) @identifier
(field_identifier) @identifier
(type_identifier) @identifier.type
(package_identifier) @identifier

(call_expression function: (_) @call)
(selector_expression operand: (_) @read)
(selector_expression field: (_) @inherit)
(parenthesized_expression (_) @inherit)
(type_instantiation_expression type: (_) @inherit)
(assignment_statement left: (_) @write)
(inc_statement (_) @write)
(dec_statement (_) @write)
(expression_list (_) @inherit)
(keyed_element key: (_) @write)
(literal_element (identifier) @inherit)
(literal_element (_) @read)
(import_spec name: (_) @none)
(package_clause (_) @none)
