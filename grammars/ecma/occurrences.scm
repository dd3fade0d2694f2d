; Identifiers and what they do.
(identifier) @identifier
(property_identifier) @identifier.property
(private_property_identifier) @identifier.property
(shorthand_property_identifier) @identifier.shorthand
(shorthand_property_identifier_pattern) @identifier.shorthand.pattern
(this) @this
(super) @super

(call_expression function: (_) @call @value.called)
(new_expression constructor: (_) @call)
(decorator (_) @call)
(member_expression object: (_) @value.receiver)
(member_expression property: (_) @inherit @member @value)
(subscript_expression object: (_) @read)
(parenthesized_expression (_) @inherit @value)
(sequence_expression (_) @read)
(assignment_expression left: (_) @write)
(augmented_assignment_expression left: (_) @write)
(update_expression argument: (_) @write)
(await_expression (_) @inherit)
(pair key: (_) @key.write)

; Names of import and export statements.
(import_specifier name: (_) @import.name)
(import_specifier alias: (_) @import.alias)
(export_specifier name: (_) @export.name)
(export_specifier alias: (_) @none)
(namespace_export (_) @none)
(meta_property) @skip

; x["a"]
(subscript_expression object: (_) @object index: (string) @name) @text_member

; Things that hide references.
(call_expression function: (identifier) @_f (#eq? @_f "eval")) @dynamic.eval
(new_expression constructor: (identifier) @_f (#eq? @_f "Function")) @dynamic.eval
(subscript_expression
  index: [(identifier) (member_expression) (call_expression) (template_string) (binary_expression)]) @dynamic.member
(call_expression
  function: (identifier) @_f
  arguments: (arguments . [(identifier) (member_expression) (call_expression) (template_string) (binary_expression)])
  (#eq? @_f "require")) @dynamic.import
(call_expression
  function: (import)
  arguments: (arguments . [(identifier) (member_expression) (call_expression) (template_string) (binary_expression)])) @dynamic.import
