; @import "a.css"; url(a.png)
(import_statement (string_value) @source) @import.include
(call_expression
  (function_name) @_f
  (arguments [(string_value) (plain_value)] @source)
  (#eq? @_f "url")
  (#not-holds? @source "data:")) @import.include
