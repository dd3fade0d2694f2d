(function_item parameters: (_) @start) @scope.function
(function_signature_item parameters: (_) @start) @scope.function
(closure_expression) @scope.function
(impl_item) @scope.class
(trait_item body: (_) @start) @scope.class
(struct_item type_parameters: (_) @start) @scope.type_parameters
(enum_item type_parameters: (_) @start) @scope.type_parameters
(union_item type_parameters: (_) @start) @scope.type_parameters
(type_item type_parameters: (_) @start) @scope.type_parameters
(mod_item body: (_) @start) @scope.namespace
(block) @scope.inner
(if_expression) @scope.inner
(while_expression) @scope.inner
(for_expression) @scope.inner
(match_arm) @scope.inner

(impl_item trait: (_) @other type: (_) @type) @extension
(impl_item !trait type: (_) @type) @extension

; Names of let are seen behind it.
(let_declaration value: (_)? @value) @declarator.late
(let_condition value: (_) @value) @declarator.late
(for_expression value: (_) @element) @declarator.late
(parameter) @declarator.late
(let_declaration pattern: (_) @bind.pattern)
(let_condition pattern: (_) @bind.pattern)
(for_expression pattern: (_) @bind.pattern)
(match_arm pattern: (_) @bind.pattern)
(match_pattern condition: (_) @read)
(match_pattern (_) @inherit)
(parameter pattern: (_) @bind.parameter)
(closure_parameters (_) @bind.parameter)
(self_parameter (self) @bind.parameter)
(type_parameter name: (_) @bind.type_parameter)
(const_parameter name: (_) @bind.type_parameter)
(where_predicate left: (type_identifier) @bind.type_parameter)

; Patterns.
(tuple_struct_pattern (_) @inherit.part)
(struct_pattern (field_pattern) @inherit.part)
(field_pattern name: (shorthand_field_identifier) @inherit.part)
(field_pattern pattern: (_) @inherit.part)
(tuple_pattern (_) @inherit.part)
(slice_pattern (_) @inherit.part)
(or_pattern (_) @inherit)
(ref_pattern (_) @inherit)
(mut_pattern (_) @inherit)
(reference_pattern (_) @inherit)
(captured_pattern (_) @inherit)
