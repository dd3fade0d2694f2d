(simple_identifier) @identifier
(type_identifier) @identifier.type

(import_declaration (_) @import.name)
(identifier (simple_identifier) @inherit)

(call_expression (simple_identifier) @call)
(call_expression (navigation_expression) @call)
(constructor_expression (user_type) @call)
(navigation_expression target: (_) @read)
(navigation_expression suffix: (_) @inherit)
(navigation_suffix suffix: (_) @inherit)
(assignment target: (_) @write)
(directly_assignable_expression (_) @inherit)

(inheritance_specifier (_) @extends)
(user_type (_) @inherit)
(optional_type (_) @inherit)
(user_type (type_arguments) @type)
(attribute (_) @type)

(parameter external_name: (_) @key.write)
(parameter name: (simple_identifier) @write)
(lambda_parameter name: (simple_identifier) @write)
(pattern bound_identifier: (_) @write)
(if_statement bound_identifier: (_) @write)
(guard_statement bound_identifier: (_) @write)
(value_argument_label (_) @key.write)
(enum_type_parameters (simple_identifier) @key.write)
(directive (_) @none)
