; Regions of names.
(function_declaration parameters: (_) @start) @scope.function
(generator_function_declaration parameters: (_) @start) @scope.function
(function_expression) @scope.function
(generator_function) @scope.function
(arrow_function) @scope.function
(method_definition parameters: (_) @start) @scope.function
(class_static_block) @scope.function
(class_declaration name: (_) @start) @scope.class
(class) @scope.class
(statement_block) @scope.block
(switch_body) @scope.block
(for_statement) @scope.block
(for_in_statement) @scope.block
(catch_clause) @scope.block

; Declarations and what they bind.
(lexical_declaration kind: "let") @declaration.let
(lexical_declaration kind: "const") @declaration.const
(variable_declaration) @declaration.var
(for_in_statement) @declaration.none
(for_in_statement kind: "var") @declaration.var
(for_in_statement kind: "let") @declaration.let
(for_in_statement kind: "const") @declaration.const
(for_in_statement left: (_) operator: "of" right: (_) @element) @declarator
(for_in_statement left: (_) operator: "in" right: (_) @keys) @declarator
(variable_declarator name: (_) value: (_)? @value) @declarator
(assignment_pattern left: (_) right: (_) @value) @declarator

(variable_declarator name: (_) @bind.variable)
(for_in_statement left: (_) @bind.variable)
(catch_clause parameter: (_) @bind.local)
(formal_parameters (_) @bind.parameter)
(arrow_function parameter: (_) @bind.parameter)
(function_expression name: (_) @bind.local)
(generator_function name: (_) @bind.local)
(class name: (_) @bind.local)

; Destructuring: the parts of a pattern are what the whole is.
(object_pattern (_) @inherit.part)
(array_pattern (_) @inherit.part)
(pair_pattern key: (_) @key.read)
(pair_pattern value: (_) @inherit.part)
(rest_pattern (_) @inherit.part)
(assignment_pattern left: (_) @inherit)
(assignment_pattern right: (_) @read)
(object_assignment_pattern left: (_) @inherit.part)
(object_assignment_pattern right: (_) @read)
