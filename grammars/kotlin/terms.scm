; How the value of an expression comes about.
[(identifier) (user_type)] @value.name
(this_expression (identifier) @name) @value.name
(this_expression) @value.this
(navigation_expression . (_) . (identifier) @name) @value.name
(call_expression . (_) @inner . (type_arguments)? @arguments . (value_arguments)? @list . (annotated_lambda)? @block) @value.call
(infix_expression . (_) . (identifier) @inner . (_) @other) @value.call
(constructor_invocation . (_) @inner (value_arguments) @list) @value.new
(annotated_lambda (lambda_literal) @inner) @value.pass
(value_argument . (identifier) @name "=" (_) @inner) @value.named
(value_argument (_) @inner) @value.pass
(callable_reference (identifier) @name) @value.name
(callable_reference (user_type) @inner "class") @value.language.KClass
(index_expression . (_) @object) @value.item.any
(as_expression right: (_) @inner) @value.cast
(parenthesized_expression (_) @inner) @value.pass
(annotated_expression (annotation) . (_) @inner) @value.pass
(labeled_expression (label) . (_) @inner) @value.pass
(spread_expression (_) @inner) @value.pass
(property_delegate (_) @inner) @value.await
(if_expression condition: (_) ")" . (_) @inner "else" . (_) @other) @value.union
(when_expression) @value.union
(when_entry) @value.last
(try_expression) @value.union
(catch_block) @value.last
(block) @value.last
(lambda_literal) @value.function
(anonymous_function) @value.function
[(function_declaration) (secondary_constructor) (property_declaration) (getter) (setter)] @value.function
(object_literal (delegation_specifiers . (delegation_specifier . (constructor_invocation . (_) @inner)))) @value.cast
(object_literal (delegation_specifiers . (delegation_specifier . (_) @inner))) @value.cast
(binary_expression left: (_) @inner operator: "?:" right: (_) @other) @value.union
(binary_expression operator: ["==" "!=" "===" "!==" "<" ">" "<=" ">=" "&&" "||"]) @value.language.Boolean
(binary_expression left: (_) @inner right: (_) @other) @value.operator
(unary_expression operator: "!") @value.language.Boolean
(unary_expression argument: (_) @inner) @value.pass
[(is_expression) (in_expression)] @value.language.Boolean
(range_expression) @value.language.IntRange
[(string_literal) (multiline_string_literal)] @value.language.String
(character_literal) @value.language.Char
((number_literal) @value.language.ULong (#ends-with? @value.language.ULong "uL" "UL"))
((number_literal) @value.language.UInt (#ends-with? @value.language.UInt "u" "U"))
((number_literal) @value.language.Long (#ends-with? @value.language.Long "L" "l"))
(number_literal) @value.language.Int
((float_literal) @value.language.Float (#ends-with? @value.language.Float "f" "F"))
(float_literal) @value.language.Double

; Functions: their parameters, what they give, what they are called on.
(function_declaration [(user_type) (nullable_type) (function_type) (non_nullable_type) (parenthesized_type)] @object "." name: (_) (function_value_parameters) @list . [(user_type) (nullable_type) (function_type) (non_nullable_type) (parenthesized_type)]? @return) @function.typed
(function_declaration (function_value_parameters) @list . [(user_type) (nullable_type) (function_type) (non_nullable_type) (parenthesized_type)]? @return) @function.typed
(anonymous_function [(user_type) (nullable_type) (function_type) (non_nullable_type) (parenthesized_type)] @object "." (function_value_parameters) @list . [(user_type) (nullable_type) (function_type) (non_nullable_type) (parenthesized_type)]? @return) @function.typed
(anonymous_function (function_value_parameters) @list . [(user_type) (nullable_type) (function_type) (non_nullable_type) (parenthesized_type)]? @return) @function.typed
(secondary_constructor (function_value_parameters) @list) @function.typed
(primary_constructor (class_parameters) @list) @function.typed
(lambda_literal (lambda_parameters) @list) @function.typed
(function_type [(user_type) (nullable_type) (function_type) (non_nullable_type) (parenthesized_type)] @object "." (function_type_parameters) @list "->" . (_) @return) @function.typed
(function_type (function_type_parameters) @list "->" . (_) @return) @function.typed
(property_declaration [(user_type) (nullable_type) (function_type) (non_nullable_type) (parenthesized_type)] @object "." (variable_declaration (identifier) . (_) @return)) @function.typed
(property_declaration [(user_type) (nullable_type) (function_type) (non_nullable_type) (parenthesized_type)] @object "." (variable_declaration) (getter [(user_type) (nullable_type) (function_type) (non_nullable_type) (parenthesized_type)] @return)) @function.typed
(property_declaration [(user_type) (nullable_type) (function_type) (non_nullable_type) (parenthesized_type)] @object "." (variable_declaration) (getter (function_body "=" . (_) @value))) @function.typed
(property_declaration [(user_type) (nullable_type) (function_type) (non_nullable_type) (parenthesized_type)] @object "." (variable_declaration) (property_delegate) @value) @function.typed
(property_declaration [(user_type) (nullable_type) (function_type) (non_nullable_type) (parenthesized_type)] @object "." (variable_declaration)) @function.typed
(function_body "=" . (_) @value) @return
(return_expression (_) @value) @return
(lambda_literal) @return.last

; Types.
(identifier) @type.name
(user_type (type_modifiers) . (identifier) @name . (type_arguments) @list) @type.generic
(user_type (type_modifiers) . (identifier) @name) @type.name
(user_type (type_arguments) @list) @type.generic
(user_type) @type.name
(nullable_type [(user_type) (nullable_type) (function_type) (non_nullable_type) (parenthesized_type)] @inner) @type.pass
(non_nullable_type [(user_type) (nullable_type) (function_type) (non_nullable_type) (parenthesized_type)] @inner) @type.pass
(parenthesized_type (_) @inner) @type.pass
(type_projection [(user_type) (nullable_type) (function_type) (non_nullable_type) (parenthesized_type)] @inner) @type.pass
(type_parameter [(user_type) (nullable_type) (function_type) (non_nullable_type) (parenthesized_type)] @inner) @type.pass
(constructor_invocation . (_) @inner) @type.pass
(delegation_specifier (_) @inner) @type.pass
(explicit_delegation . (_) @inner) @type.pass
(function_type) @type.function
(primary_constructor) @type.function

; Parameters.
(parameter (identifier) @name . (_) @type) @parameter
((class_parameter (modifiers (parameter_modifier) @_v) (identifier) @name . (_) @type) @parameter.rest (#eq? @_v "vararg"))
(class_parameter (identifier) @name . (_) @type "=") @parameter.optional
(class_parameter (identifier) @name . (_) @type) @parameter
((parameter_modifiers (parameter_modifier) @_v) @parameter.next.rest (#eq? @_v "vararg"))
(parameter_modifiers) @parameter.none
(variable_declaration (identifier) @name . (_) @type) @parameter
(variable_declaration (identifier) @name) @parameter

; What the place of an expression expects.
(value_argument (identifier) @keys.of.call)
(value_arguments (value_argument) @expect.argument)
(value_argument (_) @expect.same)
(call_expression (annotated_lambda) @expect.trailing)
(annotated_lambda (lambda_literal) @expect.same)
(property_declaration (lambda_literal) @expect.declared)
(property_declaration (object_literal) @expect.declared)
(assignment right: (_) @expect.left)
(function_body (_) @expect.result)
(return_expression (_) @expect.result)
(parenthesized_expression (_) @expect.same)
(if_expression (_) @expect.same)
(when_expression (when_entry) @expect.same)
(when_entry (lambda_literal) @expect.same)
(labeled_expression (_) @expect.same)
(annotated_expression (_) @expect.same)
