; Regions of names. Supertypes and parameters of a class are outside of its body.
(class_declaration) @scope.type_parameters
(type_alias) @scope.type_parameters
[(class_body) (enum_class_body)] @scope.class
(function_declaration) @scope.function @receiver
(secondary_constructor) @scope.function
(anonymous_function) @scope.function
(lambda_literal) @scope.function @receiver
(getter) @scope.function
(setter) @scope.function
; (So that its type parameters and receiver are seen in what it has.)
(property_declaration [(user_type) (nullable_type) (parenthesized_type)] "." (variable_declaration)) @scope.inner @receiver
(anonymous_initializer) @scope.inner
[(block) (for_statement) (catch_block) (when_expression) (when_entry)] @scope.block

; What gives names a type.
(property_declaration (variable_declaration) "=" . (_) @value) @declarator.late
(property_declaration (multi_variable_declaration) "=" . (_) @value) @declarator.late
(property_declaration (variable_declaration) (property_delegate) @value) @declarator.late
(property_declaration (variable_declaration (identifier) . (_) @type) "=" . (_) @value) @declarator.late
(variable_declaration (identifier) . (_) @type) @declarator
(for_statement (variable_declaration) "in" . (_) @element) @declarator
(for_statement (multi_variable_declaration) "in" . (_) @element) @declarator
(when_subject (variable_declaration) "=" . (_) @value) @declarator
(parameter (identifier) . (_) @type) @declarator.modified
(class_parameter (identifier) . (_) @type) @declarator
((class_parameter (modifiers (parameter_modifier) @_v) (identifier) . (_) @type) @declarator.rest (#eq? @_v "vararg"))
(catch_block (identifier) . (_) @type) @declarator

(property_declaration (variable_declaration) @bind.local)
(property_declaration (multi_variable_declaration) @bind.local)
(for_statement (variable_declaration) @bind.local)
(for_statement (multi_variable_declaration) @bind.local)
(when_subject (variable_declaration) @bind.local)
(variable_declaration (identifier) @inherit @part.same)
(multi_variable_declaration (variable_declaration) @inherit.part @part.component)
(catch_block (identifier) @bind.local)
(setter (identifier) @bind.parameter)

(function_declaration (function_value_parameters) @bind.parameter)
(secondary_constructor (function_value_parameters) @bind.parameter)
(anonymous_function (function_value_parameters) @bind.parameter)
(primary_constructor (class_parameters) @bind.parameter)
(class_parameters (class_parameter) @inherit @owned)
(function_value_parameters (parameter) @inherit)
(parameter (identifier) @inherit)
(class_parameter (identifier) @inherit)
(lambda_literal (lambda_parameters) @bind.parameter)
(lambda_parameters (variable_declaration) @inherit)
(lambda_parameters (multi_variable_declaration) @inherit)

(type_parameter (identifier) @bind.type_parameter)
(type_constraint . (identifier) @name) @bounds

; Where a condition holds.
(if_expression condition: (_) @condition ")" . (_) @block) @narrow
(while_statement condition: (_) @condition (block) @block) @narrow
(binary_expression left: (_) @condition operator: "&&" right: (_) @block) @narrow
(when_entry condition: (type_test (_) @type)) @narrow.subject
(when_entry condition: (_) @condition "->" . (_) @block) @narrow
(is_expression left: (_) @name "is" right: (_) @type) @test.is
(binary_expression left: (_) @inner operator: "&&" right: (_) @other) @test.and
(parenthesized_expression (_) @inner) @test.and
