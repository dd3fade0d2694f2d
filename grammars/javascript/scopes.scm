(using_declaration) @declaration.const

; this.x = ... declares x; TypeScript wants it declared in the class.
(assignment_expression left: (_) right: (_) @value) @declarator
