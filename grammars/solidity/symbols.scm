; Solidity: contracts, interfaces, libraries with their members, free functions, structs, enums,
; events, errors, modifiers, constants.
(comment) @comment.run
[(visibility) (override_specifier)] @modifier
["abstract" "constant"] @modifier

(contract_declaration name: (_) @name body: (_) @body) @symbol.class.contract
(interface_declaration name: (_) @name body: (_) @body) @symbol.interface.interface
(library_declaration name: (_) @name body: (_) @body) @symbol.class.library
(struct_declaration name: (_) @name body: (_) @body) @symbol.class.struct
(struct_member name: (_) @name) @symbol.property.field
(enum_declaration name: (_) @name body: (_) @body) @symbol.type.enum
(enum_body (enum_value) @bind.member)
(user_defined_type_definition name: (_) @name) @symbol.type.alias
(event_definition name: (_) @name) @symbol.type.event
(error_declaration name: (_) @name) @symbol.type.error

(function_definition
  name: (_) @name
  (visibility) @_v
  body: (_)? @body
  (#eq? @_v "private")) @symbol.function.private_function
(function_definition name: (_) @name body: (_)? @body) @symbol.function.function
(modifier_definition name: (_) @name body: (_)? @body) @symbol.function.modifier
(constructor_definition "constructor" @name body: (_)? @body) @symbol.method.constructor
(fallback_receive_definition "receive" @name body: (_)? @body) @symbol.method.receive
(fallback_receive_definition "fallback" @name body: (_)? @body) @symbol.method.fallback
(state_variable_declaration name: (_) @name value: (_)? @value) @symbol.property.state
(constant_variable_declaration name: (_) @name value: (_)? @value) @symbol.variable.constant
