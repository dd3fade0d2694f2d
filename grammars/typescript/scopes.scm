(abstract_class_declaration name: (_) @start) @scope.class
(interface_declaration name: (_) type_parameters: (_) @start) @scope.type_parameters
(type_alias_declaration type_parameters: (_) @start) @scope.type_parameters
(conditional_type) @scope.type_parameters
(function_signature parameters: (_) @start) @scope.function
(abstract_method_signature parameters: (_) @start) @scope.function
(method_signature parameters: (_) @start) @scope.function
(function_type) @scope.function
(constructor_type) @scope.function
(call_signature) @scope.function
(construct_signature) @scope.function
(index_signature) @scope.type_parameters
(enum_declaration body: (_) @start) @scope.namespace
(internal_module body: (_) @start) @scope.namespace
(module body: (_) @start) @scope.namespace
(ambient_declaration "global" (statement_block) @start) @scope.global

(required_parameter value: (_)? @value) @declarator
(optional_parameter value: (_)? @value) @declarator

(required_parameter pattern: (_) @inherit)
(required_parameter value: (_) @read)
(required_parameter name: (_) @none)
(optional_parameter pattern: (_) @inherit)
(optional_parameter value: (_) @read)
(optional_parameter name: (_) @none)
(index_signature name: (_) @none)
(type_parameter name: (_) @bind.type_parameter)
(mapped_type_clause name: (_) @bind.type_parameter)
(infer_type (type_identifier) @bind.type_parameter)
(enum_body name: (_) @bind.member)
