(identifier) @identifier
(field_identifier) @identifier
(type_identifier) @identifier.type
(package_identifier) @identifier

(call_expression function: (_) @call @value.called)
(selector_expression operand: (_) @read @value.receiver)
(selector_expression field: (_) @inherit @member @value)
(qualified_type package: (_) @read @value.receiver)
(qualified_type name: (_) @inherit @member @value)
(parenthesized_expression (_) @inherit @value)
; f[T](x), by the number of arguments a call or a conversion.
(index_expression operand: (_) @inherit.call)
(type_instantiation_expression type: (_) @inherit)
(type_conversion_expression type: (generic_type) @call)
(generic_type type: (_) @inherit)
(assignment_statement left: (_) @write)
(inc_statement (_) @write)
(dec_statement (_) @write)
(expression_list (_) @inherit)
(type_constraint (_) @type)
(type_elem (_) @type)

; A key is a field where the literal is a struct, else an expression.
(keyed_element key: (_) @key.write)
(literal_element (identifier) @inherit)
(literal_element (_) @read)

(import_spec name: (package_identifier) @import.alias)
(import_spec name: (_) @none)
(package_clause (_) @none)
