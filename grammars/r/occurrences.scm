(identifier) @identifier

(call function: (_) @call)
(namespace_operator lhs: (_) @read)
(namespace_operator rhs: (_) @inherit)
(extract_operator lhs: (_) @read)
(extract_operator rhs: (_) @inherit)
(argument name: (_) @key.write)
(parameter name: (_) @write)
(for_statement variable: (_) @write)
