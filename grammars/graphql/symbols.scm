; GraphQL: types with their fields, enums with their values, directives; operations and fragments.
(comment) @comment.run
(description (_) @value) @documentation

(object name: (_) @name body: (_)? @body) @symbol.class.object
(interface name: (_) @name body: (_)? @body) @symbol.interface.interface
(input name: (_) @name body: (_)? @body) @symbol.class.input
(enum name: (_) @name body: (_)? @body) @symbol.type.enum
(union name: (_) @name) @symbol.type.union
(schema "schema" @name) @symbol.type.schema
(scalar name: (_) @name) @symbol.type.scalar
(field_definition name: (_) @name) @symbol.property.field
(input_value name: (_) @name) @symbol.property.field
(enum_value name: (_) @name) @symbol.property.enum_member
(directive_definition name: (_) @name) @symbol.function.directive
(operation (operation_kind) name: (_) @name body: (_) @body) @symbol.function.operation
(fragment name: (_) @name body: (_) @body) @symbol.function.fragment
