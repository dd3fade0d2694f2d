; Regions of names. A block is none: what a function assigns, all of it sees.
(class_declaration) @scope.class
(anonymous_class body: (_) @start) @scope.class
(interface_declaration) @scope.class
(trait_declaration) @scope.class
(enum_declaration) @scope.class
(namespace_definition body: (_) @start) @scope.namespace
(function_definition parameters: (_) @start) @scope.function
(method_declaration parameters: (_) @start) @scope.function
(anonymous_function parameters: (_) @start) @scope.function
(arrow_function parameters: (_) @start) @scope.function
(property_hook) @scope.function

; What gives names a type.
(simple_parameter default_value: (_)? @value) @declarator
(property_promotion_parameter default_value: (_)? @value) @declarator
(variadic_parameter) @declarator.rest
(formal_parameters (_) @inherit)
(function_definition parameters: (_) @bind.parameter)
(method_declaration parameters: (_) @bind.parameter)
(anonymous_function parameters: (_) @bind.parameter)
(arrow_function parameters: (_) @bind.parameter)
(property_hook parameters: (_) @bind.parameter)
(simple_parameter name: (_) @bind.parameter)
(simple_parameter default_value: (_) @read)
(simple_parameter attributes: (_) @read)
(variadic_parameter name: (_) @bind.parameter)
(variadic_parameter attributes: (_) @read)
(property_promotion_parameter name: (_) @bind.parameter)
(property_promotion_parameter default_value: (_) @read)
(property_promotion_parameter attributes: (_) @read)

(assignment_expression left: (variable_name) right: (_) @value) @declarator
(assignment_expression left: (list_literal) right: (_) @value) @declarator
(assignment_expression left: (member_access_expression) right: (_) @value) @declarator
(assignment_expression left: (scoped_property_access_expression) right: (_) @value) @declarator
(reference_assignment_expression left: (variable_name) right: (_) @value) @declarator
(augmented_assignment_expression left: (variable_name) operator: "??=" right: (_) @value) @declarator
(assignment_expression left: (variable_name) @bind.assign)
(assignment_expression left: (list_literal) @bind.assign)
(reference_assignment_expression left: (variable_name) @bind.assign)
(augmented_assignment_expression left: (variable_name) @bind.assign)

(foreach_statement . (_) @element . (variable_name (name) @name)) @local
(foreach_statement . (_) @element . (by_ref (variable_name (name) @name))) @local
(foreach_statement . (_) @element . (pair . (_) . (variable_name (name) @name))) @local
(foreach_statement . (_) @element . (pair . (_) . (by_ref (variable_name (name) @name)))) @local
(foreach_statement (pair . (variable_name (name) @name))) @local
(foreach_statement . (_) @element) @declarator
(foreach_statement (list_literal) @bind.local)
(foreach_statement (pair) @bind.local)
(pair (_) @inherit)
(catch_clause type: (_) @type name: (variable_name (name) @name)) @local
(static_variable_declaration name: (_) value: (_)? @value) @declarator
(static_variable_declaration name: (_) @bind.local)
(global_declaration (variable_name) @bind.global)
