(ambient_declaration) @wrapper
["abstract" "declare" "readonly" "accessor"] @modifier
(accessibility_modifier) @modifier
(override_modifier) @modifier

(function_signature name: (_) @name) @bound.function.function
(abstract_class_declaration name: (_) @name body: (_)? @body) @bound.class.class
(interface_declaration name: (_) @name body: (_) @body) @bound.interface.interface
(type_alias_declaration name: (_) @name value: (_) @type) @bound.type.type
(enum_declaration name: (_) @name body: (_) @body) @bound.type.enum
(internal_module name: (_) @name body: (_)? @body) @bound.type.namespace
(module name: (_) @name body: (_)? @body) @bound.type.namespace
(import_alias (identifier) @name (_) @value) @bound.variable.alias
(variable_declarator
  name: (identifier) @name
  value: (as_expression [(arrow_function) (function_expression)] @value)) @bound.function.function
(variable_declarator
  name: (identifier) @name
  value: (as_expression
    (parenthesized_expression [(arrow_function) (function_expression)] @value))) @bound.function.function
(variable_declarator
  name: (identifier) @name
  value: (as_expression
    (as_expression
      (parenthesized_expression [(arrow_function) (function_expression)] @value)))) @bound.function.function
(variable_declarator
  name: (identifier) @name
  value: (satisfies_expression [(arrow_function) (function_expression)] @value)) @bound.function.function
(variable_declarator
  name: (identifier) @name
  value: (satisfies_expression
    (parenthesized_expression [(arrow_function) (function_expression)] @value))) @bound.function.function

(public_field_definition name: (_) @name value: [(arrow_function) (function_expression) (generator_function)] @value) @symbol.method.method
(public_field_definition name: (_) @name type: (_)? @type value: (_)? @value) @symbol.property.field
(abstract_method_signature "get" name: (_) @name) @symbol.property.getter
(abstract_method_signature "set" name: (_) @name) @symbol.property.setter
(abstract_method_signature name: (_) @name) @symbol.method.method
(method_signature "get" name: (_) @name) @symbol.property.member_getter
(method_signature "set" name: (_) @name) @symbol.property.member_setter
(method_signature name: (_) @name (#eq? @name "constructor")) @symbol.method.member_constructor
(method_signature name: (_) @name) @symbol.method.member_method
(property_signature name: (_) @name type: (_)? @type) @symbol.property.member_property
(enum_assignment name: (_) @name) @bound.property.enum_member
(required_parameter (accessibility_modifier) pattern: (identifier) @name type: (_)? @type value: (_)? @value) @parameter_property
(required_parameter "readonly" pattern: (identifier) @name type: (_)? @type value: (_)? @value) @parameter_property
(optional_parameter (accessibility_modifier) pattern: (identifier) @name type: (_)? @type) @parameter_property

(abstract_class_declaration body: (_) @owned)
(interface_declaration body: (_) @owned)
(interface_body (_) @owned)
(class_body (_) @owned)
(type_alias_declaration value: [(member_expression) (call_expression)] @type)
(type_alias_declaration value: (_) @owned)
(object_type (_) @owned)
(intersection_type (_) @owned)
(union_type (_) @owned)
(parenthesized_type (_) @owned)
(as_expression [(object) (as_expression)] @owned)
(satisfies_expression [(object) (as_expression)] @owned)
