(identifier) @identifier
(type_identifier) @identifier.type
(operator_identifier) @identifier

(package_clause name: (_) @none)
(package_identifier (_) @none)
(import_declaration (_) @import.name)
(namespace_selectors (_) @import.name)
(arrow_renamed_identifier (_) @inherit)
(as_renamed_identifier (_) @inherit)
(access_qualifier (_) @none)
(interpolated_string_expression interpolator: (_) @call)

(call_expression function: (_) @call)
(generic_function function: (_) @inherit)
(field_expression value: (_) @read)
(field_expression field: (_) @inherit)
(infix_expression operator: (_) @call)
(prefix_expression (operator_identifier) @call)
(instance_expression (type_identifier) @call)
(instance_expression (generic_type) @call)
(generic_type type: (_) @inherit)
(generic_type type_arguments: (_) @type)
(annotation name: (_) @type)
(assignment_expression left: (_) @write)

(extends_clause type: (_) @extends)
(compound_type (_) @inherit)
(stable_type_identifier (_) @inherit)
(stable_identifier (_) @inherit)

(parameter name: (_) @write)
(class_parameter name: (_) @write)
(binding name: (_) @write)
(type_parameters name: (_) @write)
(val_definition pattern: (_) @write)
(var_definition pattern: (_) @write)
(tuple_pattern (_) @inherit)
(case_class_pattern type: (_) @read)
