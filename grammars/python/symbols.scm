; Statements that a definition's range and modifiers reach up to.
(decorated_definition) @wrapper
(expression_statement) @wrapper

(comment) @comment
["async"] @modifier
(decorator) @decorator
(decorator (identifier) @_d (#any-of? @_d "property" "cached_property" "abstractproperty")) @decorator.getter
(decorator (attribute attribute: (identifier) @_d) (#any-of? @_d "getter" "cached_property" "abstractproperty")) @decorator.getter
(decorator (attribute attribute: (identifier) @_d) (#eq? @_d "setter")) @decorator.setter
(decorator (attribute attribute: (identifier) @_d) (#eq? @_d "deleter")) @decorator.deleter

(expression_statement . (string) @value) @docstring
(expression_statement . (concatenated_string) @value) @docstring

; Functions and classes; a function in a class is a method.
(function_definition name: (_) @name body: (_)? @body (#eq? @name "__init__")) @bound.function.constructor
(function_definition name: (_) @name body: (_)? @body) @bound.function.function
(class_definition
  name: (_) @name
  superclasses: (argument_list . (identifier) @_b)
  body: (_) @body
  (#any-of? @_b "Enum" "IntEnum" "StrEnum" "Flag" "IntFlag")) @bound.class.enum
(class_definition
  name: (_) @name
  superclasses: (argument_list . (_) . (identifier) @_b)
  body: (_) @body
  (#any-of? @_b "Enum" "Flag")) @bound.class.enum
(class_definition
  name: (_) @name
  superclasses: (argument_list . (attribute attribute: (identifier) @_b))
  body: (_) @body
  (#any-of? @_b "Enum" "IntEnum" "StrEnum" "Flag" "IntFlag")) @bound.class.enum
(class_definition
  name: (_) @name
  superclasses: (argument_list . (_) . (attribute attribute: (identifier) @_b))
  body: (_) @body
  (#any-of? @_b "Enum" "Flag")) @bound.class.enum
(class_definition name: (_) @name body: (_)? @body) @bound.class.class

; Lambdas and types that get their name by assignment.
(assignment left: (identifier) @name right: (lambda) @value) @bound.function.lambda
(type_alias_statement left: (type (identifier) @name) right: (_) @type) @bound.type.type
(type_alias_statement left: (type (generic_type (identifier) @name)) right: (_) @type) @bound.type.type
(type_alias_statement left: (type (subscript value: (identifier) @name)) right: (_) @type) @bound.type.type
(assignment
  left: (identifier) @name
  type: (type (_) @_t)
  right: (_)? @value
  (#any-of? @_t "TypeAlias" "typing.TypeAlias" "t.TypeAlias" "te.TypeAlias" "typing_extensions.TypeAlias")) @bound.type.alias
