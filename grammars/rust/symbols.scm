; Rust: functions, types, traits and what their impl blocks define, constants, macros, modules.
(line_comment) @comment.run
(block_comment) @comment.run

(attribute_item) @decorator
(visibility_modifier) @modifier
(function_modifiers) @modifier
["unsafe"] @modifier

(function_item name: (_) @name body: (_)? @body) @symbol.function.function
(function_signature_item name: (_) @name) @symbol.function.function
(struct_item name: (_) @name body: (field_declaration_list) @body) @symbol.class.struct
(struct_item name: (_) @name) @symbol.class.struct
(union_item name: (_) @name body: (_) @body) @symbol.class.union
(enum_item name: (_) @name body: (_) @body) @symbol.type.enum
(trait_item name: (_) @name body: (_) @body) @symbol.interface.trait
(type_item name: (_) @name) @symbol.type.outer_type
(associated_type name: (_) @name) @symbol.type.type
(const_item name: (_) @name value: (_)? @value) @symbol.variable.outer_const
(static_item name: (_) @name value: (_)? @value) @symbol.variable.outer_static
(macro_definition name: (_) @name (macro_rule) @body) @symbol.function.macro
(macro_definition name: (_) @name) @symbol.function.macro
(mod_item name: (_) @name body: (_) @body) @symbol.type.module
(enum_variant name: (_) @name) @symbol.property.enum_member
(field_declaration name: (_) @name) @symbol.property.field

; What an impl block defines belongs to its type. A trait's is seen wherever the trait is.
(impl_item trait: (_) @type type: (_) @name) @container
(impl_item !trait type: (_) @name) @container
