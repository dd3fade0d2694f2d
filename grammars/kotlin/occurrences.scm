; Identifiers and what they do.
(identifier) @identifier
(this_expression "this") @this
(super_expression "super") @super

(package_header (_) @none)
(import (_) @import.name)
(qualified_identifier (identifier) @inherit)

; Members, and what stands before the dot.
(navigation_expression (_) @inherit @value.chained)
(infix_expression (_) @call @value.chained)
(call_expression (identifier) @call)
(call_expression (navigation_expression) @call)
(callable_reference (identifier) @call @member.optional)
(callable_reference (user_type) @read @value.receiver)
(callable_reference (nullable_type) @type @value.receiver)
(parenthesized_expression (_) @value)
(this_expression (identifier) @tag @value)
(super_expression (user_type) @type)
(super_expression (identifier) @none)
(assignment left: (_) @write)
(value_argument (identifier) @key.assigned)
(return_expression label: (_) @none)

; Types: of a.b.C the last is meant, the others lead to it.
(user_type (identifier) @inherit @value)
(user_type (type_arguments) @type)
(type_arguments (_) @type)
(delegation_specifier (_) @extends)
(explicit_delegation (user_type) @extends)
(explicit_delegation (identifier) @read)
(constructor_invocation (user_type) @inherit.type)
(annotation (_) @type)
(file_annotation (_) @type)
(nullable_type (_) @type)
(non_nullable_type (_) @type)
(parenthesized_type (_) @type)
(type_projection (_) @type)
(function_type (_) @type)
(function_type_parameters (parameter) @none)
(function_type_parameters (_) @type)
(type_alias type: (_) @none)
(type_alias [(user_type) (nullable_type) (function_type) (non_nullable_type) (parenthesized_type)] @type)
(type_parameter [(user_type) (nullable_type) (function_type) (non_nullable_type) (parenthesized_type)] @type)
(type_constraint (_) @type)
(type_test (_) @type)
(variable_declaration [(user_type) (nullable_type) (function_type) (non_nullable_type) (parenthesized_type)] @type)
(parameter [(user_type) (nullable_type) (function_type) (non_nullable_type) (parenthesized_type)] @type)
(class_parameter [(user_type) (nullable_type) (function_type) (non_nullable_type) (parenthesized_type)] @type)
(function_declaration [(user_type) (nullable_type) (function_type) (non_nullable_type) (parenthesized_type)] @type)
(property_declaration [(user_type) (nullable_type) (function_type) (non_nullable_type) (parenthesized_type)] @type)
(anonymous_function [(user_type) (nullable_type) (function_type) (non_nullable_type) (parenthesized_type)] @type)
(getter [(user_type) (nullable_type) (function_type) (non_nullable_type) (parenthesized_type)] @type)
(setter [(user_type) (nullable_type) (function_type) (non_nullable_type) (parenthesized_type)] @type)
(catch_block [(user_type) (nullable_type) (function_type) (non_nullable_type) (parenthesized_type)] @type)
(as_expression right: (_) @type)
(is_expression right: (_) @type)

; "$name", which the grammar takes for text in strings of one line.
(string_literal) @template

(call_expression) @call
(callable_reference (identifier)) @call
(infix_expression) @call
(constructor_invocation) @call

; Things that hide references.
(navigation_expression
  (_)
  (identifier) @_n
  (#any-of? @_n "getMethod" "getDeclaredMethod" "getField" "getDeclaredField" "forName" "loadClass" "memberProperties" "declaredMemberProperties")) @dynamic.reflection

; Operators and conventions call functions of these names.
(binary_expression left: (_) @value operator: "+" @name right: (_) @other) @operator.plus
(binary_expression left: (_) @value operator: "-" @name right: (_) @other) @operator.minus
(binary_expression left: (_) @value operator: "*" @name right: (_) @other) @operator.times
(binary_expression left: (_) @value operator: "/" @name right: (_) @other) @operator.div
(binary_expression left: (_) @value operator: "%" @name right: (_) @other) @operator.rem
((binary_expression left: (_) @value operator: ["==" "!="] @name right: (_) @other) @operator.equals
  (#not-any-of? @other "null" "true" "false"))
(binary_expression left: (_) @value operator: ["<" ">" "<=" ">="] @name right: (_) @other) @operator.compareTo
(assignment left: (_) @value operator: "+=" @name right: (_) @other) @operator.plusAssign
(assignment left: (_) @value operator: "+=" @name right: (_) @other) @operator.plus
(assignment left: (_) @value operator: "-=" @name right: (_) @other) @operator.minusAssign
(assignment left: (_) @value operator: "-=" @name right: (_) @other) @operator.minus
(assignment left: (_) @value operator: "*=" @name right: (_) @other) @operator.timesAssign
(assignment left: (_) @value operator: "*=" @name right: (_) @other) @operator.times
(assignment left: (_) @value operator: "/=" @name right: (_) @other) @operator.divAssign
(assignment left: (_) @value operator: "/=" @name right: (_) @other) @operator.div
(assignment left: (_) @value operator: "%=" @name right: (_) @other) @operator.remAssign
(assignment left: (_) @value operator: "%=" @name right: (_) @other) @operator.rem
(unary_expression operator: "-" @name argument: (_) @value) @operator.unaryMinus
(unary_expression operator: "+" @name argument: (_) @value) @operator.unaryPlus
(unary_expression operator: "!" @name argument: (_) @value) @operator.not
(unary_expression operator: "++" @name argument: (_) @value) @operator.inc
(unary_expression operator: "--" @name argument: (_) @value) @operator.dec
(index_expression . (_) @value "[" @name (_) @other) @operator.read.get
(assignment left: (index_expression . (_) @value "[" @name) @object operator: "=" right: (_) @other) @operator.set
(assignment left: (index_expression . (_) @value "[" @name) @object operator: ["+=" "-=" "*=" "/=" "%="]) @operator.get
(assignment left: (index_expression . (_) @value "[" @name) @object operator: ["+=" "-=" "*=" "/=" "%="] right: (_) @other) @operator.set
(in_expression left: (_) @other ["in" "!in"] @name right: (_) @value) @operator.contains
(range_test ["in" "!in"] @name (_) @value) @operator.any.contains
(range_expression . (_) @value ".." @name (_) @other) @operator.rangeTo
(range_expression . (_) @value "..<" @name (_) @other) @operator.rangeUntil
(for_statement "in" @name . (_) @value) @operator.iterator
(property_delegate "by" @name (_) @value) @operator.any.getValue
(property_delegate "by" @name (_) @value) @operator.any.setValue
(property_delegate (_) @value) @operator.any.provideDelegate
(property_declaration (multi_variable_declaration "(" @name . (variable_declaration)) "=" . (_) @value) @operator.component1
(property_declaration (multi_variable_declaration "(" @name . (variable_declaration) . (variable_declaration)) "=" . (_) @value) @operator.component2
(property_declaration (multi_variable_declaration "(" @name . (variable_declaration) . (variable_declaration) . (variable_declaration)) "=" . (_) @value) @operator.component3
(for_statement (multi_variable_declaration "(" @name . (variable_declaration)) "in" . (_) @element) @operator.component1
(for_statement (multi_variable_declaration "(" @name . (variable_declaration) . (variable_declaration)) "in" . (_) @element) @operator.component2
; In f(1) { } the lambda is an argument of f, though it is around the call in the tree.
(call_expression . (_) @value (value_arguments)) @operator.bound.invoke
(call_expression . (identifier) @value . (annotated_lambda)) @operator.bound.invoke
(call_expression . (navigation_expression) @value . (annotated_lambda)) @operator.bound.invoke
