; Zig: functions, constants and variables, containers with fields and members, tests.
(comment) @comment.run
["pub" "export" "extern" "inline" "threadlocal" "comptime" "noinline"] @modifier

(function_declaration name: (_) @name body: (_)? @body) @symbol.function.function
(test_declaration (string (string_content) @name) (block) @body) @symbol.function.test

(variable_declaration "const" (identifier) @name (struct_declaration) @body) @symbol.class.struct
(variable_declaration "const" (identifier) @name (union_declaration) @body) @symbol.class.union
(variable_declaration "const" (identifier) @name (enum_declaration) @body) @symbol.type.enum
(variable_declaration "const" (identifier) @name (opaque_declaration) @body) @symbol.class.opaque
(variable_declaration "const" (identifier) @name (error_set_declaration) @body) @symbol.type.error_set
(variable_declaration "const" . (identifier) @name) @symbol.variable.outer_constant
(variable_declaration "var" . (identifier) @name) @symbol.variable.outer_variable
(error_set_declaration (identifier) @bind.member)

(struct_declaration (container_field) @owned)
(container_field name: (identifier) @name "=" (_)? @value) @symbol.property.field
(container_field name: (identifier) @name) @symbol.property.field
