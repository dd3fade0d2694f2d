(package_declaration [(identifier) (scoped_identifier)] @name) @package.name
(import_declaration [(identifier) (scoped_identifier)] @source) @import.qualified
