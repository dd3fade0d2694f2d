(variable_name) @identifier
(word) @identifier

; A word is a name where a command may be meant: run it, trap it EXIT.
(function_definition name: (_) @call)
(command_name (word) @call)
(command argument: (word) @read)
(concatenation (word) @none)
(array (word) @none)
(variable_assignment value: (word) @none)
(for_statement value: (word) @none)
(for_statement variable: (_) @write)
(case_statement value: (word) @none)
(file_redirect destination: (word) @none)
(herestring_redirect (word) @none)
(subscript name: (_) @inherit)
