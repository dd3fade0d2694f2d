; Haskell: functions and values, types with constructors and fields, classes. A signature and the
; equations behind it are one symbol.
(comment) @comment.run
(haddock) @comment.run

(header module: (module) @name) @package.name

(signature name: (variable) @name) @symbol.function.outer_clause_function
(signature name: (prefix_id (operator) @name)) @symbol.function.outer_clause_function
(signature names: (_) @list) @symbol.function.function
(function name: (variable) @name) @symbol.function.clause_function
(function name: (prefix_id (operator) @name)) @symbol.function.clause_function
(function (infix operator: (operator) @name)) @symbol.function.clause_function
(function (infix operator: (infix_id (variable) @name))) @symbol.function.clause_function
(bind name: (variable) @name) @symbol.function.outer_clause_function
(bind name: (prefix_id (operator) @name)) @symbol.function.outer_clause_function

(data_type name: (name) @name) @symbol.type.data
(data_type (infix operator: (_) @name)) @symbol.type.data
(newtype name: (_) @name) @symbol.type.newtype
(type_synomym name: (_) @name) @symbol.type.alias
(type_family name: (_) @name) @symbol.type.family
(data_family name: (_) @name) @symbol.type.family
(class name: (_) @name declarations: (_)? @body) @symbol.interface.class
; What an instance defines is of its class.
(instance name: (_) @name) @container

(data_constructor constructor: (record name: (constructor) @name)) @symbol.function.constructor
(data_constructor constructor: (prefix name: (constructor) @name)) @symbol.function.constructor
(data_constructor constructor: (infix operator: (_) @name)) @symbol.function.constructor
(newtype_constructor name: (constructor) @name) @symbol.function.constructor
(gadt_constructor name: (constructor) @name) @symbol.function.constructor
(pattern_synonym (equation synonym: (apply function: (constructor) @name))) @symbol.function.pattern
(pattern_synonym (equation synonym: (constructor) @name)) @symbol.function.pattern
(field_name (variable) @name) @symbol.property.member_field

(data_constructor constructor: (_) @owned)
(newtype_constructor field: (_) @owned)
(gadt_constructor type: (_) @owned)
(record fields: (_) @owned)
(record field: (_) @owned)
(fields field: (_) @owned)
(field name: (_) @owned)
