(identifier) @value.name
(attribute attribute: (_) @name) @value.name
(parenthesized_expression (_) @inner) @value.pass
(await (_) @inner) @value.await
(call
  function: (_) @_f
  arguments: (argument_list . (_) @inner)
  (#any-of? @_f "cast" "typing.cast" "t.cast")) @value.cast
(call function: (_) @inner) @value.call
(boolean_operator operator: "or" right: (_) @inner) @value.pass
(conditional_expression . (_) @inner) @value.pass
(named_expression value: (_) @inner) @value.pass

(type (_) @inner) @type.pass
(identifier) @type.name
(attribute attribute: (_) @name) @type.name
(string) @type.string
(generic_type
  . (identifier) @_n
  (type_parameter . (_) @inner)
  (#any-of? @_n "Optional" "Awaitable" "Coroutine" "Type" "type" "ClassVar" "Final" "Annotated" "Required" "NotRequired" "ContextManager" "AsyncContextManager")) @type.pass
(generic_type
  . (identifier) @_n
  (type_parameter . (_) @inner)
  (#any-of? @_n "list" "List" "set" "Set" "tuple" "Tuple" "frozenset" "FrozenSet" "Sequence" "Iterable" "Iterator" "Collection" "AsyncIterable" "AsyncIterator" "Generator" "AsyncGenerator" "deque" "Deque" "MutableSequence" "MutableSet" "AbstractSet")) @type.container
(generic_type . (identifier) @_n (type_parameter . (_) @inner (_) @other) (#eq? @_n "Union")) @type.union
(generic_type . (identifier) @inner) @type.pass
(subscript
  value: (attribute attribute: (identifier) @_n)
  subscript: (_) @inner
  (#any-of? @_n "Optional" "Awaitable" "Coroutine" "Type" "ClassVar" "Final" "Annotated" "ContextManager" "AsyncContextManager")) @type.pass
(subscript
  value: (identifier) @_n
  subscript: (_) @inner
  (#any-of? @_n "Optional" "Awaitable" "Coroutine" "Type" "ClassVar" "Final" "Annotated" "ContextManager" "AsyncContextManager")) @type.pass
(subscript
  value: (attribute attribute: (identifier) @_n)
  subscript: (_) @inner
  (#any-of? @_n "List" "Set" "Tuple" "FrozenSet" "Sequence" "Iterable" "Iterator" "Collection" "AsyncIterable" "AsyncIterator" "Generator" "AsyncGenerator" "Deque" "deque")) @type.container
(subscript value: (_) @inner) @type.pass
(union_type (_) @inner (_) @other) @type.union
(binary_operator left: (_) @inner operator: "|" right: (_) @other) @type.union

(return_statement (_) @value) @return
