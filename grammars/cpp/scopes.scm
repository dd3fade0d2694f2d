(class_specifier body: (_)) @scope.class
(lambda_expression) @scope.function
(template_declaration parameters: (_) @start) @scope.type_parameters
[(if_statement) (while_statement) (switch_statement) (for_range_loop) (catch_clause)] @scope.inner

(type_parameter_declaration (type_identifier) @bind.type_parameter)
(optional_type_parameter_declaration name: (_) @bind.type_parameter)
(variadic_type_parameter_declaration (type_identifier) @bind.type_parameter)
(enumerator name: (_) @bind.local)
(lambda_capture_initializer left: (_) @bind.local)
(lambda_capture_initializer left: (_) right: (_) @value) @declarator
