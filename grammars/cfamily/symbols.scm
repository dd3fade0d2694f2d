; What C and C++ have in common. Declarators, which say a name and what it is at once, are read by
; parse/terms/declarators.cpp: the captures declarators.* say what a name is that is no function's.
(comment) @comment.run

(storage_class_specifier) @modifier
(type_qualifier) @modifier

(function_definition) @declarators.function.function
(declaration) @declarators.variable.variable
(parameter_declaration) @declarators.variable.parameter
(field_declaration) @declarators.property.field
(type_definition) @declarators.type.typedef

(struct_specifier name: (type_identifier) @name body: (_) @body) @symbol.class.struct
(union_specifier name: (type_identifier) @name body: (_) @body) @symbol.class.union
(enum_specifier name: (type_identifier) @name body: (_) @body) @symbol.type.enum
(enumerator name: (_) @name) @bound.property.outer_enum_member

(preproc_def name: (_) @name value: (_)? @value) @bound.variable.macro
(preproc_function_def name: (_) @name value: (_)? @body) @bound.function.macro
