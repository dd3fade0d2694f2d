; Julia: modules, functions in both forms, macros, types with fields, constants and variables of the
; top level.
(line_comment) @comment.run
(block_comment) @comment.run
(string_literal) @documentation.adjacent
["const" "global" "mutable"] @modifier
(const_statement) @wrapper
(global_statement) @wrapper

(module_definition name: (_) @name) @symbol.class.module
(abstract_definition (type_head (identifier) @name)) @symbol.type.abstract
(abstract_definition (type_head (binary_expression . (identifier) @name))) @symbol.type.abstract
(abstract_definition (type_head (parametrized_type_expression . (identifier) @name))) @symbol.type.abstract
(abstract_definition
  (type_head (binary_expression . (parametrized_type_expression . (identifier) @name)))) @symbol.type.abstract
(primitive_definition (type_head (identifier) @name)) @symbol.type.primitive
(primitive_definition (type_head (binary_expression . (identifier) @name))) @symbol.type.primitive
(struct_definition (type_head (identifier) @name)) @symbol.class.struct
(struct_definition (type_head (binary_expression . (identifier) @name))) @symbol.class.struct
(struct_definition (type_head (parametrized_type_expression . (identifier) @name))) @symbol.class.struct
(struct_definition
  (type_head (binary_expression . (parametrized_type_expression . (identifier) @name)))) @symbol.class.struct
(macrocall_expression
  (macro_identifier (identifier) @_m)
  (macro_argument_list . (identifier) @name)
  (#eq? @_m "enum")) @symbol.type.enum
(struct_definition (typed_expression) @owned)
(typed_expression . (identifier) @name) @symbol.property.member_field
(struct_definition (identifier) @bind.member)

(macro_definition (signature (call_expression . (identifier) @name))) @symbol.function.macro
; function f(x) end, f(x) = 1, with a type, with `where`, of another module.
(function_definition (signature (identifier) @name)) @symbol.function.function
(function_definition (signature (call_expression . (identifier) @name))) @symbol.function.function
(assignment . (call_expression . (identifier) @name)) @symbol.function.function
(function_definition (signature (typed_expression . (call_expression . (identifier) @name)))) @symbol.function.function
(assignment . (typed_expression . (call_expression . (identifier) @name))) @symbol.function.function
(function_definition (signature (where_expression . (call_expression . (identifier) @name)))) @symbol.function.function
(assignment . (where_expression . (call_expression . (identifier) @name))) @symbol.function.function
(function_definition (signature (where_expression . (typed_expression . (call_expression . (identifier) @name))))) @symbol.function.function
(assignment . (where_expression . (typed_expression . (call_expression . (identifier) @name)))) @symbol.function.function
(function_definition (signature (where_expression . (where_expression . (call_expression . (identifier) @name))))) @symbol.function.function
(assignment . (where_expression . (where_expression . (call_expression . (identifier) @name)))) @symbol.function.function
(function_definition (signature (call_expression . (operator) @name))) @symbol.function.function
(assignment . (call_expression . (operator) @name)) @symbol.function.function
(function_definition (signature (typed_expression . (call_expression . (operator) @name)))) @symbol.function.function
(assignment . (typed_expression . (call_expression . (operator) @name))) @symbol.function.function
(function_definition (signature (where_expression . (call_expression . (operator) @name)))) @symbol.function.function
(assignment . (where_expression . (call_expression . (operator) @name))) @symbol.function.function
(function_definition (signature (where_expression . (typed_expression . (call_expression . (operator) @name))))) @symbol.function.function
(assignment . (where_expression . (typed_expression . (call_expression . (operator) @name)))) @symbol.function.function
(function_definition (signature (where_expression . (where_expression . (call_expression . (operator) @name))))) @symbol.function.function
(assignment . (where_expression . (where_expression . (call_expression . (operator) @name)))) @symbol.function.function
(function_definition (signature (call_expression . (field_expression (_) (identifier) @name)))) @symbol.function.function
(assignment . (call_expression . (field_expression (_) (identifier) @name))) @symbol.function.function
(function_definition (signature (typed_expression . (call_expression . (field_expression (_) (identifier) @name))))) @symbol.function.function
(assignment . (typed_expression . (call_expression . (field_expression (_) (identifier) @name)))) @symbol.function.function
(function_definition (signature (where_expression . (call_expression . (field_expression (_) (identifier) @name))))) @symbol.function.function
(assignment . (where_expression . (call_expression . (field_expression (_) (identifier) @name)))) @symbol.function.function
(function_definition (signature (where_expression . (typed_expression . (call_expression . (field_expression (_) (identifier) @name)))))) @symbol.function.function
(assignment . (where_expression . (typed_expression . (call_expression . (field_expression (_) (identifier) @name))))) @symbol.function.function
(function_definition (signature (where_expression . (where_expression . (call_expression . (field_expression (_) (identifier) @name)))))) @symbol.function.function
(assignment . (where_expression . (where_expression . (call_expression . (field_expression (_) (identifier) @name))))) @symbol.function.function
(function_definition (signature (call_expression . (parametrized_type_expression . (identifier) @name)))) @symbol.function.function
(assignment . (call_expression . (parametrized_type_expression . (identifier) @name))) @symbol.function.function
(function_definition (signature (typed_expression . (call_expression . (parametrized_type_expression . (identifier) @name))))) @symbol.function.function
(assignment . (typed_expression . (call_expression . (parametrized_type_expression . (identifier) @name)))) @symbol.function.function
(function_definition (signature (where_expression . (call_expression . (parametrized_type_expression . (identifier) @name))))) @symbol.function.function
(assignment . (where_expression . (call_expression . (parametrized_type_expression . (identifier) @name)))) @symbol.function.function
(function_definition (signature (where_expression . (typed_expression . (call_expression . (parametrized_type_expression . (identifier) @name)))))) @symbol.function.function
(assignment . (where_expression . (typed_expression . (call_expression . (parametrized_type_expression . (identifier) @name))))) @symbol.function.function
(function_definition (signature (where_expression . (where_expression . (call_expression . (parametrized_type_expression . (identifier) @name)))))) @symbol.function.function
(assignment . (where_expression . (where_expression . (call_expression . (parametrized_type_expression . (identifier) @name))))) @symbol.function.function
(const_statement (assignment . (operator) @name)) @symbol.function.operator
(assignment . (identifier) @name (operator) (arrow_function_expression) @body) @symbol.function.function
(assignment . (identifier) @name) @symbol.variable.outer_variable
