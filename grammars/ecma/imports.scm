; import ... from, import "x".
(import_statement source: (string) @source) @import
(import_clause (identifier) @import.default)
(namespace_import (identifier) @import.namespace)
(import_specifier name: _ @name alias: (_)? @alias) @import.specifier

; require and import().
(call_expression
  function: (identifier) @_f
  arguments: (arguments . [(string) (template_string)] @source)
  (#eq? @_f "require")) @import.require
(call_expression function: (import) arguments: (arguments . [(string) (template_string)] @source)) @import.dynamic
(variable_declarator
  value: (call_expression
    function: (identifier) @_f
    arguments: (arguments . [(string) (template_string)] @source)) @inner
  (#eq? @_f "require")) @import.require.declarator
(variable_declarator
  value: (member_expression
    object: (call_expression
      function: (identifier) @_f
      arguments: (arguments . [(string) (template_string)] @source)) @inner
    property: (property_identifier) @other)
  (#eq? @_f "require")) @import.require.declarator
(variable_declarator
  value: (await_expression
    (call_expression function: (import) arguments: (arguments . [(string) (template_string)] @source)) @inner)) @import.dynamic.declarator

; Exports.
(export_statement "*" source: (string) @source) @export.star
(export_statement (namespace_export (_) @name) source: (string) @source) @export.namespace
(export_statement (export_clause) source: (string) @source) @export.from
(export_specifier name: _ @name alias: _? @alias) @export.specifier
(export_statement "default" value: (_) @value) @export.default

; CommonJS.
(assignment_expression
  left: (member_expression object: (identifier) @_m property: (property_identifier) @_e)
  right: (_) @value
  (#eq? @_m "module") (#eq? @_e "exports")) @module_exports
(assignment_expression
  left: (identifier) @_m
  right: (assignment_expression) @value
  (#eq? @_m "exports")) @module_exports
(assignment_expression
  left: (member_expression object: (identifier) @_m property: (_) @name)
  right: (_) @value
  (#eq? @_m "exports")) @exports_assignment
(assignment_expression
  left: (member_expression
    object: (member_expression object: (identifier) @_m property: (property_identifier) @_e)
    property: (_) @name)
  right: (_) @value
  (#eq? @_m "module") (#eq? @_e "exports")) @exports_assignment
(pair key: (_) @name value: (_) @value) @export.member
(method_definition name: (_) @name) @export.member

; An import in one of these may not happen.
(if_statement) @conditional
(try_statement) @conditional
(ternary_expression) @conditional
