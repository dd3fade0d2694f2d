; How the value of an expression comes about, beyond C. What points to an object is the object.
(qualified_identifier name: (_) @inner) @value.pass
(template_function name: (_) @inner arguments: (_) @list) @value.apply
(template_method name: (_) @inner arguments: (_) @list) @value.apply
(pointer_expression operator: "*" argument: (_) @inner) @value.operator
(dependent_name (_) @inner) @value.pass
(field_identifier) @value.name
(type_identifier) @value.name
(template_type name: (_) @inner arguments: (_) @list) @value.apply
(call_expression
  function: (template_function
    name: (identifier) @_f
    arguments: (template_argument_list . (_) @inner))
  (#any-of? @_f "static_cast" "dynamic_cast" "reinterpret_cast" "const_cast")) @value.cast
(subscript_expression argument: (_) @object indices: (_) @other) @value.item
(new_expression type: (_) @inner) @value.cast
[(string_literal) (concatenated_string) (raw_string_literal) (char_literal)] @value.language.char
[(true) (false)] @value.language.bool
(binary_expression operator: ["==" "!=" "<" ">" "<=" ">=" "&&" "||"]) @value.language.bool
(unary_expression operator: "!") @value.language.bool
(user_defined_literal) @value.literal
(lambda_expression) @value.function
(parameter_pack_expansion (_) @inner) @value.pass
(return_statement (_) @value) @return

(qualified_identifier name: (_) @inner) @type.pass
(template_type name: (_) @name arguments: (_) @list) @type.generic
(dependent_type (_) @inner) @type.pass
[(primitive_type) (sized_type_specifier)] @type.language
(class_specifier name: (_) @name) @type.name
(namespace_identifier) @type.name
(nested_namespace_specifier (_) (_) @inner) @type.pass
(trailing_return_type (_) @inner) @type.pass
(optional_type_parameter_declaration) @type.literal
(identifier) @type.name

(optional_parameter_declaration type: (_) @type) @parameter.optional
(variadic_parameter_declaration type: (_) @type) @parameter.rest
