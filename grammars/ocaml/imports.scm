; open A.B
(open_module module: (module_path) @source) @import
