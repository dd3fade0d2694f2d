; Enough to tell what stands in a function from what stands outside.
(function_definition) @scope.function
