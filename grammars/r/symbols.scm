; R: functions, classes of S4, R6 and reference classes with their methods, variables of the top level.
(comment) @comment.run

(binary_operator
  lhs: (identifier) @name
  operator: ["<-" "=" "<<-"]
  rhs: (function_definition body: (_) @body)) @symbol.function.function
(binary_operator
  lhs: (string content: (_) @name)
  operator: ["<-" "=" "<<-"]
  rhs: (function_definition body: (_) @body)) @symbol.function.function
(binary_operator
  lhs: (function_definition body: (_) @body)
  operator: ["->" "->>"]
  rhs: (identifier) @name) @symbol.function.function

; A <- R6Class("A", public = list(f = function() 1)), setClass("A"), setMethod("f", "A", ...)
(binary_operator
  lhs: (identifier) @name
  operator: ["<-" "="]
  rhs: (call function: (identifier) @_f)
  (#any-of? @_f "R6Class" "setRefClass" "setClass" "ggproto" "new_class")) @symbol.class.class
(call
  function: (identifier) @_f
  arguments: (arguments . (argument value: (string content: (_) @name)))
  (#any-of? @_f "setClass" "setRefClass" "setClassUnion")) @symbol.class.class
(call
  function: (identifier) @_f
  arguments: (arguments . (argument value: (string content: (_) @name)))
  (#eq? @_f "setGeneric")) @symbol.function.generic
(call
  function: (identifier) @_f
  arguments: (arguments . (argument value: (string content: (_) @name)))
  (#any-of? @_f "setMethod" "setReplaceMethod")) @symbol.method.method
(argument
  name: (identifier) @name
  value: (function_definition body: (_) @body)) @symbol.method.member_method

(binary_operator rhs: (call) @owned)
(call arguments: (_) @owned)
(arguments argument: (_) @owned)
(argument value: (call) @owned)

(binary_operator
  lhs: (identifier) @name
  operator: ["<-" "=" "<<-"]
  rhs: (_) @value) @symbol.variable.outer_variable
