(identifier) @identifier

(type_name (identifier) @type)
(full_name (identifier) @read)
(option_name (identifier) @read)
(pair (identifier) @key.write)
