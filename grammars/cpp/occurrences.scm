(namespace_identifier) @identifier
(destructor_name) @skip
(operator_name) @skip

(qualified_identifier scope: (_) @read)
(qualified_identifier name: (_) @inherit)
(template_function name: (_) @inherit)
(template_method name: (_) @inherit)
(new_expression type: (_) @call)
(field_initializer (field_identifier) @write)
