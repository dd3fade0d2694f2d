(variable) @identifier
(constructor) @identifier
(name) @identifier.type
(operator) @identifier
(constructor_operator) @identifier

(header exports: (_) @export.name)
(exports (_) @inherit)
(export (_) @inherit)
(import_list (_) @import.name)
(import_name (_) @inherit)
(fixity (_) @read)

(apply function: (_) @call)
(infix operator: (_) @call)
(infix_id (_) @inherit)
(prefix_id (_) @inherit)
(qualified id: (_) @inherit)
(patterns (variable) @write)
(lambda patterns: (_) @write)
(deriving classes: (_) @type)
