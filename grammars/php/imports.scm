; use A\B as C; require "a.php".
(namespace_use_clause . (_) @source) @import
(namespace_use_clause (_) @import.name)
(require_expression (string) @source) @import.include
(require_once_expression (string) @source) @import.include
(include_expression (string) @source) @import.include
(include_once_expression (string) @source) @import.include
