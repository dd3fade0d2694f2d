; Enough to tell what stands in a contract or function from what stands outside.
(contract_declaration) @scope.class
(interface_declaration) @scope.class
(library_declaration) @scope.class
(function_definition) @scope.function
(modifier_definition) @scope.function
(constructor_definition) @scope.function
(fallback_receive_definition) @scope.function
