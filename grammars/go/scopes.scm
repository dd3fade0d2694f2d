; Enough to tell what stands in a function from what stands outside.
(function_declaration) @scope.function
(method_declaration) @scope.function
(func_literal) @scope.function
