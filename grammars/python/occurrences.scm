(identifier) @identifier
(string) @string_type

(call function: (_) @call @value.called)
(call function: (identifier) @_f (#eq? @_f "super")) @super
(decorator (_) @call)
(attribute object: (_) @value.receiver)
(attribute attribute: (_) @inherit @member @value)
(parenthesized_expression (_) @inherit @value)
(augmented_assignment left: (_) @write)
(keyword_argument name: (_) @key.write)
(class_definition superclasses: (_) @extends)
(argument_list [(identifier) (attribute) (subscript)] @inherit)

; Annotations.
(type (_) @type)
(subscript value: (_) @inherit.type)
(subscript subscript: (_) @inherit.argument)
(binary_operator (_) @inherit.type)
(generic_type (identifier) @inherit.type)
(type_parameter (_) @inherit)
(union_type (_) @type)
(member_type (_) @type)
(splat_type (identifier) @inherit)
(constrained_type (_) @inherit)

(call
  function: (_) @_f
  arguments: (argument_list . (string) @inner)
  (#any-of? @_f "cast" "typing.cast" "t.cast")) @annotation
(call
  function: (_) @_f
  arguments: (argument_list (keyword_argument name: (identifier) @_k value: (string) @inner))
  (#any-of? @_f "TypeVar" "typing.TypeVar" "t.TypeVar") (#eq? @_k "bound")) @annotation
(assignment
  type: (type (_) @_t)
  right: (string) @inner
  (#any-of? @_t "TypeAlias" "typing.TypeAlias" "t.TypeAlias" "te.TypeAlias" "typing_extensions.TypeAlias")) @annotation

; Names of import statements.
(import_statement name: (dotted_name) @import.module)
(import_statement name: (aliased_import) @import.module)
(import_from_statement module_name: (_) @import.module)
(import_from_statement name: (_) @import.name)
(future_import_statement name: (_) @none)
(relative_import (_) @inherit)
(aliased_import name: (_) @inherit)
(aliased_import alias: (_) @import.alias)
(dotted_name (identifier) @inherit)

; Things that hide references.
(call function: (identifier) @_f (#any-of? @_f "eval" "exec")) @dynamic.eval
(call function: (identifier) @_f (#any-of? @_f "getattr" "setattr" "delattr" "globals" "locals" "vars")) @dynamic.reflection
(call
  function: (identifier) @_f
  arguments: (argument_list . [(identifier) (attribute) (call) (binary_operator)])
  (#any-of? @_f "__import__" "import_module")) @dynamic.import
(call
  function: (attribute object: (identifier) @_o attribute: (identifier) @_a)
  arguments: (argument_list . [(identifier) (attribute) (call) (binary_operator)])
  (#eq? @_o "importlib") (#eq? @_a "import_module")) @dynamic.import
