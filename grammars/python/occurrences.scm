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

; Members that strings name.
(call
  function: (identifier) @_f
  arguments: (argument_list . (_) @object . (string) @name)
  (#any-of? @_f "getattr" "setattr" "hasattr" "delattr")) @text_member
(call
  function: (attribute attribute: (identifier) @_f)
  arguments: (argument_list . (_) @object . (string) @name)
  (#any-of? @_f "setattr" "delattr" "object")) @text_member
(call
  function: (identifier) @_f
  arguments: (argument_list) @list
  (#any-of? @_f "attrgetter" "methodcaller")) @text_member
(call
  function: (attribute attribute: (identifier) @_f)
  arguments: (argument_list) @list
  (#any-of? @_f "attrgetter" "methodcaller" "usefixtures")) @text_member
(assignment left: (identifier) @_n right: (_) @list (#eq? @_n "__slots__")) @text_member.own

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

; Protocol methods that syntax calls.
(subscript value: (_) @value) @operator.read.known.__getitem__
(assignment left: (subscript value: (_) @value)) @operator.known.__setitem__
(augmented_assignment left: (subscript value: (_) @value)) @operator.known.__getitem__
(augmented_assignment left: (subscript value: (_) @value)) @operator.known.__setitem__
(delete_statement (subscript) @write)
(delete_statement (subscript value: (_) @value)) @operator.known.__delitem__
(comparison_operator . (_) operators: ["in" "not in"] @name (_) @value) @operator.known.__contains__
(for_statement right: (_) @value) @operator.known.__iter__
(for_in_clause right: (_) @value) @operator.known.__iter__
(with_item value: (as_pattern . (_) @value)) @operator.known.__enter__
(with_item value: (as_pattern . (_) @value)) @operator.known.__exit__
(with_item value: (_) @value) @operator.known.__enter__
(with_item value: (_) @value) @operator.known.__exit__
(call function: (_) @value) @operator.bound.known.__call__
(call function: (identifier) @_f arguments: (argument_list . (_) @value) (#eq? @_f "len")) @operator.known.__len__
(call function: (identifier) @_f arguments: (argument_list . (_) @value) (#eq? @_f "iter")) @operator.known.__iter__
(call function: (identifier) @_f arguments: (argument_list . (_) @value) (#eq? @_f "next")) @operator.known.__next__
