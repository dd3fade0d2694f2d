(import_statement) @import.list
(import_from_statement module_name: (_) @source) @import.from
(future_import_statement) @import.future

(call
  function: (attribute object: (identifier) @_o attribute: (identifier) @_a)
  arguments: (argument_list . (string) @source)
  (#eq? @_o "importlib") (#eq? @_a "import_module")) @import.dynamic
(call
  function: (identifier) @_f
  arguments: (argument_list . (string) @source)
  (#any-of? @_f "__import__" "import_module")) @import.dynamic

(assignment left: (identifier) @_n right: (_) @list (#eq? @_n "__all__")) @export.all
(augmented_assignment left: (identifier) @_n right: (_) @list (#eq? @_n "__all__")) @export.all
(call
  function: (attribute object: (identifier) @_o attribute: (identifier) @_a)
  arguments: (argument_list . (_) @list)
  (#eq? @_o "__all__") (#any-of? @_a "extend" "append")) @export.all

(if_statement) @conditional
(try_statement) @conditional
(match_statement) @conditional
(if_statement
  condition: (_) @_c
  consequence: (_) @block
  (#any-of? @_c "TYPE_CHECKING" "typing.TYPE_CHECKING" "t.TYPE_CHECKING" "te.TYPE_CHECKING" "typing_extensions.TYPE_CHECKING")) @type_checking
