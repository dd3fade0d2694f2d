; $: name = value declares the name.
(labeled_statement
  label: (statement_identifier) @_l
  body: (expression_statement (assignment_expression left: (identifier) @name right: (_) @value))
  (#eq? @_l "$")) @bound.variable.reactive
; export let a: { name: T }
(variable_declarator type: (_) @owned)
(type_annotation (object_type) @owned)
