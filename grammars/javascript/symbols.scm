(field_definition property: (_) @name value: [(arrow_function) (function_expression) (generator_function)] @value) @symbol.method.method
(field_definition property: (_) @name value: (_)? @value) @symbol.property.field
