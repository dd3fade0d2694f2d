; Regions of names. Supertypes are looked up outside of a type's body.
(class_declaration type_parameters: (_) @start) @scope.type_parameters
(interface_declaration type_parameters: (_) @start) @scope.type_parameters
(record_declaration type_parameters: (_) @start) @scope.type_parameters
[(class_body) (interface_body) (enum_body) (annotation_type_body)] @scope.class
(method_declaration parameters: (_) @start) @scope.function
(constructor_declaration parameters: (_) @start) @scope.function
(compact_constructor_declaration body: (_) @start) @scope.function
(lambda_expression) @scope.function
[(block) (constructor_body) (switch_block) (switch_block_statement_group) (switch_rule)] @scope.block
[(for_statement) (enhanced_for_statement) (catch_clause) (try_with_resources_statement)] @scope.block

; What gives names a type.
(variable_declarator name: (_) value: (_)? @value) @declarator.shared
(formal_parameter) @declarator
(spread_parameter
  [(type_identifier) (scoped_type_identifier) (generic_type) (array_type) (integral_type) (floating_point_type) (boolean_type)] @type
  (variable_declarator)) @declarator.rest
(catch_formal_parameter (catch_type) @type) @declarator
(resource name: (_) value: (_) @value) @declarator
(enhanced_for_statement name: (_) value: (_) @element) @declarator
(instanceof_expression right: (_) @type name: (_)) @declarator
(type_pattern . (_) @type . (identifier)) @declarator
(record_pattern_component . (_) @type . (identifier)) @declarator

(local_variable_declaration declarator: (_) @bind.local)
(method_declaration parameters: (_) @bind.parameter)
(constructor_declaration parameters: (_) @bind.parameter)
(lambda_expression parameters: (_) @bind.parameter)
(inferred_parameters (_) @inherit)
(formal_parameters (_) @inherit @owned)
(formal_parameter name: (_) @inherit)
(spread_parameter (variable_declarator) @inherit)
(variable_declarator name: (_) @inherit)
(catch_clause (catch_formal_parameter) @bind.local)
(catch_formal_parameter name: (_) @inherit)
(resource name: (_) @bind.local)
(enhanced_for_statement name: (_) @bind.local)
(instanceof_expression name: (_) @bind.local)
(type_pattern (identifier) @bind.local)
(record_pattern_component (identifier) @bind.local)
(type_parameter (type_identifier) @bind.type_parameter)
