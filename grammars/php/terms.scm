; How the value of an expression comes about.
[(name) (relative_scope)] @value.name
(qualified_name (name) @name) @value.name
(relative_name (name) @name) @value.name
((variable_name (name) @_n) @value.this (#eq? @_n "this"))
(variable_name (name) @name) @value.name
(member_access_expression name: (name) @name) @value.name
(nullsafe_member_access_expression name: (name) @name) @value.name
((class_constant_access_expression (_) @inner (name) @_c) @value.pass (#eq? @_c "class"))
(class_constant_access_expression (_) (name) @name) @value.name
(scoped_property_access_expression name: (variable_name (name) @name)) @value.name

; f(...) is the function.
(function_call_expression function: (_) @inner arguments: (arguments (variadic_placeholder))) @value.pass
(member_call_expression name: (name) @inner arguments: (arguments (variadic_placeholder))) @value.pass
(scoped_call_expression name: (name) @inner arguments: (arguments (variadic_placeholder))) @value.pass
(function_call_expression function: (_) @inner arguments: (_) @list) @value.call
(member_call_expression name: (name) @inner arguments: (_) @list) @value.call
(nullsafe_member_call_expression name: (name) @inner arguments: (_) @list) @value.call
(scoped_call_expression name: (name) @inner arguments: (_) @list) @value.call
(object_creation_expression (anonymous_class (base_clause (_) @inner))) @value.cast
(object_creation_expression (anonymous_class (class_interface_clause (_) @inner))) @value.cast
((object_creation_expression . (name) @_n) @value.this (#eq? @_n "static"))
(object_creation_expression . (_) @inner (arguments)? @list) @value.new
(argument name: (_)) @value.omitted
(argument (_) @inner) @value.pass

(parenthesized_expression (_) @inner) @value.pass
(clone_expression (_) @inner) @value.pass
(error_suppression_expression (_) @inner) @value.pass
(by_ref (_) @inner) @value.pass
(assignment_expression right: (_) @inner) @value.pass
(reference_assignment_expression right: (_) @inner) @value.pass
(augmented_assignment_expression left: (_) @inner operator: "??=" right: (_) @other) @value.union
(conditional_expression body: (_) @inner alternative: (_) @other) @value.union
(conditional_expression condition: (_) @inner alternative: (_) @other) @value.union
(binary_expression left: (_) @inner operator: "??" right: (_) @other) @value.union
(binary_expression) @value.literal
(unary_op_expression) @value.literal
(update_expression) @value.literal
(match_expression body: (_) @inner) @value.pass
(match_block) @value.union
(match_conditional_expression return_expression: (_) @inner) @value.pass
(match_default_expression return_expression: (_) @inner) @value.pass
(subscript_expression . (_) @object) @value.item.any
(array_creation_expression) @value.array
(array_element_initializer (variadic_unpacking (_) @inner)) @value.element
(array_element_initializer . (_) . (_) @inner) @value.pass
(array_element_initializer (_) @inner) @value.pass
[(anonymous_function) (arrow_function)] @value.function
[(method_declaration) (function_definition) (property_hook)] @value.function
[(string) (encapsed_string) (heredoc) (nowdoc) (integer) (float) (boolean)] @value.literal
(null) @value.nothing

(return_statement (_) @value) @return
(yield_expression "yield from" (_) @value) @yield.from
(yield_expression (_) @value) @yield

(binary_expression left: [(variable_name) (member_access_expression)] @name operator: "instanceof" right: (_) @type) @test.is
(binary_expression left: (_) @inner operator: "&&" right: (_) @other) @test.and
(parenthesized_expression (_) @inner) @test.and
(if_statement condition: (_) @condition body: (_) @block) @narrow
(else_if_clause condition: (_) @condition body: (_) @block) @narrow
(while_statement condition: (_) @condition body: (_) @block) @narrow
(conditional_expression condition: (_) @condition body: (_) @block) @narrow
(binary_expression left: (_) @condition operator: "&&" right: (_) @block) @narrow
; assert($x instanceof A); and if (!$x instanceof A) return; tell it of what follows.
((expression_statement (function_call_expression
  function: (name) @_f
  arguments: (arguments . (argument (_) @condition)))) @narrow (#eq? @_f "assert"))
(if_statement
  condition: (parenthesized_expression (unary_op_expression "!" argument: (_) @condition))
  body: (compound_statement [(return_statement) (continue_statement) (break_statement)])) @narrow
(if_statement
  condition: (parenthesized_expression (unary_op_expression "!" argument: (_) @condition))
  body: (compound_statement (expression_statement (throw_expression)))) @narrow

; Types.
((named_type (name) @_n) @type.this (#eq? @_n "static"))
(named_type (_) @inner) @type.pass
(name) @type.name
(qualified_name (name) @name) @type.name
(relative_name (name) @name) @type.name
(optional_type (_) @inner) @type.pass
[(union_type) (intersection_type) (disjunctive_normal_form_type) (type_list)] @type.union
((primitive_type) @type.nothing (#any-of? @type.nothing "void" "null" "never" "array" "iterable" "callable" "object" "mixed"))
(primitive_type) @type.literal

; Parameters.
(simple_parameter type: (_) @type name: (variable_name (name) @name) default_value: (_)) @parameter.optional
(simple_parameter name: (variable_name (name) @name) default_value: (_) @value) @parameter.optional
(simple_parameter type: (_) @type name: (variable_name (name) @name)) @parameter
(simple_parameter name: (variable_name (name) @name)) @parameter
(property_promotion_parameter type: (_) @type name: (variable_name (name) @name) default_value: (_)) @parameter.optional
(property_promotion_parameter type: (_) @type name: (variable_name (name) @name)) @parameter
(property_promotion_parameter name: (variable_name (name) @name)) @parameter
(variadic_parameter type: (_) @type name: (variable_name (name) @name)) @parameter.rest
(variadic_parameter name: (variable_name (name) @name)) @parameter.rest

; What the place of an expression expects.
(arguments (_) @expect.argument)
(argument name: (_) @keys.of.call)
(argument (_) @expect.same)
(parenthesized_expression (_) @expect.same)
(assignment_expression right: (_) @expect.left)
(return_statement (_) @expect.result)
(arrow_function body: (_) @expect.result)
(conditional_expression body: (_) @expect.same)
(conditional_expression alternative: (_) @expect.same)
