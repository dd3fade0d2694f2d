; Enough to tell what stands in a type or operation from what stands outside.
(object) @scope.class
(interface) @scope.class
(input) @scope.class
(enum) @scope.class
(operation) @scope.function
(fragment) @scope.function
