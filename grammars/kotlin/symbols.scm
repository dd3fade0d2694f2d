; Kotlin: classes, interfaces, objects, enums with their members, functions, properties, aliases.
(block_comment) @comment
(line_comment) @comment
(modifiers) @modifiers
(annotation) @decorator
[(class_modifier) (function_modifier) (inheritance_modifier) (member_modifier) (platform_modifier)
 (property_modifier) (visibility_modifier)] @modifier

; A class has its primary constructor as a function.
(class_declaration "interface" name: (_) @name (class_body)? @body) @bound.interface.interface
(class_declaration
  (modifiers (class_modifier "enum"))
  name: (_) @name
  (enum_class_body)? @body) @bound.type.enum
(class_declaration
  (modifiers (class_modifier "annotation"))
  name: (_) @name
  (primary_constructor)? @type) @bound.interface.annotation
(class_declaration name: (_) @name (primary_constructor) @type . (delegation_specifiers)? . (type_constraints)? . (class_body)? @body) @bound.class.class
(class_declaration name: (_) @name (class_body)? @body) @bound.class.class
; `@A annotation class B` without a body is read as an expression.
(infix_expression (_) (identifier) @_c (identifier) @name (#eq? @_c "class")) @symbol.interface.annotation
(object_declaration name: (_) @name (class_body)? @body) @bound.class.object
; A companion without a name is its class.
(companion_object name: (_) @name (class_body)? @body) @symbol.class.companion
(object_literal "object" @name (class_body)? @body) @symbol.class.anonymous
(enum_entry (identifier) @name (class_body)? @body) @symbol.property.enum_member
(type_alias type: (identifier) @name "=" . (_) @type) @bound.type.alias

(secondary_constructor "constructor" @name (block)? @body) @symbol.method.constructor
; fun String.twice(): of String.
(function_declaration
  [(user_type) (nullable_type) (parenthesized_type)] @container
  "."
  name: (_) @name
  (function_body)? @body) @bound.function.extension
(function_declaration name: (_) @name (function_body)? @body) @bound.function.function

; class A(val b: Int): a property.
(class_parameter "val" (identifier) @name . (_) @type) @symbol.property.property
(class_parameter "var" (identifier) @name . (_) @type) @symbol.property.property
(property_declaration
  [(user_type) (nullable_type) (parenthesized_type)] @container
  "."
  (variable_declaration (identifier) @name)) @symbol.property.outer_extension
(property_declaration (variable_declaration (identifier) @name . (_) @type)) @symbol.variable.outer_variable
(property_declaration (variable_declaration (identifier) @name) "=" . (_) @value) @symbol.variable.outer_variable
(property_declaration (variable_declaration (identifier) @name) (property_delegate) @value) @symbol.variable.outer_variable
(property_declaration (variable_declaration (identifier) @name) (getter [(user_type) (nullable_type)] @type)) @symbol.variable.outer_variable
(property_declaration (variable_declaration (identifier) @name) (getter (function_body (block (return_expression (_) @value))))) @symbol.variable.outer_variable
(property_declaration (variable_declaration (identifier) @name) (getter (function_body "=" . (_) @value))) @symbol.variable.outer_variable
(property_declaration (variable_declaration (identifier) @name)) @symbol.variable.outer_variable
