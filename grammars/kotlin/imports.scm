(package_header (qualified_identifier) @name) @package.name
; import a.b.C, import a.b.c as d, import a.b.*
(import . (qualified_identifier) @source . (identifier) @alias) @import.qualified
(import . (qualified_identifier) @source "*") @import.qualified
(import . (qualified_identifier) @source) @import.qualified
