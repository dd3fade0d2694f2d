; Regions of names. Type parameters are seen before they are written: T Get<T>().
(class_declaration name: (_) @start) @scope.type_parameters
(struct_declaration name: (_) @start) @scope.type_parameters
(record_declaration name: (_) @start) @scope.type_parameters
(interface_declaration name: (_) @start) @scope.type_parameters
(delegate_declaration type: (_) @start) @scope.function
[(declaration_list) (enum_member_declaration_list)] @scope.class
(method_declaration returns: (_) @start) @scope.function
(local_function_statement type: (_) @start) @scope.function
(constructor_declaration parameters: (_) @start) @scope.function
(destructor_declaration parameters: (_) @start) @scope.function
(operator_declaration parameters: (_) @start) @scope.function
(conversion_operator_declaration parameters: (_) @start) @scope.function
(indexer_declaration parameters: (_) @start) @scope.function
(accessor_declaration) @scope.function
(accessor_declaration name: ["set" "add" "remove" "init"]) @local.value
[(lambda_expression) (anonymous_method_expression)] @scope.function
[(block) (arrow_expression_clause)] @scope.block
[(for_statement) (foreach_statement) (using_statement) (fixed_statement) (catch_clause)] @scope.block
[(switch_section) (switch_expression_arm)] @scope.block
(query_expression) @scope.inner

; What gives names a type.
(variable_declarator "="? (_)? @value) @declarator.shared
(parameter) @declarator
(parameter_list type: (array_type type: (_) @type)) @declarator.rest
(catch_declaration) @declarator
(foreach_statement left: (_) right: (_) @element) @declarator
(declaration_pattern) @declarator
(recursive_pattern type: (_)) @declarator

(field_declaration (variable_declaration) @bind.field)
(local_declaration_statement (variable_declaration) @bind.local)
(for_statement initializer: (variable_declaration) @bind.local)
(using_statement (variable_declaration) @bind.local)
(fixed_statement (variable_declaration) @bind.local)
(variable_declaration type: (_) @type)
(variable_declarator name: (_) @inherit)
(variable_declarator (tuple_pattern) @inherit.part)
(tuple_pattern name: (_) @inherit @part.item)
(tuple_pattern (tuple_pattern) @inherit.part @part.item)
(foreach_statement left: (identifier) @bind.local)
(foreach_statement left: (tuple_pattern) @bind.local)
(catch_declaration name: (_) @bind.local)
(declaration_pattern name: (_) @bind.local)
(recursive_pattern name: (_) @bind.local)
(var_pattern name: (_) @bind.local)
(list_pattern name: (_) @bind.local)
(parenthesized_variable_designation name: (_) @bind.local)
(declaration_expression type: (_) @type name: (_) @name) @local
(from_clause type: (_)? @type name: (_) @name "in" (_) @element) @local
(join_clause type: (_)? @type (identifier) @name "in" (_) @element) @local
(join_into_clause (identifier) @name) @local
(let_clause . (identifier) @name "=" (_) @value) @local
(query_expression "into" (identifier) @name) @local

(method_declaration parameters: (_) @bind.parameter)
(local_function_statement parameters: (_) @bind.parameter)
(constructor_declaration parameters: (_) @bind.parameter)
(operator_declaration parameters: (_) @bind.parameter)
(conversion_operator_declaration parameters: (_) @bind.parameter)
(indexer_declaration parameters: (_) @bind.parameter)
(delegate_declaration parameters: (_) @bind.parameter)
(lambda_expression parameters: (_) @bind.parameter)
(anonymous_method_expression parameters: (_) @bind.parameter)
(class_declaration (parameter_list) @bind.parameter)
(struct_declaration (parameter_list) @bind.parameter)
(parameter_list type: (_) @type)
(parameter_list name: (_) @inherit)
(parameter_list (parameter) @inherit @owned)
(bracketed_parameter_list type: (_) @type)
(bracketed_parameter_list name: (_) @inherit)
(bracketed_parameter_list (parameter) @inherit)
(parameter type: (_) @type)
(parameter name: (_) @inherit)

(type_parameter name: (_) @bind.type_parameter)
(type_parameter_constraints_clause . (identifier) @name) @bounds
