; A variable without a package is a lexical one, unless the file declares it otherwise.
(bareword) @words
(package) @words.type
(function) @words.call
(method) @words.call
(scalar (varname) @list) @words.declared
(array (varname) @list) @words.declared
(hash (varname) @list) @words.declared
(container_variable (varname) @list) @words.declared
(glob (varname) @list) @words.write

; extends "A"; with "A"
(ambiguous_function_call_expression
  function: (function) @_f
  arguments: (string_literal content: (_) @list)
  (#any-of? @_f "extends" "with")) @words.type
