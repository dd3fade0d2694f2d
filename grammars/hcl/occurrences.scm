(identifier) @identifier

(block (identifier) @none)
(attribute (identifier) @key.write)
(function_call (identifier) @call)
