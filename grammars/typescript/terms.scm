(non_null_expression (_) @inner) @value.pass
(satisfies_expression . (_) @inner) @value.pass
(as_expression . (_) . (_) @inner) @value.cast
(as_expression . (_) @inner) @value.pass
(instantiation_expression . (_) @inner type_arguments: (_) @list) @value.apply
(nested_identifier property: (_) @name) @value.name

(function_signature) @value.function
(abstract_method_signature) @value.function
(method_signature) @value.function
(call_signature) @value.function
(construct_signature) @value.function
(function_type) @value.function
(constructor_type) @value.function
(function_signature "async") @function.async
(constructor_type) @function.constructor
(construct_signature) @function.constructor

; Types.
(type_identifier) @type.name
(nested_type_identifier name: (_) @name) @type.name
(type_annotation (_) @inner) @type.pass
(constraint (_) @inner) @type.pass
(default_type (_) @inner) @type.pass
(adding_type_annotation (_) @inner) @type.pass
(omitting_type_annotation (_) @inner) @type.pass
(opting_type_annotation (_) @inner) @type.pass
(this_type) @type.this
(parenthesized_type (_) @inner) @type.pass
(readonly_type (_) @inner) @type.pass
(optional_type (_) @inner) @type.pass
(rest_type (_) @inner) @type.pass
(required_parameter type: (_) @inner) @type.pass
(optional_parameter type: (_) @inner) @type.pass
(array_type) @type.array
(tuple_type) @type.tuple
(union_type) @type.union
(intersection_type) @type.union
(conditional_type left: (_) @object right: (_) @type consequence: (_) @inner alternative: (_) @other) @type.conditional
(infer_type . (_) @inner) @type.pass
(generic_type name: (_) @name type_arguments: (_) @list) @type.generic
(extends_clause value: (_) @name type_arguments: (_) @list) @type.generic
(lookup_type . (_) @object . (_) @other) @type.item
(type_query (_) @inner) @type.typeof
; { [K in keyof T]: T[K] } has the members of T.
(object_type
  (index_signature
    (mapped_type_clause type: (index_type_query (_) @inner))
    type: (type_annotation (lookup_type)))) @type.pass
(object_type
  (index_signature
    (mapped_type_clause type: (index_type_query (_) @inner))
    type: (opting_type_annotation (lookup_type)))) @type.pass
(object_type
  (index_signature
    (mapped_type_clause type: (index_type_query (_) @inner))
    type: (omitting_type_annotation (lookup_type)))) @type.pass
(object_type
  (index_signature
    (mapped_type_clause type: (index_type_query (_) @inner))
    type: (adding_type_annotation (lookup_type)))) @type.pass
(object_type) @type.object
(function_type) @type.function
(constructor_type) @type.function
(predefined_type ["string" "number" "boolean" "symbol" "object"]) @type.literal
(literal_type [(string) (number) (unary_expression) (true) (false)]) @type.literal

; What stands in types that are written out.
(property_signature name: (_) @name type: (_) @type) @entry.type
(method_signature "get" name: (_) @name) @entry.getter
(method_signature "set" name: (_) @name) @entry.setter
(method_signature name: (_) @name) @entry.method
(call_signature) @entry.call
(construct_signature) @entry.call
(index_signature
  (mapped_type_clause type: (index_type_query (_) @inner) !alias)
  type: (_) @type) @entry.same
(index_signature
  (mapped_type_clause type: (index_type_query (_) @inner))
  type: (_) @type) @entry.made
(index_signature (mapped_type_clause type: (_) @inner) type: (_) @type) @entry.listed
(index_signature type: (_) @type) @entry.other

; Parameters.
(required_parameter pattern: (this)) @parameter.none
(required_parameter pattern: (_) @name type: (_)? @type value: (_) @value) @parameter.optional
(required_parameter pattern: (_) @name type: (_)? @type) @parameter
(required_parameter name: (_) @name type: (_)? @type) @parameter
(optional_parameter pattern: (_) @name type: (_)? @type) @parameter.optional
(optional_parameter name: (_) @name type: (_)? @type) @parameter.optional

; What the place of an expression expects.
(required_parameter value: (_) @expect.declared)
(optional_parameter value: (_) @expect.declared)
(public_field_definition value: (_) @expect.declared)
(as_expression . (_) @expect.cast)
(satisfies_expression . (_) @expect.cast)
(non_null_expression (_) @expect.same)
