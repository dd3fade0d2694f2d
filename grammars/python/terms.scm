; How the value of an expression comes about.
(identifier) @value.name
(attribute attribute: (_) @name) @value.name
(parenthesized_expression (_) @inner) @value.pass
(await (_) @inner) @value.await
(call
  function: (_) @_f
  arguments: (argument_list . (_) @inner)
  (#any-of? @_f "cast" "typing.cast" "t.cast")) @value.cast
(call
  function: (_) @inner
  arguments: (argument_list (keyword_argument name: (identifier) @_k value: (_) @type)) @list
  (#any-of? @inner "TypeVar" "typing.TypeVar" "t.TypeVar") (#eq? @_k "bound")) @value.call
(call function: (_) @inner arguments: (argument_list) @list) @value.call
(call function: (_) @inner) @value.call
(keyword_argument) @value.omitted
(dictionary_splat) @value.omitted
(list_splat (_) @inner) @value.element
(parenthesized_list_splat (_) @inner) @value.pass
(subscript value: (_) @object) @value.item
(boolean_operator left: (_) @inner operator: "or" right: (_) @other) @value.union
(boolean_operator right: (_) @inner) @value.pass
(binary_operator left: (_) @inner operator: "|" right: (_) @other) @value.union
(binary_operator left: (_) @inner right: (_) @other) @value.operator
(unary_operator argument: (_) @inner) @value.operator
(conditional_expression . (_) @inner . (_) . (_) @other) @value.union
(named_expression value: (_) @inner) @value.pass
(assignment right: (_) @inner) @value.pass
[(list) (set)] @value.array
(list_comprehension body: (_) @inner) @value.array
(set_comprehension body: (_) @inner) @value.array
(generator_expression body: (_) @inner) @value.array
[(tuple) (expression_list)] @value.tuple
[(string) (concatenated_string) (integer) (float) (true) (false) (comparison_operator) (not_operator)] @value.literal

[(function_definition) (lambda)] @value.function
(function_definition "async") @function.async

(return_statement (_) @value) @return
(yield "from" (_) @value) @yield.from
(yield (_) @value) @yield

; Types.
(type (identifier) @_n (#any-of? @_n "Final" "ClassVar")) @type.nothing
(type (attribute attribute: (identifier) @_n) (#any-of? @_n "Final" "ClassVar")) @type.nothing
(type (_) @inner) @type.pass
(identifier) @type.name
(attribute attribute: (_) @name) @type.name
(member_type (identifier) @name) @type.name
(dotted_name) @type.name
(string) @type.string
(generic_type . (identifier) @name (type_parameter) @list) @type.generic
(subscript value: (_) @name) @type.generic
(union_type (_) @inner (_) @other) @type.union
(binary_operator left: (_) @inner operator: "|" right: (_) @other) @type.union
(constrained_type . (_) . (_) @inner) @type.pass
(tuple) @type.union
(parenthesized_expression (_) @inner) @type.pass
(list) @type.tuple
(case_pattern (_) @inner) @type.pass
(class_pattern . (dotted_name) @name) @type.name
[(integer) (float) (true) (false)] @type.literal

; Parameters.
(default_parameter name: (_) @name value: (_) @value) @parameter.optional
(typed_default_parameter name: (_) @name type: (_) @type value: (_) @value) @parameter.optional
(typed_parameter . (_) @name type: (_) @type) @parameter
(list_splat_pattern (_) @name) @parameter.rest
(dictionary_splat_pattern (_) @name) @parameter.keywords
(keyword_separator) @parameter.mark
(positional_separator) @parameter.none

; What names in patterns are given.
(pattern_list (list_splat_pattern) @part.rest)
(pattern_list (_) @part.item)
(tuple_pattern (list_splat_pattern) @part.rest)
(tuple_pattern (_) @part.item)
(list_pattern (list_splat_pattern) @part.rest)
(list_pattern (_) @part.item)
(list_splat_pattern (_) @part.same)
(dictionary_splat_pattern (_) @part.nothing)
(typed_parameter (list_splat_pattern) @part.list)
(tuple (_) @part.item)
(list (_) @part.item)
(as_pattern_target (_) @part.same)

; What the place of an expression expects.
(argument_list (_) @expect.argument)
(keyword_argument value: (_) @expect.keyword)
(list (_) @expect.element)
(assignment right: (_) @expect.declared)
(typed_default_parameter value: (_) @expect.declared)
(return_statement (_) @expect.result)
(lambda body: (_) @expect.result)
(parenthesized_expression (_) @expect.same)
(conditional_expression (_) @expect.same)
(boolean_operator (_) @expect.same)
(await (_) @expect.same)

; What keys are keys of.
(keyword_argument name: (_) @keys.of.call)
(keyword_pattern (identifier) @keys.of.class)

; Where a condition tells a type.
(call
  function: (identifier) @_f
  arguments: (argument_list . [(identifier) (attribute)] @name . (_) @type)
  (#eq? @_f "isinstance")) @test.is
(boolean_operator left: (_) @inner operator: "and" right: (_) @other) @test.and
(parenthesized_expression (_) @inner) @test.and
(if_statement condition: (_) @condition consequence: (_) @block) @narrow
(elif_clause condition: (_) @condition consequence: (_) @block) @narrow
(while_statement condition: (_) @condition body: (_) @block) @narrow
(conditional_expression . (_) @block . (_) @condition) @narrow
(boolean_operator left: (_) @condition operator: "and" right: (_) @block) @narrow
(assert_statement . (_) @condition) @narrow
