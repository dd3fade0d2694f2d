; How the value of an expression comes about.
((identifier) @value.new (#eq? @value.new "new"))
(identifier) @value.call
[(constant) (instance_variable) (class_variable) (global_variable)] @value.name
(scope_resolution name: (_) @name) @value.name
(constant) @type.name
(scope_resolution name: (_) @name) @type.name

((call !receiver method: (identifier) @_m) @value.new (#eq? @_m "new"))
((call receiver: (_) @inner method: (identifier) @_m arguments: (_)? @list) @value.new (#eq? @_m "new"))
((call receiver: (_) @inner method: (identifier) @_m) @value.pass
  (#any-of? @_m "freeze" "dup" "clone" "tap" "itself" "extend" "instance_eval"))
((call receiver: (_) @inner method: (identifier) @name) @value.named (#eq? @name "class"))
((call receiver: (_) @inner method: (identifier) @_m) @value.element
  (#any-of? @_m "first" "last" "pop" "shift" "sample"))
(call method: (identifier) @inner arguments: (_)? @list) @value.call

(parenthesized_statements) @value.last
(body_statement) @value.last
(block_body) @value.last
(begin) @value.last
[(rescue) (ensure)] @value.omitted
(then) @value.last
(else) @value.last
(assignment right: (_) @inner) @value.pass
(operator_assignment left: (_) @inner operator: "||=" right: (_) @other) @value.union
(conditional consequence: (_) @inner alternative: (_) @other) @value.union
(if consequence: (_) @inner alternative: (_) @other) @value.union
(unless consequence: (_) @inner alternative: (_) @other) @value.union
(elsif consequence: (_) @inner alternative: (_) @other) @value.union
(if consequence: (_) @inner) @value.pass
(elsif consequence: (_) @inner) @value.pass
(if_modifier body: (_) @inner) @value.pass
(unless_modifier body: (_) @inner) @value.pass
(rescue_modifier body: (_) @inner) @value.pass
(binary left: (_) @inner operator: "||" right: (_) @other) @value.union
(binary left: (_) @inner operator: "or" right: (_) @other) @value.union
(binary operator: "&&" right: (_) @inner) @value.pass
(binary operator: "and" right: (_) @inner) @value.pass
(element_reference object: (_) @object) @value.item.any
[(array) (right_assignment_list)] @value.tuple
(hash) @value.array
(pair value: (_) @inner) @value.pass

[(string) (chained_string) (heredoc_beginning) (subshell)] @value.language.String
[(simple_symbol) (delimited_symbol)] @value.language.Symbol
[(integer) (float) (rational) (complex)] @value.language.Integer
(regex) @value.language.Regexp
(range) @value.language.Range
(lambda) @value.language.Proc
[(string_array) (symbol_array)] @value.language.Array
[(true) (false)] @value.language.Object
(nil) @value.nothing

(return (argument_list (_) @value)) @return

(optional_parameter name: (_) @name value: (_) @value) @parameter.optional
(keyword_parameter name: (_) @name value: (_) @value) @parameter.optional
(keyword_parameter name: (_) @name) @parameter
(splat_parameter name: (_)? @name) @parameter.rest
(hash_splat_parameter name: (_)? @name) @parameter.rest
(block_parameter name: (_)? @name) @parameter.optional
