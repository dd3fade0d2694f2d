(non_null_expression (_) @inner) @value.pass
(satisfies_expression (_) @inner) @value.pass
(as_expression (_) [(type_identifier) (generic_type) (nested_type_identifier) (union_type) (parenthesized_type) (array_type)] @inner) @value.cast

(type_identifier) @type.name
(nested_type_identifier name: (_) @name) @type.name
(type_annotation (_) @inner) @type.pass
(this_type) @type.this
(parenthesized_type (_) @inner) @type.pass
(readonly_type (_) @inner) @type.pass
(array_type (_) @inner) @type.container
(generic_type
  name: (type_identifier) @_n
  type_arguments: (type_arguments . (_) @inner)
  (#any-of? @_n "Promise" "PromiseLike" "Awaited" "Readonly" "Partial" "Required" "NonNullable" "Omit" "Pick" "Exclude" "Extract" "NoInfer" "InstanceType" "Except" "Simplify" "Writable" "Mutable" "ReadonlyDeep" "PartialDeep" "DeepPartial" "SetOptional" "SetRequired")) @type.pass
(generic_type
  name: (type_identifier) @_n
  type_arguments: (type_arguments . (_) @inner)
  (#any-of? @_n "Array" "ReadonlyArray" "Set" "ReadonlySet" "Iterable" "AsyncIterable" "Iterator" "Generator" "AsyncGenerator" "IterableIterator")) @type.container
(generic_type name: (_) @inner) @type.pass
(union_type (_) @inner (_) @other) @type.union
(intersection_type (_) @inner (_) @other) @type.union
