(create_function) @scope.function
