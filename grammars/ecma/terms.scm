; How the value of an expression comes about.
(identifier) @value.name
(member_expression property: (_) @name) @value.name
(parenthesized_expression (_) @inner) @value.pass
(await_expression (_) @inner) @value.await
(new_expression constructor: (_) @inner arguments: (_)? @list) @value.new
(call_expression
  function: (identifier) @_f
  arguments: (arguments . [(string) (template_string)] @source)
  (#eq? @_f "require")) @value.module
(call_expression function: (import) arguments: (arguments . [(string) (template_string)] @source)) @value.module
(call_expression function: (identifier) @_f (#eq? @_f "require")) @value.nothing
(call_expression function: (_) @inner arguments: (arguments) @list) @value.call
(call_expression function: (_) @inner) @value.call
(spread_element (_) @inner) @value.element
(subscript_expression object: (_) @object index: (_) @other) @value.item
(binary_expression left: (_) @inner operator: ["||" "??"] right: (_) @other) @value.union
(binary_expression operator: "&&" right: (_) @inner) @value.pass
(binary_expression) @value.literal
(unary_expression operator: ["!" "-" "+" "~" "typeof"]) @value.literal
(update_expression) @value.literal
(ternary_expression consequence: (_) @inner alternative: (_) @other) @value.union
(assignment_expression right: (_) @inner) @value.pass
(augmented_assignment_expression left: (_) @inner operator: ["||=" "??="] right: (_) @other) @value.union
(array) @value.array
(object) @value.object
[(string) (template_string) (number) (regex) (true) (false)] @value.literal
(class name: (_) @name) @value.name

(arrow_function) @value.function
(function_expression) @value.function
(generator_function) @value.function
(function_declaration) @value.function
(generator_function_declaration) @value.function
(method_definition) @value.function

(arrow_function "async") @function.async
(function_expression "async") @function.async
(generator_function "async") @function.async
(function_declaration "async") @function.async
(generator_function_declaration "async") @function.async
(method_definition "async") @function.async
(generator_function) @function.generator
(generator_function_declaration) @function.generator
(method_definition "*") @function.generator

(return_statement (_) @value) @return
(yield_expression "*" (_) @value) @yield.from
(yield_expression (_) @value) @yield

; Parameters.
(assignment_pattern left: (_) @name right: (_) @value) @parameter.optional
(rest_pattern (_) @name) @parameter.rest

; What stands in objects.
(pair key: (_) @name value: (_) @value) @entry
(shorthand_property_identifier) @entry.shorthand
(method_definition "get" name: (_) @name) @entry.getter
(method_definition "set" name: (_) @name) @entry.setter
(method_definition name: (_) @name) @entry.method
(spread_element (_) @inner) @entry.spread

; What names in patterns are given.
(object_pattern (pair_pattern) @part.same)
(object_pattern (shorthand_property_identifier_pattern) @part.name)
(object_pattern (object_assignment_pattern) @part.same)
(object_pattern (rest_pattern) @part.same)
(object_assignment_pattern left: (_) @part.name.default)
(pair_pattern value: (_) @part.key)
(array_pattern (rest_pattern) @part.rest)
(array_pattern (_) @part.item)
(rest_pattern (_) @part.same)
(assignment_pattern left: (_) @part.default)
(assignment_expression left: [(identifier) (object_pattern) (array_pattern)] @part.assigned)

; What the place of an expression expects.
(arguments (_) @expect.argument)
(pair value: (_) @expect.key)
(object (method_definition) @expect.method)
(object (spread_element) @expect.same)
(array (spread_element) @expect.none)
(array (_) @expect.element)
(spread_element (_) @expect.same)
(variable_declarator value: (_) @expect.declared)
(assignment_expression right: (_) @expect.left)
(return_statement (_) @expect.result)
(arrow_function body: (_) @expect.result)
(parenthesized_expression (_) @expect.same)
(ternary_expression consequence: (_) @expect.same)
(ternary_expression alternative: (_) @expect.same)
(binary_expression (_) @expect.same)
(await_expression (_) @expect.same)

; What keys are keys of.
(pair key: (_) @keys.of.outer)
(object (shorthand_property_identifier) @keys.of.this)
(method_definition name: (_) @keys.of.outer)
(object_pattern (shorthand_property_identifier_pattern) @keys.of.taken)
(object_assignment_pattern left: (shorthand_property_identifier_pattern) @keys.of.taken)
(pair_pattern key: (_) @keys.of.taken)

; Where a condition tells a type.
(binary_expression left: [(identifier) (member_expression)] @name operator: "instanceof" right: (_) @type) @test.is
(binary_expression left: (_) @inner operator: "&&" right: (_) @other) @test.and
(parenthesized_expression (_) @inner) @test.and
(if_statement condition: (_) @condition consequence: (_) @block) @narrow
(while_statement condition: (_) @condition body: (_) @block) @narrow
(ternary_expression condition: (_) @condition consequence: (_) @block) @narrow
(binary_expression left: (_) @condition operator: "&&" right: (_) @block) @narrow
(identifier) @type.name
(member_expression property: (_) @name) @type.name
