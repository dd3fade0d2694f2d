; @import("a.zig")
(builtin_function
  (builtin_identifier) @_f
  (arguments (string) @source)
  (#eq? @_f "@import")) @import
