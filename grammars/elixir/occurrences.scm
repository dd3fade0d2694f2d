(identifier) @identifier
(alias) @names
(atom) @identifier
(keyword) @identifier

(call target: (_) @call)
(dot left: (_) @read)
(dot right: (_) @inherit)
(pair key: (_) @key.write)
(unary_operator operand: (call) @read)
