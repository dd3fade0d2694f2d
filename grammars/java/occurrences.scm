(identifier) @identifier
(type_identifier) @identifier.type

(method_invocation name: (_) @call)
(method_invocation object: (_) @read)
(object_creation_expression type: (_) @call)
(generic_type (type_identifier) @inherit)
(scoped_type_identifier (type_identifier) @inherit)
(annotation name: (_) @call)
(marker_annotation name: (_) @call)
(field_access object: (_) @read)
(field_access field: (_) @inherit)
(assignment_expression left: (_) @write)
(update_expression (_) @write)
(element_value_pair key: (_) @write)

(import_declaration (_) @import.name)
(package_declaration (_) @none)
(scoped_identifier (_) @inherit)
(labeled_statement (identifier) @none)
(break_statement (_) @none)
(continue_statement (_) @none)
