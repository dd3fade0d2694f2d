[(true) (false)] @identifier
(identifier) @identifier
(field_identifier) @identifier
(type_identifier) @identifier.type
(preproc_arg) @names

(call_expression function: (_) @call @value.called)
(parenthesized_expression (_) @inherit @value)
(pointer_expression argument: (_) @inherit.call @value)
(subscript_expression argument: (_) @read @value)
(field_expression argument: (_) @read @value.receiver)
(field_expression field: (_) @inherit @member @value)
(offsetof_expression type: (_) @value.receiver)
(offsetof_expression member: (_) @inherit @member @value)
(assignment_expression left: (_) @write)
(update_expression argument: (_) @write)
(initializer_pair designator: (_) @write)
(field_designator (_) @key.write)
