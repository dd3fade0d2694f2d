(identifier) @identifier

(invocation (object_reference) @call)
(object_reference name: (_) @inherit)
(object_reference schema: (_) @read)
(relation alias: (_) @write)
(term alias: (_) @write)
(cte (identifier) @write)
(function_argument (identifier) @write)
(function_language (_) @none)
