; C++ beyond C.
(template_declaration) @wrapper
(explicit_function_specifier) @modifier
(access_specifier) @access

(optional_parameter_declaration) @declarators.variable.parameter
(variadic_parameter_declaration) @declarators.variable.parameter
(for_range_loop) @declarators.variable.loop

; What an inline namespace holds is of the one around.
(namespace_definition "inline" name: (_) @name) @symbol.type.inline_namespace
(namespace_definition name: (namespace_identifier) @name body: (_) @body) @symbol.type.namespace
(namespace_alias_definition name: (_) @name . (_) @type) @symbol.type.outer_alias
(namespace_definition name: (nested_namespace_specifier) @name) @container
(class_specifier name: (type_identifier) @name body: (_) @body) @symbol.class.class
(enum_specifier "class" name: (type_identifier) @name body: (_) @body) @symbol.type.scoped_enum
(enum_specifier "struct" name: (type_identifier) @name body: (_) @body) @symbol.type.scoped_enum
(concept_definition name: (_) @name) @symbol.type.concept
(alias_declaration name: (_) @name type: (_) @type) @symbol.type.outer_type

; Specialisations, and what is declared in one place and defined in another.
(class_specifier name: (template_type name: (_) @name) body: (_) @body) @symbol.class.specialization
(struct_specifier name: (template_type name: (_) @name) body: (_) @body) @symbol.class.specialization
(class_specifier
  name: (qualified_identifier scope: (_) @container name: (type_identifier) @name)
  body: (_) @body) @symbol.class.class
(struct_specifier
  name: (qualified_identifier scope: (_) @container name: (type_identifier) @name)
  body: (_) @body) @symbol.class.struct
(class_specifier
  name: (qualified_identifier scope: (_) @container name: (template_type name: (_) @name))
  body: (_) @body) @symbol.class.specialization
(struct_specifier
  name: (qualified_identifier scope: (_) @container name: (template_type name: (_) @name))
  body: (_) @body) @symbol.class.specialization
