(field_definition property: (_) @name value: [(arrow_function) (function_expression) (generator_function)] @value) @symbol.method.method
(field_definition property: (_) @name value: (_)? @value) @symbol.property.field

; Documentation gives types (JSDoc): of what follows it, and of the value of these.
(comment) @comment.types
(variable_declarator) @documented
(assignment_expression) @documented
(pair) @documented
(field_definition) @documented
(return_statement) @documented
(parenthesized_expression) @documented.cast
