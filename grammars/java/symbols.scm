; Java: types, their methods, fields and constants.
(line_comment) @comment.run
(block_comment) @comment.run @comment.links

(modifiers) @modifiers
["public" "protected" "private" "static" "final" "abstract" "default" "synchronized" "native" "transient" "volatile" "sealed" "non-sealed"] @modifier
(annotation) @decorator
(marker_annotation) @decorator

(class_declaration name: (_) @name body: (_)? @body) @bound.class.class
(record_declaration name: (_) @name body: (_)? @body) @bound.class.record
(interface_declaration name: (_) @name body: (_)? @body) @bound.interface.interface
(annotation_type_declaration name: (_) @name body: (_)? @body) @bound.interface.annotation
(enum_declaration name: (_) @name body: (_)? @body) @bound.type.enum

; Classes without a name: what they extend is before their body, or the enum around.
(object_creation_expression type: (_) @type (class_body)) @anonymous
(enum_constant body: (_)) @anonymous
(class_body) @anonymous.body

; Members of types.
(method_declaration name: (_) @name body: (_)? @body) @symbol.method.member_method
(constructor_declaration name: (_) @name body: (_)? @body) @symbol.method.member_constructor
(compact_constructor_declaration name: (_) @name body: (_)? @body) @symbol.method.member_constructor
(annotation_type_element_declaration name: (_) @name) @symbol.method.member_method
(enum_constant name: (_) @name body: (_)? @body) @symbol.property.member_enum_member

(field_declaration) @wrapper
(constant_declaration) @wrapper
(field_declaration declarator: (_) @bind.field @owned)
(constant_declaration declarator: (_) @bind.field @owned)
(record_declaration parameters: (_) @bind.field @owned)

(class_declaration body: (_) @owned)
(record_declaration body: (_) @owned)
(class_body (_) @owned)
(interface_declaration body: (_) @owned)
(interface_body (_) @owned)
(annotation_type_declaration body: (_) @owned)
(annotation_type_body (_) @owned)
(enum_declaration body: (_) @owned)
(enum_body (_) @owned)
(enum_body_declarations (_) @owned)
