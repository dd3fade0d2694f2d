; How the value of an expression comes about.
(identifier) @value.name
(generic_name (identifier) @inner (type_argument_list) @list) @value.apply
(qualified_name name: (generic_name) @inner) @value.pass
(qualified_name name: (_) @name) @value.name
(alias_qualified_name name: (generic_name) @inner) @value.pass
(alias_qualified_name name: (_) @name) @value.name
(member_access_expression name: (generic_name) @inner) @value.pass
(member_access_expression name: (_) @name) @value.name
(conditional_access_expression (member_binding_expression name: (generic_name) @inner)) @value.pass
(conditional_access_expression (member_binding_expression name: (_) @name)) @value.name
(conditional_access_expression condition: (_) @object (element_binding_expression)) @value.item.any
((invocation_expression function: (identifier) @_f) @value.language.string (#eq? @_f "nameof"))
(invocation_expression function: (_) @inner arguments: (_) @list) @value.call
(object_creation_expression type: (_) @inner arguments: (_)? @list) @value.new
(attribute name: (_) @inner (attribute_argument_list) @list) @value.new
(attribute_argument name: (_)) @value.omitted
(attribute_argument (_) @inner) @value.pass
(array_creation_expression type: (_) @inner) @value.cast
(stackalloc_expression type: (_) @inner) @value.cast
(implicit_array_creation_expression (initializer_expression) @inner) @value.pass
(initializer_expression) @value.array
(element_access_expression expression: (_) @object) @value.item.any
(argument name: (_) ":" . (_) @inner) @value.pass
(argument (_) @inner) @value.pass
(declaration_expression type: (_) @inner) @value.cast
(cast_expression type: (_) @inner) @value.cast
(as_expression right: (_) @inner) @value.cast
(default_expression type: (_) @inner) @value.cast
(default_expression) @value.language.null
(parenthesized_expression (_) @inner) @value.pass
(checked_expression (_) @inner) @value.pass
(ref_expression (_) @inner) @value.pass
(with_expression . (_) @inner) @value.pass
(arrow_expression_clause (_) @inner) @value.pass
(await_expression (_) @inner) @value.await
(assignment_expression right: (_) @inner) @value.pass
(conditional_expression consequence: (_) @inner alternative: (_) @other) @value.union
(tuple_expression) @value.tuple
(lambda_expression) @value.function
(anonymous_method_expression) @value.function
[(method_declaration) (constructor_declaration) (destructor_declaration) (operator_declaration)] @value.function
[(conversion_operator_declaration) (indexer_declaration) (local_function_statement) (delegate_declaration)] @value.function
(binary_expression operator: ["==" "!=" "<" ">" "<=" ">=" "&&" "||"]) @value.language.bool
(binary_expression left: (_) @inner operator: "??" right: (_) @other) @value.union
(binary_expression left: (_) @inner right: (_) @other) @value.operator
(prefix_unary_expression "!") @value.language.bool
(prefix_unary_expression (_) @inner) @value.pass
(postfix_unary_expression (_) @inner) @value.pass
[(is_expression) (is_pattern_expression) (boolean_literal)] @value.language.bool
[(string_literal) (verbatim_string_literal) (raw_string_literal) (interpolated_string_expression)] @value.language.string
(character_literal) @value.language.char
(typeof_expression) @value.language.Type
; int.Parse(x)
((predefined_type) @value.language.bool (#eq? @value.language.bool "bool"))
((predefined_type) @value.language.byte (#eq? @value.language.byte "byte"))
((predefined_type) @value.language.char (#eq? @value.language.char "char"))
((predefined_type) @value.language.decimal (#eq? @value.language.decimal "decimal"))
((predefined_type) @value.language.double (#eq? @value.language.double "double"))
((predefined_type) @value.language.float (#eq? @value.language.float "float"))
((predefined_type) @value.language.int (#eq? @value.language.int "int"))
((predefined_type) @value.language.long (#eq? @value.language.long "long"))
((predefined_type) @value.language.object (#eq? @value.language.object "object"))
((predefined_type) @value.language.sbyte (#eq? @value.language.sbyte "sbyte"))
((predefined_type) @value.language.short (#eq? @value.language.short "short"))
((predefined_type) @value.language.string (#eq? @value.language.string "string"))
((predefined_type) @value.language.uint (#eq? @value.language.uint "uint"))
((predefined_type) @value.language.ulong (#eq? @value.language.ulong "ulong"))
((predefined_type) @value.language.ushort (#eq? @value.language.ushort "ushort"))
((predefined_type) @value.language.nint (#eq? @value.language.nint "nint"))
((predefined_type) @value.language.nuint (#eq? @value.language.nuint "nuint"))
(sizeof_expression) @value.language.int
(null_literal) @value.language.null
((integer_literal) @value.language.ulong (#ends-with? @value.language.ulong "ul" "UL" "uL" "Ul" "lu" "LU"))
((integer_literal) @value.language.long (#ends-with? @value.language.long "l" "L"))
((integer_literal) @value.language.uint (#ends-with? @value.language.uint "u" "U"))
(integer_literal) @value.language.int
((real_literal) @value.language.float (#ends-with? @value.language.float "f" "F"))
((real_literal) @value.language.decimal (#ends-with? @value.language.decimal "m" "M"))
(real_literal) @value.language.double

(local_function_statement) @function.typed
(delegate_declaration) @function.typed
(operator_declaration) @function.typed
(conversion_operator_declaration) @function.typed
(indexer_declaration) @function.typed
(return_statement (_) @value) @return

; Types.
(identifier) @type.name
(generic_name (identifier) @name (type_argument_list) @list) @type.generic
(qualified_name name: (generic_name) @inner) @type.pass
(qualified_name name: (_) @name) @type.name
(alias_qualified_name name: (generic_name) @inner) @type.pass
(alias_qualified_name name: (_) @name) @type.name
(nullable_type type: (_) @inner) @type.pass
(pointer_type type: (_) @inner) @type.pass
(ref_type type: (_) @inner) @type.pass
(scoped_type type: (_) @inner) @type.pass
(array_type type: (_) @inner) @type.array
(tuple_type) @type.tuple
(tuple_element type: (_) @inner) @type.pass
((predefined_type) @type.nothing (#eq? @type.nothing "void"))
(predefined_type) @type.language
(type_parameter_constraint type: (_) @inner) @type.pass
(attribute name: (_) @inner) @type.pass
(recursive_pattern type: (_) @inner) @type.pass

; Parameters. A list's own type and name are those of its last one: params T[] x.
(parameter type: (_) @type name: (_) @name "=") @parameter.optional
(parameter type: (_) @type name: (_) @name) @parameter
(parameter name: (_) @name) @parameter
(array_type type: (_) @type) @parameter.rest
(identifier) @parameter.none
(attribute_list) @parameter.none

; What the place of an expression expects.
(argument_list (_) @expect.argument)
(argument name: (_) @keys.of.call)
(argument (_) @expect.same)
(variable_declarator (_) @expect.declared)
(property_declaration value: (_) @expect.declared)
(assignment_expression left: (identifier) @keys.of.outer)
(assignment_expression right: (_) @expect.left)
(return_statement (_) @expect.result)
(arrow_expression_clause (_) @expect.result)
(lambda_expression body: (_) @expect.result)
(parenthesized_expression (_) @expect.same)
(conditional_expression consequence: (_) @expect.same)
(conditional_expression alternative: (_) @expect.same)
(cast_expression value: (_) @expect.cast)
(object_creation_expression initializer: (_) @expect.declared)
(with_expression (with_initializer) @expect.first)
(with_initializer (identifier) @keys.of.this)
(subpattern (identifier) @keys.of.class)
; What a pattern is matched with.
(is_pattern_expression pattern: (_) @expect.first)
(switch_expression (switch_expression_arm) @expect.first)
(switch_statement body: (_) @expect.first)
(switch_body (switch_section) @expect.same)
(switch_section [(recursive_pattern) (negated_pattern) (and_pattern) (or_pattern) (parenthesized_pattern)] @expect.same)
(switch_expression_arm [(recursive_pattern) (negated_pattern) (and_pattern) (or_pattern) (parenthesized_pattern)] @expect.same)
(negated_pattern (_) @expect.same)
(and_pattern (_) @expect.same)
(or_pattern (_) @expect.same)
(parenthesized_pattern (_) @expect.same)
(subpattern [(recursive_pattern) (negated_pattern) (and_pattern) (or_pattern) (parenthesized_pattern)] @expect.part)
(attribute_argument name: (_) @keys.of.class)
