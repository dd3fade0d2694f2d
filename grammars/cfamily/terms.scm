; How the value of an expression comes about. Pointers and arrays are what they point to and hold.
(identifier) @value.name
(field_expression field: (_) @name) @value.name
(parenthesized_expression (_) @inner) @value.pass
(pointer_expression argument: (_) @inner) @value.pass
(subscript_expression argument: (_) @inner) @value.pass
(update_expression argument: (_) @inner) @value.pass
(unary_expression) @value.literal
(binary_expression operator: ["==" "!=" "<" "<=" ">" ">=" "&&" "||"]) @value.literal
(binary_expression left: (_) @inner operator: ["+" "-"] right: (_) @other) @value.union
(binary_expression) @value.literal
(assignment_expression left: (_) @inner) @value.pass
(conditional_expression consequence: (_) @inner alternative: (_) @other) @value.union
(comma_expression right: (_) @inner) @value.pass
(cast_expression type: (_) @inner) @value.cast
(compound_literal_expression type: (_) @inner) @value.cast
(type_descriptor type: (_) @inner) @value.cast
(call_expression function: (_) @inner arguments: (_) @list) @value.call
[(number_literal) (string_literal) (concatenated_string) (char_literal) (true) (false)] @value.literal
[(sizeof_expression) (alignof_expression) (offsetof_expression)] @value.literal
(null) @value.nothing
[(function_definition) (preproc_function_def)] @value.function

; Types.
(type_identifier) @type.name
(struct_specifier name: (_) @name) @type.name
(union_specifier name: (_) @name) @type.name
(enum_specifier name: (_) @name) @type.name
(type_descriptor type: (_) @inner) @type.pass
[(primitive_type) (sized_type_specifier)] @type.literal

(parameter_declaration type: (_) @type) @parameter

; What a literal without a type of its own is, and what its keys are keys of.
(init_declarator value: (initializer_list) @expect.declared)
(compound_literal_expression value: (initializer_list) @expect.declared)
(initializer_list (initializer_pair) @expect.same)
(initializer_list (initializer_list) @expect.same)
(initializer_pair value: (initializer_list) @expect.key)
(field_designator (_) @keys.of.outer)
