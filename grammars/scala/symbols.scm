; Scala: classes, traits, objects, enums with their members, functions, values, types.
(block_comment) @comment
(comment) @comment
(annotation) @decorator
(modifiers) @modifiers
(access_modifier) @modifiers
["private" "protected" "case" "override" "implicit" "lazy" "sealed" "abstract" "final" "inline"] @modifier

(package_clause name: (_) @name) @package.name

(class_definition name: (_) @name body: (_)? @body) @symbol.class.class
(trait_definition name: (_) @name body: (_)? @body) @symbol.interface.trait
(object_definition name: (_) @name body: (_)? @body) @symbol.class.object
(package_object name: (_) @name body: (_)? @body) @symbol.class.object
(enum_definition name: (_) @name body: (_)? @body) @symbol.type.enum
(simple_enum_case name: (_) @name) @symbol.property.enum_member
(full_enum_case name: (_) @name) @symbol.property.enum_member
(type_definition name: (_) @name) @symbol.type.alias
(given_definition name: (_) @name body: (_)? @body) @symbol.variable.given

((function_definition name: (_) @name body: (_)? @body) @symbol.method.constructor
  (#eq? @name "this"))
(function_definition name: (_) @name body: (_)? @body) @symbol.function.function
(function_declaration name: (_) @name) @symbol.function.function

(val_definition pattern: (identifier) @name value: (_)? @value) @symbol.variable.outer_variable
(val_definition pattern: (operator_identifier) @name value: (_)? @value) @symbol.variable.outer_variable
(val_definition pattern: (identifiers (identifier) @name)) @symbol.variable.outer_variable
(var_definition pattern: (identifier) @name value: (_)? @value) @symbol.variable.outer_variable
(val_declaration name: (_) @name) @symbol.variable.outer_variable
(var_declaration name: (_) @name) @symbol.variable.outer_variable
; class A(b: Int): a member too.
(class_parameter name: (_) @name) @symbol.property.property
