; A function's defaults and annotations belong to the scope around it, so its scope is its body.
(function_definition body: (_) @start) @scope.function
(lambda body: (_) @start) @scope.function
(class_definition body: (_) @start) @scope.class
(list_comprehension) @scope.comprehension
(set_comprehension) @scope.comprehension
(dictionary_comprehension) @scope.comprehension
(generator_expression) @scope.comprehension

; The first parameter of a method.
(parameters . (identifier) @name) @self
(parameters . (typed_parameter . (identifier) @name)) @self

(assignment left: (_) right: (_)? @value) @declarator
(for_statement left: (_) right: (_) @element) @declarator
(for_in_clause left: (_) right: (_) @element) @declarator
(named_expression name: (_) value: (_) @value) @declarator
(as_pattern (_) @context alias: (_)) @declarator
(as_pattern . (case_pattern) @context) @declarator
(typed_parameter) @declarator
(default_parameter value: (_) @value) @declarator
(typed_default_parameter value: (_) @value) @declarator

(assignment left: (_) @bind.assign)
(for_statement left: (_) @bind.assign)
(for_in_clause left: (_) @bind.local)
(named_expression name: (_) @bind.walrus)
(with_item value: (as_pattern) @bind.assign)
(except_clause (as_pattern) @bind.local)
(as_pattern alias: (_) @inherit)
(as_pattern (identifier) @inherit.capture)
(as_pattern_target (_) @inherit)
(parameters (_) @bind.parameter)
(lambda_parameters (_) @bind.parameter)
(default_parameter name: (_) @inherit)
(typed_default_parameter name: (_) @inherit)
(typed_default_parameter type: (_) @type)
(typed_parameter type: (_) @type)
(typed_parameter (_) @inherit)
(global_statement (identifier) @bind.global)
(nonlocal_statement (identifier) @bind.nonlocal)
(delete_statement (identifier) @write)

; Targets of several parts.
(pattern_list (_) @inherit.part)
(tuple_pattern (_) @inherit.part)
(list_pattern (_) @inherit.part)
(list_splat_pattern (_) @inherit.part)
(dictionary_splat_pattern (_) @inherit.part)
(tuple (_) @inherit.part)
(list (_) @inherit.part)
(expression_list (_) @inherit.part)

; match
(case_pattern (dotted_name) @bind.capture)
(case_pattern (as_pattern) @bind.capture)
(keyword_pattern (identifier) @key.read)
(keyword_pattern (dotted_name) @bind.capture)
(class_pattern (dotted_name) @call)
(splat_pattern (identifier) @bind.assign)

; Type parameters.
(function_definition type_parameters: (_) @list) @type_parameters
(class_definition type_parameters: (_) @list) @type_parameters
