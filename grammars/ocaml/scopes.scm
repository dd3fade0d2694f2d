; Enough to tell what stands in a module or function from what stands outside.
(structure) @scope.namespace
(signature) @scope.namespace
(object_expression) @scope.class
(let_binding (parameter)) @scope.function
(fun_expression) @scope.function
(function_expression) @scope.function
(method_definition) @scope.function
(let_expression) @scope.block
