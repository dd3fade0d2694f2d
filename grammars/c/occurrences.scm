; Tags have a name space of their own.
(null) @identifier
(struct_specifier name: (_) @tag)
(union_specifier name: (_) @tag)
(enum_specifier name: (_) @tag)
