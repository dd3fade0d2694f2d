; Rust: functions, types, traits and what their impl blocks define, constants, macros, modules.
(line_comment) @comment.run
(block_comment) @comment.run

(attribute_item) @decorator
(visibility_modifier) @modifier
(function_modifiers) @modifier
["unsafe"] @modifier

(function_item name: (_) @name body: (_)? @body) @bound.function.function
(function_signature_item name: (_) @name) @bound.function.function
(struct_item name: (_) @name body: (field_declaration_list) @body) @bound.class.struct
(struct_item name: (_) @name body: (_) @type) @bound.class.struct
(struct_item name: (_) @name) @bound.class.struct
(union_item name: (_) @name body: (_) @body) @bound.class.union
(enum_item name: (_) @name body: (_) @body) @bound.type.enum
(trait_item name: (_) @name body: (_) @body) @bound.interface.trait
(type_item name: (_) @name type: (_) @type) @bound.type.type
(associated_type name: (_) @name bounds: (_)? @type) @symbol.type.type
(const_item name: (_) @name type: (_) @type value: (_)? @value) @bound.variable.const
(static_item name: (_) @name type: (_) @type value: (_)? @value) @bound.variable.static
(macro_definition name: (_) @name (macro_rule) @body) @bound.function.macro
(macro_definition name: (_) @name) @bound.function.macro
(mod_item name: (_) @name body: (_) @body) @bound.type.module
(enum_variant name: (_) @name body: (ordered_field_declaration_list) @type) @symbol.property.enum_member
(enum_variant name: (_) @name) @symbol.property.enum_member
(field_declaration name: (_) @name type: (_) @type) @symbol.property.field

; What an impl block defines belongs to its type. A trait's is seen wherever the trait is.
(impl_item trait: (_) @type type: (_) @name) @container
(impl_item !trait type: (_) @name) @container

; What a macro of the file declares under the first name that it is given.
(macro_invocation
  macro: (identifier) @_m (token_tree (identifier) @name)
  (#makes? @_m "fn")) @bound.function.function
(macro_invocation
  macro: (identifier) @_m (token_tree (identifier) @name)
  (#makes? @_m "struct")) @bound.class.struct
(macro_invocation
  macro: (identifier) @_m (token_tree (identifier) @name)
  (#makes? @_m "enum")) @bound.type.enum
(macro_invocation
  macro: (identifier) @_m (token_tree (identifier) @name)
  (#makes? @_m "type")) @bound.type.outer_type
(macro_invocation
  macro: (identifier) @_m (token_tree (identifier) @name)
  (#makes? @_m "trait")) @bound.interface.trait
(macro_invocation
  macro: (identifier) @_m (token_tree (identifier) @name)
  (#makes? @_m "const" "static")) @bound.variable.const
; Macros of libraries that do.
(macro_invocation
  macro: (identifier) @_m (token_tree . (identifier) @name)
  (#any-of? @_m "criterion_group")) @bound.function.function

; Views of a type that pin_project makes: #[project = A], #[pin_project(project = A)].
(attribute
  (identifier) @_m value: (identifier) @name
  (#any-of? @_m "project" "project_ref" "project_replace")) @bound.type.enum
(attribute
  (identifier) @_m arguments: (token_tree (identifier) @_k (identifier) @name)
  (#eq? @_m "pin_project")
  (#any-of? @_k "project" "project_ref" "project_replace")) @bound.type.enum
