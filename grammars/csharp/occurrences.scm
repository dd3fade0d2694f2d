; Identifiers and what they do.
[(identifier) (implicit_parameter)] @identifier
"this" @this
"base" @super

; Members, and what stands before the dot.
(member_access_expression expression: (_) @read @value.receiver)
(member_access_expression name: (_) @inherit @member @value)
(conditional_access_expression condition: (_) @read @value.receiver)
(conditional_access_expression (member_binding_expression) @inherit @member @value)
(member_binding_expression name: (_) @inherit @member @value)
(qualified_name qualifier: (_) @type @value.receiver)
(qualified_name name: (_) @inherit @member @value)
(alias_qualified_name alias: (_) @type @value.receiver)
(alias_qualified_name name: (_) @inherit @member @value)
(generic_name (identifier) @inherit @member.optional @value)
(generic_name) @call
(type_argument_list (_) @type)
(invocation_expression function: (_) @call @value.called)
; (In a && b?.c the grammar takes all before the sign for what it is asked of.)
(binary_expression right: (_) @read @value)
(prefix_unary_expression (_) @read @value)
(await_expression (_) @read @value)
(cast_expression type: (_) @type)
(cast_expression value: (_) @read @value)
(parenthesized_expression (assignment_expression) @write)
(parenthesized_expression (binary_expression) @read)
(parenthesized_expression (prefix_unary_expression) @read)
(parenthesized_expression (await_expression) @read)
(parenthesized_expression (cast_expression) @read)
(parenthesized_expression (_) @read @value)
(postfix_unary_expression (_) @read @value)
(element_access_expression expression: (_) @read)

(object_creation_expression type: (_) @call)
(attribute name: (identifier) @macro)
(attribute name: (_) @call)
(attribute_argument name: (_) @key.write)
(argument name: (_) @key.write)

; In an initialiser what is assigned is a member of what is made.
(initializer_expression (assignment_expression) @key.write)
(expression_statement (assignment_expression) @write)
(for_statement (assignment_expression) @write)
(arrow_expression_clause (assignment_expression) @write)
(lambda_expression body: (assignment_expression) @write)
(assignment_expression left: (identifier) @inherit)
(assignment_expression left: (_) @write)
(assignment_expression right: (assignment_expression) @write)
(anonymous_object_creation_expression (identifier) @key.assigned)
(with_initializer (identifier) @key.assigned)
(subpattern (identifier) @key.assigned)
(tuple_element name: (_) @none)

; Types.
(property_declaration type: (_) @type)
(indexer_declaration type: (_) @type)
(event_declaration type: (_) @type)
(operator_declaration type: (_) @type)
(conversion_operator_declaration type: (_) @type)
(delegate_declaration type: (_) @type)
(method_declaration returns: (_) @type)
(local_function_statement type: (_) @type)
(lambda_expression type: (_) @type)
(explicit_interface_specifier (_) @type)
(array_type type: (_) @type)
(nullable_type type: (_) @type)
(pointer_type type: (_) @type)
(ref_type type: (_) @type)
(scoped_type type: (_) @type)
(tuple_element type: (_) @type)
(function_pointer_parameter type: (_) @type)
(function_pointer_type returns: (_) @type)
(as_expression right: (_) @type)
(is_expression right: (_) @type)
(default_expression type: (_) @type)
(sizeof_expression type: (_) @type)
(typeof_expression type: (_) @type)
(refvalue_expression type: (_) @type)
(array_creation_expression type: (_) @type)
(stackalloc_expression type: (_) @type)
(catch_declaration type: (_) @type)
(foreach_statement type: (_) @type)
(declaration_expression type: (_) @type)
(declaration_pattern type: (_) @type)
(recursive_pattern type: (_) @type)
(type_pattern type: (_) @type)
(from_clause type: (_) @type)
(join_clause type: (_) @type)
(type_parameter_constraints_clause (identifier) @type)
(type_parameter_constraint type: (_) @type)

; Supertypes.
(base_list (argument_list) @read)
(base_list (_) @extends)
(primary_constructor_base_type type: (_) @inherit)

; Names of namespaces.
(using_directive name: (_) @import.alias)
(using_directive (_) @import.name)
(extern_alias_directive name: (_) @none)
(namespace_declaration name: (_) @none)
(file_scoped_namespace_declaration name: (_) @none)

(destructor_declaration name: (_) @none)
(labeled_statement (identifier) @none)
(goto_statement (identifier) @none)
(preproc_pragma (identifier) @none)
(calling_convention (identifier) @none)

(invocation_expression arguments: (argument_list (_))) @call
(object_creation_expression) @call
(attribute (attribute_argument_list (_))) @call

; Things that hide references.
(invocation_expression
  function: (member_access_expression name: (identifier) @_n)
  (#any-of? @_n "GetMethod" "GetField" "GetProperty" "GetEvent" "GetMember" "InvokeMember")) @dynamic.reflection

; Operators, which are static members of an operand's type.
(binary_expression
  left: (_) @value
  operator: ["+" "-" "*" "/" "%" "&" "|" "^" "<<" ">>" ">>>" "==" "!=" "<" ">" "<=" ">="] @name
  right: (_) @inner) @operator.static.SIGN
(prefix_unary_expression ["+" "-" "!" "~" "++" "--"] @name (_) @value) @operator.static.SIGN
(postfix_unary_expression (_) @value ["++" "--"] @name) @operator.static.SIGN
(assignment_expression left: (_) @value operator: ["+=" "-=" "*=" "/=" "%="] @name right: (_) @inner) @operator.static.ASSIGNED
(cast_expression type: (_) @type value: (_) @value) @operator.static.explicit
; Members that the language knows by their names.
(element_access_expression expression: (_) @value subscript: (_) @object) @operator.this
(conditional_access_expression condition: (_) @value (element_binding_expression) @object) @operator.this
(foreach_statement "in" @name right: (_) @value) @operator.GetEnumerator
(using_statement (variable_declaration (variable_declarator (_) . (_) @value))) @operator.Dispose
((using_statement "(" . (_) @value) @operator.Dispose (#not-holds? @value "="))
(local_declaration_statement "using" @name (variable_declaration (variable_declarator (_) . (_) @value))) @operator.Dispose
(assignment_expression left: (tuple_expression) right: (_) @value) @operator.any.Deconstruct
(variable_declarator (tuple_pattern) . (_) @value) @operator.any.Deconstruct
(constructor_initializer "base" @name (argument_list) @object) @operator.constructor.super
(constructor_initializer "this" @name (argument_list) @object) @operator.constructor.this
