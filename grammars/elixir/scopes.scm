(source) @forms

; Enough to tell what stands in a module or function from what stands outside.
(call
  target: (identifier) @_d
  (do_block)
  (#any-of? @_d "defmodule" "defprotocol" "defimpl")) @scope.class
(call
  target: (identifier) @_d
  (#any-of? @_d "def" "defp" "defmacro" "defmacrop" "defn" "defnp" "test" "quote")) @scope.function
(anonymous_function) @scope.function
