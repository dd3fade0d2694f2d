(identifier) @identifier

(function_call name: (_) @call)
(dot_index_expression table: (_) @read)
(dot_index_expression field: (_) @inherit)
(method_index_expression table: (_) @read)
(method_index_expression method: (_) @inherit)
(bracket_index_expression table: (_) @read)
(variable_list name: (_) @write)
(field name: (identifier) @write)

(attribute (_) @none)
(goto_statement (_) @none)
(label_statement (_) @none)
