; Enough to tell what stands in a type or function from what stands outside.
(class_declaration) @scope.class
(protocol_declaration) @scope.class
(function_declaration) @scope.function
(protocol_function_declaration) @scope.function
(init_declaration) @scope.function
(deinit_declaration) @scope.function
(subscript_declaration) @scope.function
(computed_property) @scope.function
(willset_didset_block) @scope.function
(lambda_literal) @scope.function
(if_statement) @scope.block
(guard_statement) @scope.block
(for_statement) @scope.block
(while_statement) @scope.block
(switch_statement) @scope.block
(do_statement) @scope.block
