; Lua: functions, methods of tables, top-level variables and tables with what they hold.
(comment) @comment.run

["local"] @modifier
(variable_declaration) @wrapper

(function_declaration name: (identifier) @name body: (_)? @body) @symbol.function.function
(function_declaration
  name: (dot_index_expression table: (_) @container field: (_) @name)
  body: (_)? @body) @symbol.function.function
(function_declaration
  name: (method_index_expression table: (_) @container method: (_) @name)
  body: (_)? @body) @symbol.method.method

; Functions that get their name by assignment.
(assignment_statement
  (variable_list name: (identifier) @name)
  (expression_list value: (function_definition) @value)) @symbol.function.function
(assignment_statement
  (variable_list name: (dot_index_expression table: (_) @container field: (_) @name))
  (expression_list value: (function_definition) @value)) @symbol.function.function
(field name: (identifier) @name value: (function_definition) @value) @symbol.function.function

; local a = require("b") is an import.
(assignment_statement (variable_list) (expression_list)) @declarator
(assignment_statement
  (expression_list value: (function_call name: (identifier) @_f arguments: (arguments (string) @source)) @inner)
  (#eq? @_f "require")) @import.require.declarator

; Tables and what they hold; M.a = 1.
(assignment_statement
  (variable_list name: (identifier) @name)
  (expression_list value: (table_constructor) @value)) @symbol.variable.outer_table
(assignment_statement
  (variable_list name: (dot_index_expression table: (identifier) @container field: (_) @name))
  (expression_list value: (_) @value)) @symbol.property.outer_field
(field name: (identifier) @name value: (_) @value) @symbol.property.member_field

(assignment_statement (expression_list) @owned)
(expression_list (table_constructor) @owned)
(field value: (table_constructor) @owned)
(table_constructor (field) @owned)

; Other variables of the top level.
(assignment_statement) @wrapper
(chunk (assignment_statement) @bind.assign)
(block (assignment_statement) @write)
(variable_declaration (_) @bind.assign)
(assignment_statement (variable_list) @inherit)
(variable_list name: (identifier) @inherit)
