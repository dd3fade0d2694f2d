(identifier) @identifier
(field_identifier) @identifier
(type_identifier) @identifier.type
(preproc_arg) @names

(call_expression function: (_) @call)
(parenthesized_expression (_) @inherit)
(field_expression argument: (_) @read)
(field_expression field: (_) @inherit)
(assignment_expression left: (_) @write)
(update_expression argument: (_) @write)
(initializer_pair designator: (_) @write)
(field_designator (_) @inherit)
