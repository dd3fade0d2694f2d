; Kotlin: classes, interfaces, objects, enums with their members, functions, properties, aliases.
(block_comment) @comment
(line_comment) @comment
(modifiers) @modifiers
(annotation) @decorator
[(class_modifier) (function_modifier) (inheritance_modifier) (member_modifier) (platform_modifier)
 (property_modifier) (visibility_modifier)] @modifier

(package_header (qualified_identifier) @name) @package.name

(class_declaration "interface" name: (_) @name (class_body)? @body) @symbol.interface.interface
(class_declaration
  (modifiers (class_modifier "enum"))
  name: (_) @name
  (enum_class_body)? @body) @symbol.type.enum
(class_declaration
  (modifiers (class_modifier "annotation"))
  name: (_) @name
  (class_body)? @body) @symbol.interface.annotation
(class_declaration name: (_) @name (class_body)? @body) @symbol.class.class
; `@A annotation class B` without a body is read as an expression.
(infix_expression (_) (identifier) @_c (identifier) @name (#eq? @_c "class")) @symbol.interface.annotation
(object_declaration name: (_) @name (class_body)? @body) @symbol.class.object
; A companion without a name is its class.
(companion_object name: (_) @name (class_body)? @body) @symbol.class.object
(enum_entry (identifier) @name (class_body)? @body) @symbol.property.enum_member
(type_alias type: (identifier) @name) @symbol.type.alias

(secondary_constructor "constructor" @name (block)? @body) @symbol.method.constructor
; fun String.twice(): of String.
(function_declaration
  [(user_type) (nullable_type)] @container
  "."
  name: (_) @name
  (function_body)? @body) @symbol.function.extension
(function_declaration name: (_) @name (function_body)? @body) @symbol.function.function

; class A(val b: Int): a property.
(class_parameter "val" (identifier) @name) @symbol.property.property
(class_parameter "var" (identifier) @name) @symbol.property.property
(property_declaration
  [(user_type) (nullable_type)] @container
  "."
  (variable_declaration (identifier) @name)) @symbol.property.extension
(property_declaration (variable_declaration (identifier) @name)) @symbol.variable.outer_variable
