; Enough to tell what stands in a container or function from what stands outside.
(struct_declaration) @scope.class
(union_declaration) @scope.class
(enum_declaration) @scope.class
(opaque_declaration) @scope.class
(function_declaration) @scope.function
(test_declaration) @scope.function
(comptime_declaration) @scope.function
(block) @scope.block
