; Enough to tell what stands in a class or function from what stands outside.
(class) @scope.class
(instance) @scope.class
(function) @scope.function
(bind) @scope.function
(lambda) @scope.function
(do) @scope.block
(let_in) @scope.block
