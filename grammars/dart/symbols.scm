; Dart: classes, mixins, extensions, enums with their members, functions, variables, types. A name
; that begins with _ is its library's own.
(comment) @comment.run
(documentation_comment) @comment.run
(annotation) @decorator
["abstract" "static" "late" "covariant" "external" "sealed" "base" "interface"] @modifier
(const_builtin) @modifier
(final_builtin) @modifier

(class_definition name: (_) @name body: (_) @body
  (#begins-with? @name "_")) @symbol.class.private_class
(class_definition name: (_) @name body: (_) @body) @symbol.class.class
(mixin_declaration (identifier) @name (class_body) @body
  (#begins-with? @name "_")) @symbol.class.private_mixin
(mixin_declaration (identifier) @name (class_body) @body) @symbol.class.mixin
(extension_type_declaration name: (_) @name body: (_) @body
  (#begins-with? @name "_")) @symbol.class.private_extension_type
(extension_type_declaration name: (_) @name body: (_) @body) @symbol.class.extension_type
(enum_declaration name: (_) @name body: (_) @body
  (#begins-with? @name "_")) @symbol.type.private_enum
(enum_declaration name: (_) @name body: (_) @body) @symbol.type.enum
(extension_declaration name: (_) @name body: (_) @body) @symbol.class.extension
(type_alias . (type_identifier) @name "=") @symbol.type.alias
(type_alias (type_identifier) (type_identifier) @name) @symbol.type.alias
(type_alias (type_identifier) @name) @symbol.type.alias
(enum_constant name: (_) @name) @symbol.property.enum_member

; A signature stands before its body. User.named() is called named.
(function_body) @body.apart
(method_signature) @wrapper
(declaration) @wrapper
(initialized_identifier_list) @wrapper
(static_final_declaration_list) @wrapper
(constructor_signature (identifier) "." (identifier) @name) @symbol.method.constructor
(constructor_signature . (identifier) @name) @symbol.method.constructor
(constant_constructor_signature (identifier) "." (identifier) @name) @symbol.method.constructor
(constant_constructor_signature (identifier) @name) @symbol.method.constructor
(factory_constructor_signature (identifier) "." (identifier) @name) @symbol.method.constructor
(factory_constructor_signature (identifier) @name) @symbol.method.constructor
(redirecting_factory_constructor_signature (identifier) "." (identifier) @name) @symbol.method.constructor
(redirecting_factory_constructor_signature (identifier) @name) @symbol.method.constructor
(getter_signature name: (_) @name
  (#begins-with? @name "_")) @symbol.function.private_getter
(getter_signature name: (_) @name) @symbol.function.getter
(setter_signature name: (_) @name
  (#begins-with? @name "_")) @symbol.function.private_setter
(setter_signature name: (_) @name) @symbol.function.setter
(function_signature name: (_) @name
  (#begins-with? @name "_")) @symbol.function.private_function
(function_signature name: (_) @name) @symbol.function.function
(operator_signature (binary_operator) @name) @symbol.method.operator
(operator_signature "[]" @name) @symbol.method.operator

(initialized_identifier . (identifier) @name
  (#begins-with? @name "_")) @symbol.variable.outer_private_variable
(initialized_identifier . (identifier) @name) @symbol.variable.outer_variable
(static_final_declaration . (identifier) @name
  (#begins-with? @name "_")) @symbol.variable.outer_private_variable
(static_final_declaration . (identifier) @name) @symbol.variable.outer_variable
