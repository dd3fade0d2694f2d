(function_definition) @scope.function
(struct_specifier body: (_)) @scope.class
(union_specifier body: (_)) @scope.class
(compound_statement) @scope.inner
(for_statement) @scope.inner
(preproc_function_def parameters: (_) @start) @scope.function
(preproc_params (identifier) @bind.parameter)
(enumerator value: (_)? @value) @declarator
