(import_spec name: (_)? @name path: (_) @source) @import.package
