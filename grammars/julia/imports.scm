; include("a.jl"), using A
(call_expression
  . (identifier) @_f
  (argument_list . (string_literal) @source)
  (#eq? @_f "include")) @import.include
(using_statement (identifier) @source) @import
(import_statement (import_path) @source) @import
