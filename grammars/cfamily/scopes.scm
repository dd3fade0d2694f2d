; Enough to tell methods from functions, and what stands in a function from what stands outside.
(function_definition) @scope.function
(struct_specifier body: (_)) @scope.class
(union_specifier body: (_)) @scope.class
