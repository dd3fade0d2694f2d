; What JavaScript, TypeScript and TSX have in common. Capture names: src/parse/rules/capture_table.h.

; Statements that a declaration's range and modifiers reach up to.
(export_statement) @wrapper.export
(lexical_declaration) @wrapper
(variable_declaration) @wrapper
(expression_statement) @wrapper

(decorator) @decorator
(comment) @comment
["async" "static" "get" "set" "export" "default"] @modifier

; Functions and classes.
(function_declaration name: (_) @name body: (_)? @body) @bound.function.function
(generator_function_declaration name: (_) @name body: (_)? @body) @bound.function.generator
(function_expression name: (_) @name body: (_)? @body) @symbol.function.function
(generator_function name: (_) @name body: (_)? @body) @symbol.function.generator
(class_declaration name: (_) @name body: (_)? @body) @bound.class.class
(class name: (_) @name body: (_)? @body) @symbol.class.class

; Functions and classes that get their name by assignment.
(variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression)] @value) @bound.function.function
(variable_declarator
  name: (identifier) @name
  value: (parenthesized_expression [(arrow_function) (function_expression)] @value)) @bound.function.function
(variable_declarator name: (identifier) @name value: (generator_function) @value) @bound.function.generator
(variable_declarator name: (identifier) @name value: (class) @value) @bound.class.class

; Members of classes.
(method_definition name: (_) @name body: (_) @body (#eq? @name "constructor")) @symbol.method.constructor
(method_definition "get" name: (_) @name body: (_) @body) @symbol.property.getter
(method_definition "set" name: (_) @name body: (_) @body) @symbol.property.setter
(method_definition "*" name: (_) @name body: (_) @body) @symbol.method.generator
(method_definition name: (_) @name body: (_) @body) @symbol.method.method

; Members of objects that have a name.
(pair key: (_) @name value: [(arrow_function) (function_expression) (generator_function)] @value) @symbol.method.method
(pair key: (_) @name value: (_) @value) @symbol.property.member_property

(variable_declarator value: (_) @owned)
(object (pair) @owned)
(object (shorthand_property_identifier) @owned)
(object (method_definition) @owned)
(pair value: (_) @owned)
(class_declaration body: (_) @owned)
(class body: (_) @owned)
(export_statement value: (_) @owned)

; X.y = function, X.prototype.y = function.
(assignment_expression
  left: (member_expression
    object: (member_expression object: (identifier) @object property: (property_identifier) @_p)
    property: (_) @name)
  right: (_) @value
  (#eq? @_p "prototype")) @member_assignment
(assignment_expression
  left: (member_expression object: (identifier) @object property: (_) @name)
  right: (_) @value
  (#not-any-of? @object "exports" "module")) @member_assignment
(assignment_expression
  left: (member_expression
    object: (member_expression object: (_) @_m property: (property_identifier) @_p) @object
    property: (_) @name)
  right: [(function_expression) (arrow_function) (generator_function)] @value
  (#not-eq? @_m "module") (#not-eq? @_p "prototype")) @member_assignment

; require("x").y = function, f().y = function.
(assignment_expression
  left: (member_expression object: (call_expression) @object property: (_) @name)
  right: [(function_expression) (arrow_function) (generator_function)] @value) @member_assignment

; The value of an assignment is what the assignment's symbol holds.
(assignment_expression right: (_) @owned)
