(identifier) @identifier
(field_identifier) @identifier
(shorthand_field_identifier) @identifier.shorthand.pattern
(type_identifier) @identifier.type
(self) @identifier
(super) @identifier
(crate) @identifier
(lifetime) @skip
(label) @skip
; What an attribute says is for the macro that it names.
(attribute) @attribute
(use_declaration) @import.tree
(use_declaration) @skip
(extern_crate_declaration) @import.tree
(extern_crate_declaration) @skip
(visibility_modifier) @skip
(mod_item name: (_) @name !body) @import.module
(macro_invocation macro: (_) @name (token_tree) @source) @import.modules
(macro_definition) @pasting

(call_expression function: (_) @call @value.called)
(call_expression arguments: (arguments (_))) @call
(macro_invocation macro: (_) @macro)
(generic_function function: (_) @inherit @value)
(generic_type type: (_) @inherit @value)
(generic_type_with_turbofish type: (_) @inherit @value)
; What stands before "::" is a module or a type.
(scoped_identifier path: (_) @type @value.receiver)
(scoped_identifier name: (_) @inherit @member @value)
(scoped_type_identifier path: (_) @type @value.receiver)
(scoped_type_identifier name: (_) @inherit @member @value)
(bracketed_type (_) @type @value)
(qualified_type type: (_) @type @value)
(qualified_type alias: (_) @type)
(field_expression value: (_) @read @value.receiver)
(field_expression field: (_) @inherit @member @value)
(assignment_expression left: (_) @write)
(compound_assignment_expr left: (_) @write)
(parenthesized_expression (_) @value)
(struct_expression name: (_) @type)
(struct_pattern type: (_) @type)
(tuple_struct_pattern type: (_) @read)
(impl_item trait: (_) @extends)
(impl_item type: (_) @type)
(trait_item bounds: (trait_bounds) @extends)
(trait_bounds (_) @inherit)
(trait_bounds (higher_ranked_trait_bound) @inherit)
(higher_ranked_trait_bound type: (_) @inherit)
(type_binding name: (_) @none)

; Fields by the type of the literal or pattern.
(field_initializer field: (field_identifier) @key.write)
(field_pattern name: (field_identifier) @key.read)
(shorthand_field_initializer (identifier) @shorthand)

(token_tree (identifier) @token)
(token_tree (self) @token)
(token_tree (super) @token)
(token_tree (crate) @token)
(token_repetition (identifier) @token)
(token_repetition (self) @token)
(token_repetition (crate) @token)
