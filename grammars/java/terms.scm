; How the value of an expression comes about.
[(identifier) (type_identifier) (scoped_type_identifier)] @value.name
(field_access object: (_) @inner field: (this)) @value.cast
(field_access field: (_) @name) @value.name
(method_invocation name: (_) @inner arguments: (_) @list) @value.call
(object_creation_expression type: (_) @inner arguments: (_) @list) @value.new
(generic_type . (_) @inner (type_arguments) @list) @value.apply
(array_creation_expression type: (_) @inner) @value.list
(array_initializer) @value.array
(class_literal (_) @inner) @value.language.Class
(array_access array: (_) @object index: (_) @other) @value.item
(cast_expression type: (_) @inner) @value.cast
(parenthesized_expression (_) @inner) @value.pass
(assignment_expression right: (_) @inner) @value.pass
(ternary_expression consequence: (_) @inner alternative: (_) @other) @value.union
(method_reference (_) (identifier) @name) @value.name
(method_reference . (_) @inner) @value.pass
(lambda_expression) @value.function
[(method_declaration) (constructor_declaration) (compact_constructor_declaration) (annotation_type_element_declaration)] @value.function
(binary_expression operator: ["==" "!=" "<" ">" "<=" ">=" "&&" "||"]) @value.language.boolean
(binary_expression left: (_) @inner right: (_) @other) @value.operator
(unary_expression operator: "!") @value.language.boolean
(unary_expression operand: (_) @inner) @value.operator
(update_expression (_) @inner) @value.pass
(instanceof_expression) @value.language.boolean
(string_literal) @value.language.String
(character_literal) @value.language.char
[(true) (false)] @value.language.boolean
(null_literal) @value.language.null
((decimal_integer_literal) @value.language.long (#ends-with? @value.language.long "l" "L"))
((hex_integer_literal) @value.language.long (#ends-with? @value.language.long "l" "L"))
((octal_integer_literal) @value.language.long (#ends-with? @value.language.long "l" "L"))
((binary_integer_literal) @value.language.long (#ends-with? @value.language.long "l" "L"))
[(decimal_integer_literal) (hex_integer_literal) (octal_integer_literal) (binary_integer_literal)] @value.language.int
((decimal_floating_point_literal) @value.language.float (#ends-with? @value.language.float "f" "F"))
[(decimal_floating_point_literal) (hex_floating_point_literal)] @value.language.double

(method_declaration) @function.typed
(annotation_type_element_declaration) @function.typed
(return_statement (_) @value) @return

; Types.
(type_identifier) @type.name
(identifier) @type.name
(scoped_type_identifier) @type.name
(scoped_identifier) @type.name
(generic_type . (_) @name (type_arguments) @list) @type.generic
(array_type element: (_)) @type.array
(annotated_type [(type_identifier) (scoped_type_identifier) (generic_type) (array_type)] @inner) @type.pass
(wildcard [(type_identifier) (scoped_type_identifier) (generic_type) (array_type) (annotated_type)] @inner) @type.pass
(catch_type) @type.union
(type_bound) @type.union
(type_parameter (type_bound) @inner) @type.pass
(annotation name: (_) @inner) @type.pass
[(integral_type) (floating_point_type) (boolean_type)] @type.language

; Parameters.
(formal_parameter type: (_) @type name: (_) @name) @parameter
(spread_parameter
  [(type_identifier) (scoped_type_identifier) (generic_type) (array_type) (integral_type) (floating_point_type) (boolean_type)] @type
  (variable_declarator name: (_) @name)) @parameter.rest
(receiver_parameter) @parameter.none

; What the place of an expression expects.
(argument_list (_) @expect.argument)
(variable_declarator value: (_) @expect.declared)
(assignment_expression right: (_) @expect.left)
(return_statement (_) @expect.result)
(lambda_expression body: (_) @expect.result)
(parenthesized_expression (_) @expect.same)
(ternary_expression consequence: (_) @expect.same)
(ternary_expression alternative: (_) @expect.same)
(cast_expression value: (_) @expect.cast)
(array_initializer (_) @expect.element)

; What keys are keys of.
(element_value_pair key: (_) @keys.of.class)
(switch_label (identifier) @keys.of.selector)
