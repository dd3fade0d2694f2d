; A function's parameters and results are seen in its body alone; its block is their scope.
(function_declaration parameters: (_) @start) @scope.function
(method_declaration receiver: (_) @start) @scope.function
(func_literal parameters: (_) @start) @scope.function
(function_type parameters: (parameter_list (parameter_declaration name: (_)))) @scope.function
(method_elem parameters: (parameter_list (parameter_declaration name: (_)))) @scope.function
(type_spec type_parameters: (_) @start) @scope.type_parameters
(type_alias type_parameters: (_) @start) @scope.type_parameters
(block) @scope.inner
(if_statement) @scope.inner
(for_statement) @scope.inner
(expression_switch_statement) @scope.inner
(type_switch_statement) @scope.inner
(expression_case) @scope.inner
(default_case) @scope.inner
(type_case) @scope.inner
(communication_case) @scope.inner

; The receiver's type, which has the method and the type parameters.
(method_declaration
  receiver: (parameter_list (parameter_declaration
    type: (generic_type type: (_) @type type_arguments: (_) @list)))) @apart
(method_declaration
  receiver: (parameter_list (parameter_declaration
    type: (pointer_type (generic_type type: (_) @type type_arguments: (_) @list))))) @apart
(method_declaration
  receiver: (parameter_list (parameter_declaration type: (type_identifier) @type))) @apart
(method_declaration
  receiver: (parameter_list (parameter_declaration
    type: (pointer_type (type_identifier) @type)))) @apart

; What a struct or an interface embeds.
(field_declaration !name type: (_) @type) @embedded
(type_elem . (_) @type) @embedded

; Names are seen behind the statement that declares them.
(short_var_declaration right: (_) @value) @declarator.late
(var_spec value: (_)? @value) @declarator.late
(const_spec value: (_)? @value) @declarator.repeated
(parameter_declaration) @declarator.late
(variadic_parameter_declaration) @declarator.late
(range_clause right: (_) @ranged) @declarator.late
(receive_statement right: (_) @value) @declarator.late
(type_switch_statement value: (_) @value) @declarator

(short_var_declaration left: (_) @bind.assign)
(parameter_declaration name: (_) @bind.parameter)
(variadic_parameter_declaration name: (_) @bind.parameter)
(type_parameter_declaration name: (_) @bind.type_parameter)
(const_spec name: (identifier) @bind.variable)
(var_spec name: (identifier) @bind.variable)
(type_switch_statement alias: (_) @bind.local)
(type_case) @clause

; With := they declare, with = they assign.
(range_clause) @declaration.none
(range_clause ":=") @declaration.let
(range_clause left: (_) @bind.variable)
(receive_statement) @declaration.none
(receive_statement ":=") @declaration.let
(receive_statement left: (_) @bind.variable)
