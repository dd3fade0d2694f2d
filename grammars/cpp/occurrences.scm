(namespace_identifier) @identifier
(this) @this
(operator_name) @skip

; a::b::c leans to the right: what stands before the last name is what is before its parent.
(qualified_identifier scope: (_) @type @member.optional @value.receiver)
(qualified_identifier name: (_) @inherit @member.optional @value)
(nested_namespace_specifier (_) @inherit)
(template_function name: (_) @inherit @member.optional @value)
(template_method name: (_) @inherit @member.optional @value)
(template_type name: (_) @inherit @member.optional)
(dependent_name (_) @inherit @member.optional @value)
(dependent_type (_) @inherit)
; ~A names the class A.
(destructor_name (_) @type @member.optional)
(template_argument_list (_) @read)
(type_descriptor (_) @inherit.type)

(subscript_expression argument: (_) @read)
(base_class_clause (_) @extends)
(new_expression type: (_) @call)
(field_initializer (field_identifier) @write)
(using_declaration (_) @import.name)
(requires_clause (_) @type)

(call_expression arguments: (argument_list (_))) @call

; What makes an object of @type calls a constructor with what is in @list.
(new_expression type: (_) @type arguments: (_)? @list) @call
(compound_literal_expression type: (_) @type value: (_) @list) @call
(field_initializer . (_) @type . (_) @list) @call
(field_declaration
  type: (_) @type
  declarator: (field_identifier)
  default_value: (initializer_list) @list) @call
(declaration
  type: (_) @type
  declarator: (init_declarator
    declarator: [(identifier) (qualified_identifier)]
    value: [(argument_list) (initializer_list)] @list)) @call
; A a(b), which may be a function's declaration.
(declaration
  type: (_) @type
  declarator: (function_declarator
    declarator: (identifier)
    parameters: (parameter_list (parameter_declaration)) @list)) @call
((declaration type: (_) @type declarator: [(identifier) (qualified_identifier)]) @call
  (#not-begins-with? @call "extern"))
