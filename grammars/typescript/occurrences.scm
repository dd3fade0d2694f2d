(type_identifier) @identifier.type

; Supertypes.
(extends_clause value: [(identifier) (member_expression)] @extends)
(extends_type_clause type: (_) @extends)
(implements_clause [(type_identifier) (nested_type_identifier) (generic_type)] @extends)

; Qualified names of types and namespaces.
(nested_type_identifier module: (_) @type @value.receiver)
(nested_type_identifier name: (_) @inherit @member @value)
(nested_identifier object: (_) @value.receiver)
(nested_identifier property: (_) @inherit @member @value)
(generic_type name: (_) @inherit)

; What stands before a dot, through a cast.
(non_null_expression (_) @inherit @value)
(instantiation_expression (_) @inherit @value)
(satisfies_expression [(identifier) (member_expression)] @value)

; import("x").T as a type.
(type_annotation (member_expression) @type)
(type_arguments (member_expression) @type)

; Members of types that have no name.
(property_signature name: (_) @key.write)
(method_signature name: (_) @key.write)
