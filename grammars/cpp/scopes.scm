(class_specifier body: (_)) @scope.class
(lambda_expression) @scope.function
