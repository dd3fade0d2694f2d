; Enough to tell methods from functions, and what stands in one from what stands outside.
(module) @scope.class
(class) @scope.class
(singleton_class) @scope.class
(method) @scope.function
(singleton_method) @scope.function
