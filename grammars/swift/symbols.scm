; Swift: classes, structs, enums, actors, protocols and extensions with their members, functions,
; variables, aliases.
(comment) @comment.run
(multiline_comment) @comment.run
(modifiers) @modifiers
(attribute) @decorator
[(visibility_modifier) (inheritance_modifier) (member_modifier) (mutation_modifier) (property_modifier)
 (property_behavior_modifier) (ownership_modifier) (function_modifier)] @modifier

; What an extension holds belongs to the type that it extends.
(class_declaration "extension" name: (_) @name) @container
(class_declaration "enum" name: (type_identifier) @name body: (_) @body) @symbol.type.enum
(class_declaration "struct" name: (type_identifier) @name body: (_) @body) @symbol.class.struct
(class_declaration "actor" name: (type_identifier) @name body: (_) @body) @symbol.class.actor
(class_declaration "class" name: (type_identifier) @name body: (_) @body) @symbol.class.class
(protocol_declaration name: (_) @name body: (_) @body) @symbol.interface.protocol
(typealias_declaration . (modifiers)? name: (type_identifier) @name) @symbol.type.alias
(associatedtype_declaration name: (type_identifier) @name) @symbol.type.associated

(init_declaration "init" @name body: (_)? @body) @symbol.method.constructor
(deinit_declaration "deinit" @name body: (_)? @body) @symbol.method.destructor
(subscript_declaration "subscript" @name (computed_property) @body) @symbol.method.subscript
(function_declaration name: _ @name body: (_)? @body) @symbol.function.function
(protocol_function_declaration name: _ @name) @symbol.function.function
(precedence_group_declaration (simple_identifier) @name) @symbol.type.precedence
(macro_declaration (simple_identifier) @name) @symbol.function.macro
(operator_declaration (custom_operator) @name) @symbol.function.operator

(protocol_property_declaration name: (pattern bound_identifier: (_) @name)) @symbol.property.property
(property_declaration name: (pattern bound_identifier: (_) @name)) @symbol.variable.outer_variable
(enum_entry name: (simple_identifier) @bind.member)
