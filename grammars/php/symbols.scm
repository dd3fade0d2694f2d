; PHP: namespaces, classes, interfaces, traits and enums with their members, functions, constants,
; variables of the top level.
(comment) @comment.types.bare
(attribute_list) @decorator
[(visibility_modifier) (static_modifier) (abstract_modifier) (final_modifier) (readonly_modifier)] @modifier

(namespace_definition name: (_) @name body: (_)) @namespace
(namespace_definition name: (_) @name !body) @namespace.file

(class_declaration name: (_) @name body: (_) @body) @symbol.class.class
(interface_declaration name: (_) @name body: (_) @body) @symbol.interface.interface
(trait_declaration name: (_) @name body: (_) @body) @symbol.class.trait
(enum_declaration name: (_) @name body: (_) @body) @symbol.type.enum
(anonymous_class) @anonymous.class

((method_declaration name: (_) @name body: (_)? @body) @symbol.method.constructor
  (#any-of? @name "__construct"))
(method_declaration name: (_) @name body: (_)? @body) @symbol.method.method
(function_definition name: (_) @name body: (_)? @body) @symbol.function.function

(property_declaration) @wrapper
(property_element
  name: (variable_name (name) @name)
  default_value: (_)? @value) @symbol.property.property
; __construct(private int $id): a property of the class.
(property_promotion_parameter
  name: (variable_name (name) @name)
  type: (_)? @type
  default_value: (_)? @value) @parameter_property
(enum_case name: (_) @name value: (_)? @value) @symbol.property.enum_member

; A constant of a type, or of the namespace; define("A", 1).
(const_declaration) @wrapper
(const_element . (name) @name (_) @value) @symbol.property.member_constant
(const_element . (name) @name (_) @value) @symbol.variable.constant
(function_call_expression
  function: (name) @_f
  arguments: (arguments . (argument (string (string_content) @name)))
  (#eq? @_f "define")) @symbol.variable.constant
(function_call_expression
  function: (qualified_name (name) @_f)
  arguments: (arguments . (argument (string (string_content) @name)))
  (#eq? @_f "define")) @symbol.variable.constant

(class_declaration body: (_) @owned)
(interface_declaration body: (_) @owned)
(trait_declaration body: (_) @owned)
(enum_declaration body: (_) @owned)
(anonymous_class body: (_) @owned)
(declaration_list (const_declaration) @owned)
(enum_declaration_list (const_declaration) @owned)
(const_declaration (const_element) @owned)

; Variables of the top level.
(expression_statement) @wrapper
