; Enough to tell what stands in a function or block from what stands outside.
(function_declaration) @scope.function
(function_definition) @scope.function
(do_statement) @scope.block
(for_statement) @scope.block
(if_statement) @scope.block
(repeat_statement) @scope.block
(while_statement) @scope.block
