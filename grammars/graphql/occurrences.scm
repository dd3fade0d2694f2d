(name) @identifier

(named_type (name) @type)
(implements (named_type (name) @extends))
(field name: (_) @read)
(spread name: (fragment_name (name) @read))
(directive name: (_) @call)
(enum_constant (name) @read)
(argument name: (_) @key.write)
(parameter name: (_) @write)
