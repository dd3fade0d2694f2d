; Enough to tell what stands in a class or function from what stands outside.
(class_declaration) @scope.class
(anonymous_class) @scope.class
(interface_declaration) @scope.class
(trait_declaration) @scope.class
(enum_declaration) @scope.class
(function_definition) @scope.function
(method_declaration) @scope.function
(anonymous_function) @scope.function
(arrow_function) @scope.function
(property_hook) @scope.function
