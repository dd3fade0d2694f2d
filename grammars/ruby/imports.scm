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
