; How the value of an expression comes about. Pointers are what they point to.
(identifier) @value.name
(selector_expression field: (_) @name) @value.name
(parenthesized_expression (_) @inner) @value.pass
(unary_expression operator: "<-" operand: (_) @inner) @value.element
(unary_expression operator: "!") @value.literal
(unary_expression operand: (_) @inner) @value.pass
(binary_expression operator: ["==" "!=" "<" "<=" ">" ">=" "&&" "||"]) @value.literal
(binary_expression left: (_) @inner operator: ["<<" ">>"]) @value.pass
(binary_expression left: (_) @inner right: (_) @other) @value.union
(call_expression
  function: (identifier) @_f
  arguments: (argument_list . (_) @inner)
  (#any-of? @_f "make" "new")) @value.cast
(call_expression
  function: (identifier) @_f
  arguments: (argument_list . (_) @inner)
  (#any-of? @_f "append" "min" "max")) @value.pass
(call_expression function: (_) @inner arguments: (_) @list) @value.call
(composite_literal type: (_) @inner) @value.cast
; f[T](x), which the grammar takes for a conversion; f[T] may as well be an element.
(type_conversion_expression type: (generic_type) @inner operand: (_) @other) @value.call
(type_conversion_expression type: (_) @inner) @value.cast
(type_assertion_expression type: (_) @inner) @value.cast
(type_instantiation_expression type: (_) @object) @value.item.any
(generic_type type: (_) @object) @value.item.any
(type_identifier) @value.name
(qualified_type name: (_) @name) @value.name
(index_expression operand: (_) @object) @value.item.any
(slice_expression operand: (_) @inner) @value.pass
(variadic_argument (_) @inner) @value.pass
(expression_list) @value.only
(literal_element (_) @inner) @value.pass
[(func_literal) (function_declaration) (method_declaration) (method_elem) (function_type)] @value.function
[(interpreted_string_literal) (raw_string_literal) (int_literal) (float_literal)] @value.literal
[(imaginary_literal) (rune_literal) (true) (false) (iota)] @value.literal
(nil) @value.nothing

; Types.
(type_identifier) @type.name
(identifier) @type.name
(qualified_type name: (_) @name) @type.name
(selector_expression field: (_) @name) @type.name
(generic_type type: (_) @name type_arguments: (_) @list) @type.generic
(pointer_type (_) @inner) @type.pass
(parenthesized_type (_) @inner) @type.pass
(negated_type (_) @inner) @type.pass
(slice_type element: (_) @inner) @type.array
(array_type element: (_) @inner) @type.array
(implicit_length_array_type element: (_) @inner) @type.array
(map_type key: (_) @inner value: (_) @other) @type.map
(channel_type value: (_) @inner) @type.channel
(function_type) @type.function
(struct_type (_) @inner) @type.object
(interface_type) @type.object
(type_elem) @type.union
(type_constraint) @type.union
(parameter_list) @type.results
(parenthesized_expression (_) @inner) @type.pass
(unary_expression operand: (_) @inner) @type.pass

; What stands in types that are written out.
(field_declaration name: (_) @name type: (_) @type) @entry.type
(field_declaration type: (_) @type) @entry.spread
(method_elem name: (_) @name) @entry.method
(type_elem . (_) @type) @entry.spread

; Parameters.
(parameter_declaration name: (_) @name type: (_) @type) @parameter
(parameter_declaration type: (_) @type) @parameter
(variadic_parameter_declaration name: (_) @name type: (_) @type) @parameter.rest
(variadic_parameter_declaration type: (_) @type) @parameter.rest

; What the names of a declaration are given.
(variadic_parameter_declaration name: (_) @part.list)
(expression_list (_) @part.nth)
(const_spec name: (_) @part.nth)
(var_spec name: (_) @part.nth)

; What a literal without a type of its own is, and what its keys are keys of.
(composite_literal body: (_) @expect.declared)
(literal_value (keyed_element) @expect.same)
(literal_value (_) @expect.element)
(keyed_element value: (_) @expect.key)
(literal_element (identifier) @keys.of.outer)
(literal_element (_) @expect.same)
