; Enough to tell what stands in a type or function from what stands outside.
(class_definition) @scope.class
(mixin_declaration) @scope.class
(extension_declaration) @scope.class
(extension_type_declaration) @scope.class
(enum_declaration) @scope.class
(function_body) @scope.function
(local_function_declaration) @scope.function
(function_expression) @scope.function
