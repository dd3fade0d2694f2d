(value_name) @identifier
(module_name) @identifier
(module_type_name) @identifier.type
(type_constructor) @identifier.type
(constructor_name) @identifier
(field_name) @identifier
(method_name) @identifier
(class_name) @identifier
(class_type_name) @identifier.type
(instance_variable_name) @identifier
(value_pattern) @identifier

(open_module (_) @import.name)
(module_path (_) @inherit)
(application_expression function: (_) @call)
(value_path (module_path) @read)
(value_path (value_name) @inherit)
(method_invocation method: (_) @call)
(inheritance_definition class: (_) @extends)
(class_path (class_name) @inherit)
(field_get_expression field: (_) @read)
(parameter pattern: (_) @write)
(labeled_argument (_) @read)
