; Regions of names. A block sees what is around it, and binds what nothing there does.
(module) @scope.class
(class) @scope.class
(singleton_class) @scope.class
(method) @scope.function
(singleton_method) @scope.function
(block) @scope.comprehension
(do_block) @scope.comprehension
(lambda) @scope.comprehension

(method parameters: (_) @bind.parameter)
(singleton_method parameters: (_) @bind.parameter)
(block parameters: (_) @bind.parameter)
(do_block parameters: (_) @bind.parameter)
(lambda parameters: (_) @bind.parameter)
(method_parameters (_) @inherit)
(block_parameters (_) @inherit)
(lambda_parameters (_) @inherit)
(destructured_parameter (_) @inherit)
(optional_parameter name: (_) @bind.parameter)
(optional_parameter value: (_) @read)
(keyword_parameter name: (_) @bind.parameter)
(keyword_parameter value: (_) @read)
(splat_parameter name: (_) @bind.parameter)
(hash_splat_parameter name: (_) @bind.parameter)
(block_parameter name: (_) @bind.parameter)
(optional_parameter value: (_) @value) @declarator
(keyword_parameter value: (_) @value) @declarator

(assignment right: (_) @value) @declarator
(operator_assignment operator: "||=" right: (_) @value) @declarator

; rescue A => e
(rescue
  exceptions: (exceptions . (_) @type)
  variable: (exception_variable (identifier) @name)) @local

; in [a, { key: b }] => c
(as_pattern name: (_) @bind.own)
(array_pattern (identifier) @bind.own)
(find_pattern (identifier) @bind.own)
(keyword_pattern value: (identifier) @bind.own)
(in_clause pattern: (identifier) @bind.own)
(alternative_pattern alternatives: (_) @inherit)

; What a class includes, or is made of, is above it.
(class body: (_) @owned)
(module body: (_) @owned)
(singleton_class body: (_) @owned)
(body_statement (call) @owned)
(body_statement (singleton_class) @owned)
((call
  !receiver
  method: (identifier) @_m
  arguments: (argument_list) @list) @embedded
  (#any-of? @_m "include" "extend" "prepend"))
