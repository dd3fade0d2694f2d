; Enough to tell what stands in a function from what stands outside.
(function_definition) @scope.function
(if_statement) @scope.block
(for_statement) @scope.block
(while_statement) @scope.block
(repeat_statement) @scope.block
(call) @scope.block
