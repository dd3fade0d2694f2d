(namespace_identifier) @identifier
(this) @this
(destructor_name) @skip
(operator_name) @skip

; a::b::c leans to the right: what stands before the last name is what is before its parent.
(qualified_identifier scope: (_) @type @member.optional @value.receiver)
(qualified_identifier name: (_) @inherit @member.optional @value)
(nested_namespace_specifier (_) @inherit)
(template_function name: (_) @inherit @member.optional @value)
(template_method name: (_) @inherit @member.optional @value)
(template_type name: (_) @inherit @member.optional @value)
(dependent_name (_) @inherit @member.optional @value)
(dependent_type (_) @inherit)
(template_argument_list (_) @read)
(type_descriptor (_) @inherit.type)

(subscript_expression argument: (_) @read)
(base_class_clause (_) @extends)
(new_expression type: (_) @call)
(field_initializer (field_identifier) @write)
(using_declaration (_) @import.name)
(requires_clause (_) @type)

(call_expression arguments: (argument_list (_))) @call
(new_expression arguments: (argument_list (_))) @call
