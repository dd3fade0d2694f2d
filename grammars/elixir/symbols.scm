; Elixir: modules, protocols, implementations, functions and macros, types, callbacks, attributes,
; fields of structs, tests. The clauses of a function are one symbol.
(comment) @comment.run

(unary_operator
  operator: "@"
  operand: (call target: (identifier) @_a (arguments . (string) @value))
  (#any-of? @_a "doc" "typedoc" "shortdoc")) @documentation
(unary_operator
  operator: "@"
  operand: (call target: (identifier) @_a (arguments . (string) @value))
  (#eq? @_a "moduledoc")) @documentation.outer

(call
  target: (identifier) @_d
  (arguments . (alias) @name)
  (do_block) @body
  (#eq? @_d "defmodule")) @symbol.class.dotted_module
(call
  target: (identifier) @_d
  (arguments . (alias) @name)
  (do_block) @body
  (#eq? @_d "defprotocol")) @symbol.interface.dotted_protocol
(call
  target: (identifier) @_d
  (arguments . (alias) @name)
  (do_block) @body
  (#eq? @_d "defimpl")) @symbol.class.dotted_implementation

; def f(a), def f, and both with `when`; def a + b.
(call
  target: (identifier) @_d
  (arguments . (call target: (identifier) @name (arguments)? @other))
  (do_block)? @body
  (#any-of? @_d "def" "defn" "defdelegate")
  (#not-eq? @name "unquote")) @symbol.function.clause_function
(call
  target: (identifier) @_d
  (arguments . (identifier) @name)
  (do_block)? @body
  (#any-of? @_d "def" "defn" "defdelegate")
  (#not-eq? @name "unquote")) @symbol.function.clause_function
(call
  target: (identifier) @_d
  (arguments . (binary_operator left: (call target: (identifier) @name (arguments)? @other) operator: "when"))
  (do_block)? @body
  (#any-of? @_d "def" "defn" "defdelegate")
  (#not-eq? @name "unquote")) @symbol.function.clause_function
(call
  target: (identifier) @_d
  (arguments . (binary_operator left: (identifier) @name operator: "when"))
  (do_block)? @body
  (#any-of? @_d "def" "defn" "defdelegate")
  (#not-eq? @name "unquote")) @symbol.function.clause_function
(call
  target: (identifier) @_d
  (arguments . (binary_operator operator: _ @name))
  (do_block)? @body
  (#any-of? @_d "def" "defn" "defdelegate")
  (#not-eq? @name "unquote")) @symbol.function.clause_function
(call
  target: (identifier) @_d
  (arguments . (call target: (identifier) @name (arguments)? @other))
  (do_block)? @body
  (#any-of? @_d "defp" "defnp")
  (#not-eq? @name "unquote")) @symbol.function.private_clause_function
(call
  target: (identifier) @_d
  (arguments . (identifier) @name)
  (do_block)? @body
  (#any-of? @_d "defp" "defnp")
  (#not-eq? @name "unquote")) @symbol.function.private_clause_function
(call
  target: (identifier) @_d
  (arguments . (binary_operator left: (call target: (identifier) @name (arguments)? @other) operator: "when"))
  (do_block)? @body
  (#any-of? @_d "defp" "defnp")
  (#not-eq? @name "unquote")) @symbol.function.private_clause_function
(call
  target: (identifier) @_d
  (arguments . (binary_operator left: (identifier) @name operator: "when"))
  (do_block)? @body
  (#any-of? @_d "defp" "defnp")
  (#not-eq? @name "unquote")) @symbol.function.private_clause_function
(call
  target: (identifier) @_d
  (arguments . (binary_operator operator: _ @name))
  (do_block)? @body
  (#any-of? @_d "defp" "defnp")
  (#not-eq? @name "unquote")) @symbol.function.private_clause_function
(call
  target: (identifier) @_d
  (arguments . (call target: (identifier) @name (arguments)? @other))
  (do_block)? @body
  (#any-of? @_d "defmacro" "defguard")
  (#not-eq? @name "unquote")) @symbol.function.clause_macro
(call
  target: (identifier) @_d
  (arguments . (identifier) @name)
  (do_block)? @body
  (#any-of? @_d "defmacro" "defguard")
  (#not-eq? @name "unquote")) @symbol.function.clause_macro
(call
  target: (identifier) @_d
  (arguments . (binary_operator left: (call target: (identifier) @name (arguments)? @other) operator: "when"))
  (do_block)? @body
  (#any-of? @_d "defmacro" "defguard")
  (#not-eq? @name "unquote")) @symbol.function.clause_macro
(call
  target: (identifier) @_d
  (arguments . (binary_operator left: (identifier) @name operator: "when"))
  (do_block)? @body
  (#any-of? @_d "defmacro" "defguard")
  (#not-eq? @name "unquote")) @symbol.function.clause_macro
(call
  target: (identifier) @_d
  (arguments . (binary_operator operator: _ @name))
  (do_block)? @body
  (#any-of? @_d "defmacro" "defguard")
  (#not-eq? @name "unquote")) @symbol.function.clause_macro
(call
  target: (identifier) @_d
  (arguments . (call target: (identifier) @name (arguments)? @other))
  (do_block)? @body
  (#any-of? @_d "defmacrop" "defguardp")
  (#not-eq? @name "unquote")) @symbol.function.private_clause_macro
(call
  target: (identifier) @_d
  (arguments . (identifier) @name)
  (do_block)? @body
  (#any-of? @_d "defmacrop" "defguardp")
  (#not-eq? @name "unquote")) @symbol.function.private_clause_macro
(call
  target: (identifier) @_d
  (arguments . (binary_operator left: (call target: (identifier) @name (arguments)? @other) operator: "when"))
  (do_block)? @body
  (#any-of? @_d "defmacrop" "defguardp")
  (#not-eq? @name "unquote")) @symbol.function.private_clause_macro
(call
  target: (identifier) @_d
  (arguments . (binary_operator left: (identifier) @name operator: "when"))
  (do_block)? @body
  (#any-of? @_d "defmacrop" "defguardp")
  (#not-eq? @name "unquote")) @symbol.function.private_clause_macro
(call
  target: (identifier) @_d
  (arguments . (binary_operator operator: _ @name))
  (do_block)? @body
  (#any-of? @_d "defmacrop" "defguardp")
  (#not-eq? @name "unquote")) @symbol.function.private_clause_macro

; @type t :: ...; @callback f(t) :: ...; @limit 10.
(unary_operator
  operator: "@"
  operand: (call target: (identifier) @_a (arguments . (binary_operator left: (identifier) @name operator: "::")))
  (#any-of? @_a "type" "opaque")) @symbol.type.type
(unary_operator
  operator: "@"
  operand: (call target: (identifier) @_a (arguments . (binary_operator left: (identifier) @name operator: "::")))
  (#eq? @_a "typep")) @symbol.type.private_type
(unary_operator
  operator: "@"
  operand: (call target: (identifier) @_a (arguments . (binary_operator left: (identifier) @name operator: "::")))
  (#any-of? @_a "callback" "macrocallback")) @symbol.function.callback
(unary_operator
  operator: "@"
  operand: (call target: (identifier) @_a (arguments . (binary_operator left: (call target: (identifier) @name) operator: "::")))
  (#any-of? @_a "type" "opaque")) @symbol.type.type
(unary_operator
  operator: "@"
  operand: (call target: (identifier) @_a (arguments . (binary_operator left: (call target: (identifier) @name) operator: "::")))
  (#eq? @_a "typep")) @symbol.type.private_type
(unary_operator
  operator: "@"
  operand: (call target: (identifier) @_a (arguments . (binary_operator left: (call target: (identifier) @name) operator: "::")))
  (#any-of? @_a "callback" "macrocallback")) @symbol.function.callback
(unary_operator
  operator: "@"
  operand: (call
    target: (identifier) @_a
    (arguments . (binary_operator left: (binary_operator left: (identifier) @name operator: "::") operator: "when")))
  (#any-of? @_a "callback" "macrocallback")) @symbol.function.callback
(unary_operator
  operator: "@"
  operand: (call
    target: (identifier) @_a
    (arguments . (binary_operator left: (binary_operator left: (call target: (identifier) @name) operator: "::") operator: "when")))
  (#any-of? @_a "callback" "macrocallback")) @symbol.function.callback
(unary_operator
  operator: "@"
  operand: (call target: (identifier) @name (arguments . (_) @value))
  (#not-any-of? @name
    "after_compile" "before_compile" "behaviour" "callback" "compile" "deprecated" "derive" "dialyzer"
    "doc" "enforce_keys" "external_resource" "fallback_to_any" "impl" "macrocallback" "moduledoc"
    "moduletag" "on_definition" "on_load" "opaque" "optional_callbacks" "shortdoc" "since" "spec" "tag"
    "type" "typedoc" "typep" "vsn")) @symbol.variable.outer_attribute

(call
  target: (identifier) @_d
  (arguments . (string (quoted_content) @name))
  (do_block) @body
  (#eq? @_d "test")) @symbol.function.test
