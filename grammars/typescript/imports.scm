(import_statement "type" source: (string) @source) @import.type
(import_specifier "type" name: (_) @name alias: (_)? @alias) @import.specifier.type
(import_require_clause (identifier) @name source: (string) @source) @import.equals
(module name: (string) @source) @import.declared
(export_statement "type" (export_clause) source: (string) @source) @export.from.type
(export_statement "=" (_) @value) @export.assign
