; Enough to tell methods from functions, and what stands in a function from what stands outside.
(function_item) @scope.function
(closure_expression) @scope.function
(impl_item) @scope.class
(trait_item) @scope.class
