; using A.B;  using static A.B.C;  using X = A.B;  global using A.B;
(using_directive name: (_) @name "=" (_) @source) @import.namespace
(using_directive [(identifier) (qualified_name) (generic_name) (alias_qualified_name)] @source) @import.namespace
