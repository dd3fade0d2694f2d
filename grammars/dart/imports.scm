; import "a.dart", export "a.dart", part "a.dart"
(import_specification (configurable_uri (uri) @source)) @import
(library_export (configurable_uri (uri) @source)) @import
(part_directive (uri) @source) @import.include
(part_of_directive (uri) @source) @import.include
