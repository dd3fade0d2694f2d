; use A\B as C; require "a.php"; require __DIR__ . "/a.php";
(namespace_use_declaration) @import.use
(namespace_use_declaration) @skip
(require_expression (string) @source) @import.include
(require_once_expression (string) @source) @import.include
(include_expression (string) @source) @import.include
(include_once_expression (string) @source) @import.include
((require_expression (binary_expression left: (name) @_d right: (string) @source)) @import.include (#eq? @_d "__DIR__"))
((require_once_expression (binary_expression left: (name) @_d right: (string) @source)) @import.include (#eq? @_d "__DIR__"))
((include_expression (binary_expression left: (name) @_d right: (string) @source)) @import.include (#eq? @_d "__DIR__"))
((include_once_expression (binary_expression left: (name) @_d right: (string) @source)) @import.include (#eq? @_d "__DIR__"))
