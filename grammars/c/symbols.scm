; C's names of the file are bound in it; tags have a name space of their own.
(parameter_declaration) @declarators.variable.parameter
(preproc_def name: (_) @name value: (_)? @value) @bound.variable.macro
(preproc_function_def name: (_) @name value: (_)? @body) @bound.function.macro
(enumerator name: (_) @name) @bound.property.outer_enum_member
