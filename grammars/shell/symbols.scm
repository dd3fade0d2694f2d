; Shell: functions, and variables that are set outside of them.
(comment) @comment.run

(function_definition name: (_) @name body: (_) @body) @symbol.function.function

(declaration_command) @wrapper
["readonly" "declare" "typeset" "export" "local"] @modifier
(variable_assignment name: (variable_name)) @declarator

(program (_) @bind.assign)
(if_statement (_) @inherit)
(elif_clause (_) @inherit)
(else_clause (_) @inherit)
(list (_) @inherit)
(compound_statement (_) @inherit)
(do_group (_) @inherit)
(redirected_statement (_) @inherit)
(case_statement (case_item) @inherit)
(case_item value: (_) @none)
(case_item (_) @inherit)
(while_statement body: (_) @inherit)
(for_statement body: (_) @inherit)
(function_definition body: (_) @write)
(declaration_command (variable_assignment) @inherit)
(declaration_command (_) @write)
(variable_assignments (variable_assignment) @inherit)
(variable_assignment name: (variable_name) @inherit)
(variable_assignment name: (subscript) @write)
