; Enough to tell what stands in a sub from what stands outside.
(subroutine_declaration_statement) @scope.function
(method_declaration_statement) @scope.function
(anonymous_subroutine_expression) @scope.function
