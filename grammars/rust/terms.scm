; How the value of an expression comes about. References are what they point to.
(identifier) @value.name
(self) @value.name
(super) @value.name
(crate) @value.name
(scoped_identifier name: (_) @name) @value.name
(field_expression value: (_) @object field: (integer_literal) @other) @value.item
(field_expression field: (_) @name) @value.name
(generic_function function: (_) @inner type_arguments: (_) @list) @value.apply
(parenthesized_expression (_) @inner) @value.pass
(reference_expression value: (_) @inner) @value.pass
(unary_expression "*" (_) @inner) @value.operator
(unary_expression (_) @inner) @value.pass
(try_expression (_) @inner) @value.operator
(await_expression (_) @inner) @value.await
(binary_expression operator: ["==" "!=" "<" "<=" ">" ">=" "&&" "||"]) @value.language.bool
(binary_expression left: (_) @inner right: (_) @other) @value.operator
(type_cast_expression type: (_) @inner) @value.cast
(call_expression function: (_) @inner arguments: (_) @list) @value.call
(struct_expression name: (_) @inner) @value.cast
(index_expression . (_) @inner . (range_expression)) @value.pass
(index_expression . (_) @object) @value.item.any
(tuple_expression) @value.tuple
(unit_expression) @value.tuple
(array_expression . (_) @inner) @value.language.array
(closure_expression) @value.function
(function_item) @value.function
(function_signature_item) @value.function
(block) @value.last
(expression_statement (_) @inner) @value.pass
(unsafe_block (block) @inner) @value.pass
(async_block (block) @inner) @value.pass
(if_expression consequence: (_) @inner alternative: (_) @other) @value.union
(else_clause (_) @inner) @value.pass
(match_expression body: (_) @inner) @value.pass
(match_block) @value.union
(match_arm value: (_) @inner) @value.pass
(range_expression) @value.language.range
(string_literal (#begins-with? @value.language.array "b")) @value.language.array
(string_literal) @value.language.str
(raw_string_literal (#begins-with? @value.language.array "b")) @value.language.array
(raw_string_literal) @value.language.str
(boolean_literal) @value.language.bool
[(integer_literal) (float_literal) (negative_literal)] @value.language.number
(char_literal) @value.language.char
(macro_invocation
  macro: (identifier) @_m
  (#any-of? @_m "format" "stringify" "concat" "env" "file")) @value.language.string
(macro_invocation
  macro: (identifier) @_m
  (#any-of? @_m "vec")) @value.language.vec
(return_expression) @value.nothing

; Types.
(type_identifier) @type.name
(identifier) @type.name
(scoped_type_identifier name: (_) @name) @type.name
(scoped_identifier name: (_) @name) @type.name
(generic_type type: (_) @name type_arguments: (_) @list) @type.generic
(generic_type_with_turbofish type: (_) @name type_arguments: (_) @list) @type.generic
(reference_type type: (_) @inner) @type.pass
(pointer_type type: (_) @inner) @type.pass
(dynamic_type trait: (_) @inner) @type.pass
(abstract_type trait: (_) @inner) @type.pass
(higher_ranked_trait_bound type: (_) @inner) @type.pass
(bounded_type) @type.union
(trait_bounds) @type.union
(type_parameter bounds: (_) @inner) @type.pass
(where_predicate bounds: (_) @inner) @type.pass
(bracketed_type (qualified_type type: (_) @inner)) @type.pass
(array_type element: (_) @inner) @type.language.array
(tuple_type) @type.tuple
(unit_type) @type.tuple
(ordered_field_declaration_list) @type.tuple
(function_type) @type.function
(function_type) @value.function
(primitive_type) @type.language
(type_binding type: (_) @inner) @type.pass

; Parameters.
(self_parameter) @parameter.none
(parameter pattern: (self)) @parameter.none
(parameter pattern: (_) @name type: (_) @type) @parameter

; What the names of a pattern are given.
(match_arm pattern: (_) @part.selected)
(match_pattern (_) @part.same)
(tuple_struct_pattern (_) @part.payload.item)
(struct_pattern (field_pattern) @part.payload)
(field_pattern name: (shorthand_field_identifier) @part.name)
(field_pattern pattern: (_) @part.key)
(tuple_pattern (_) @part.item)
(slice_pattern (_) @part.item)
(or_pattern (_) @part.same)
(ref_pattern (_) @part.same)
(mut_pattern (_) @part.same)
(reference_pattern (_) @part.same)
(captured_pattern (_) @part.same)

; What places expect, and what keys are keys of.
(arguments (_) @expect.argument)
(struct_expression body: (_) @expect.declared)
(field_initializer field: (field_identifier) @keys.of.class)
(shorthand_field_initializer (identifier) @keys.of.class)
(field_pattern name: (_) @keys.of.taken)
(struct_expression name: (_) @inner) @type.pass
