; data() { return { name: value } }: what a function of the options returns has names.
(method_definition body: (_) @owned)
(statement_block (return_statement) @owned)
(return_statement (object) @owned)
; const a: { name: T }
(variable_declarator type: (_) @owned)
(type_annotation (object_type) @owned)
