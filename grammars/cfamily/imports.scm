(preproc_include path: (string_literal) @source) @import.include
(preproc_include path: (system_lib_string) @source) @import.include
