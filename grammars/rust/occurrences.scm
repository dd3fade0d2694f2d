(identifier) @identifier
(field_identifier) @identifier
(shorthand_field_identifier) @identifier
(type_identifier) @identifier.type
(lifetime) @skip
(label) @skip

(call_expression function: (_) @call)
(macro_invocation macro: (_) @call)
(generic_function function: (_) @inherit)
(scoped_identifier path: (_) @read)
(scoped_identifier name: (_) @inherit)
(field_expression value: (_) @read)
(field_expression field: (_) @inherit)
(assignment_expression left: (_) @write)
(compound_assignment_expr left: (_) @write)
(field_initializer field: (_) @write)

(use_declaration argument: (_) @import.name)
(scoped_use_list path: (_) @read)
(scoped_use_list list: (_) @inherit)
(use_list (_) @inherit)
(use_as_clause path: (_) @inherit)
(use_as_clause alias: (_) @none)
(use_wildcard (_) @inherit)
(extern_crate_declaration name: (_) @import.name)
