(identifier) @identifier

(using_statement (_) @import.name)
(import_statement (_) @import.name)
(import_path (_) @inherit)
(selected_import (_) @import.name)
(export_statement (_) @export.name)
(call_expression (identifier) @call)
(call_expression (field_expression) @call)
(field_expression value: (_) @read)
(field_expression (identifier) @inherit.call)
(macro_identifier (_) @call)
(named_argument (_) @read)
