; require "a", require_relative "b"
(call
  !receiver
  method: (identifier) @_m
  arguments: (argument_list . (string (string_content) @source))
  (#eq? @_m "require")) @import
(call
  !receiver
  method: (identifier) @_m
  arguments: (argument_list . (string (string_content) @source))
  (#any-of? @_m "require_relative" "load")) @import.include
(call
  !receiver
  method: (identifier) @_m
  arguments: (argument_list . (simple_symbol) . (string (string_content) @source))
  (#eq? @_m "autoload")) @import
