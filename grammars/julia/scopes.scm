; Enough to tell what stands in a function from what stands outside.
(module_definition) @scope.namespace
(function_definition) @scope.function
(macro_definition) @scope.function
(assignment . (call_expression)) @scope.function
(arrow_function_expression) @scope.function
(do_clause) @scope.function
(for_statement) @scope.block
(while_statement) @scope.block
(if_statement) @scope.block
(let_statement) @scope.block
(try_statement) @scope.block
(call_expression) @scope.block
(struct_definition) @scope.block
(compound_statement) @scope.block
