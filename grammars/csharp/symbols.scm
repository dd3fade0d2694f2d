; C#: namespaces, types, and what they hold.
(comment) @comment.run @comment.links

(modifier) @modifier
(attribute_list) @decorator

(namespace_declaration name: (_) @name) @namespace
(file_scoped_namespace_declaration name: (_) @name) @namespace.file

(class_declaration name: (_) @name body: (_)? @body) @bound.class.class
(struct_declaration name: (_) @name body: (_)? @body) @bound.class.struct
(record_declaration name: (_) @name body: (_)? @body) @bound.class.record
(interface_declaration name: (_) @name body: (_)? @body) @bound.interface.interface
(enum_declaration name: (_) @name body: (_)? @body) @bound.type.enum
(delegate_declaration name: (_) @name) @bound.type.delegate

; Members. The first parameter of an extension is what it is called on.
((method_declaration
  name: (_) @name
  parameters: (parameter_list . (parameter (modifier) @_this))
  body: (_)? @body) @symbol.method.member_extension
  (#eq? @_this "this"))
(method_declaration name: (_) @name body: (_)? @body) @symbol.method.member_method
(constructor_declaration name: (_) @name body: (_)? @body) @symbol.method.member_constructor
(destructor_declaration "~" @name body: (_)? @body) @symbol.method.member_destructor
(operator_declaration operator: _ @name body: (_)? @body) @symbol.method.member_operator
(conversion_operator_declaration ["implicit" "explicit"] @name body: (_)? @body) @symbol.method.member_operator
(indexer_declaration "this" @name accessors: (_) @body) @symbol.method.member_indexer
(indexer_declaration "this" @name value: (_) @body) @symbol.method.member_indexer
(property_declaration type: (_) @type name: (_) @name accessors: (_) @body) @symbol.property.member_property
(property_declaration type: (_) @type name: (_) @name value: (_) @body) @symbol.property.member_property
(event_declaration type: (_) @type name: (_) @name accessors: (_)? @body) @symbol.property.member_event
(event_field_declaration
  (variable_declaration type: (_) @type (variable_declarator name: (_) @name))) @symbol.property.member_event
(enum_member_declaration name: (_) @name) @symbol.property.member_enum_member
(local_function_statement name: (_) @name body: (_)? @body) @bound.function.function

(field_declaration) @wrapper
(variable_declaration) @wrapper
(field_declaration (variable_declaration) @bind.field @owned)
(variable_declaration (variable_declarator) @inherit @owned)
(record_declaration (parameter_list) @bind.field @owned)

(class_declaration body: (_) @owned)
(struct_declaration body: (_) @owned)
(record_declaration body: (_) @owned)
(interface_declaration body: (_) @owned)
(enum_declaration body: (_) @owned)
(declaration_list (_) @owned)
(enum_member_declaration_list (_) @owned)
(preproc_if condition: (_) @none)
(preproc_elif condition: (_) @none)
(preproc_if (_) @owned)
(preproc_elif (_) @owned)
(preproc_else (_) @owned)
