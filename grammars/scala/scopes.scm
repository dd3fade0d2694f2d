; Enough to tell what stands in a type or function from what stands outside.
(class_definition) @scope.class
(trait_definition) @scope.class
(object_definition) @scope.class
(package_object) @scope.class
(enum_definition) @scope.class
(given_definition) @scope.class
(instance_expression) @scope.class
(function_definition) @scope.function
(lambda_expression) @scope.function
(block) @scope.block
(indented_block) @scope.block
(case_clause) @scope.block
