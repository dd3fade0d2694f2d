; Protocol Buffers: messages with their fields, enums with their values, services with their calls.
(comment) @comment.run

(message name: (_) @name body: (_) @body) @symbol.class.message
(group name: (_) @name body: (_) @body) @symbol.class.group
(field name: (_) @name) @symbol.property.field
(map_field name: (_) @name) @symbol.property.field
(oneof name: (_) @name) @symbol.property.oneof
(enum name: (_) @name body: (_) @body) @symbol.type.enum
(enum_value name: (_) @name) @symbol.property.enum_member
(service name: (_) @name body: (_) @body) @symbol.interface.service
(rpc name: (_) @name body: (_)? @body) @symbol.function.rpc
