; OCaml: functions and values of modules, modules and their types, types with constructors and
; fields, classes with methods, exceptions.
(comment) @comment.run

(let_binding pattern: (value_name) @name (parameter) body: (_)? @body) @symbol.function.function
(let_binding pattern: (parenthesized_operator (_) @name) body: (_)? @body) @symbol.function.operator
(let_binding pattern: (value_name) @name body: (fun_expression) @body) @symbol.function.function
(let_binding pattern: (value_name) @name body: (function_expression) @body) @symbol.function.function
(let_binding
  pattern: (value_name) @name
  body: (_)? @value
  (#not-eq? @name "_")) @symbol.variable.outer_variable
(value_definition) @wrapper
(external (value_name) @name) @symbol.function.external
(value_specification (value_name) @name type: (function_type)) @symbol.function.function
(value_specification (value_name) @name) @symbol.variable.outer_variable
(value_specification (parenthesized_operator (_) @name)) @symbol.function.operator

(module_definition) @wrapper
(module_binding (module_name) @name body: (_)? @body) @symbol.class.module
(module_type_definition (module_type_name) @name body: (_)? @body) @symbol.interface.module_type
(type_definition) @wrapper
(type_binding name: (type_constructor) @name) @symbol.type.type
(constructor_declaration (constructor_name) @name) @symbol.property.member_constructor
(field_declaration (field_name) @name) @symbol.property.field
(exception_definition (constructor_declaration (constructor_name) @name)) @symbol.type.exception
(class_definition) @wrapper
(class_binding (class_name) @name body: (_)? @body) @symbol.class.class
(class_type_definition) @wrapper
(class_type_binding (class_type_name) @name) @symbol.interface.class_type
(method_definition (method_name) @name body: (_)? @body) @symbol.method.method
(method_specification (method_name) @name) @symbol.method.method
(instance_variable_definition (instance_variable_name) @name) @symbol.property.field

(type_binding body: (_) @owned)
(variant_declaration (constructor_declaration) @owned)
