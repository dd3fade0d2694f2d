; Identifiers and what they do.
(identifier) @identifier
(type_identifier) @identifier.type
(this) @this
(super) @super

; Members, and what stands before the dot: `Outer.super.f()` is a member of what is extended.
(method_invocation object: (_) @read @value.receiver)
(method_invocation (super) @value.receiver)
(method_invocation name: (_) @call @member.optional)
(field_access object: (_) @read @value.receiver)
(field_access (super) @value.receiver)
(field_access field: (this) @read)
(field_access field: (_) @inherit @member @value)
(method_reference (_) @value.reference)
(array_access array: (_) @read)
(parenthesized_expression (_) @value)

(object_creation_expression type: (_) @call)
(annotation name: (_) @type)
(marker_annotation name: (_) @type)
(assignment_expression left: (_) @write)
(update_expression (_) @write)
(element_value_pair key: (_) @key.write)
(switch_label (identifier) @key.read)
(record_pattern (identifier) @type)
(record_pattern (generic_type) @type)

; Types: of a.b.C the last is meant, the others lead to it.
(generic_type (type_identifier) @inherit @value)
(generic_type (scoped_type_identifier) @inherit @value)
(scoped_type_identifier (generic_type) @type)
(scoped_type_identifier (type_identifier) @inherit @value)
(scoped_type_identifier (scoped_type_identifier) @inherit)
(annotated_type (type_identifier) @inherit)
(annotated_type (generic_type) @inherit)
(annotated_type (scoped_type_identifier) @inherit)

; Supertypes.
(superclass (_) @extends)
(super_interfaces (_) @extends)
(extends_interfaces (_) @extends)
(type_list (_) @inherit)

; Names of packages and modules, and of what stands in them.
(import_declaration (_) @import.name)
(scoped_identifier (_) @inherit)
(package_declaration (identifier) @none)
(package_declaration (scoped_identifier) @none)
(module_declaration name: (_) @none)
(requires_module_directive (_) @none)
(exports_module_directive (_) @none)
(opens_module_directive (_) @none)
(uses_module_directive (_) @type)
(provides_module_directive (_) @type)

(labeled_statement (identifier) @none)
(break_statement (_) @none)
(continue_statement (_) @none)

(method_invocation arguments: (argument_list (_))) @call
(object_creation_expression arguments: (argument_list (_))) @call

; Things that hide references.
(method_invocation
  name: (identifier) @_n
  (#any-of? @_n "getMethod" "getDeclaredMethod" "getField" "getDeclaredField" "forName" "loadClass")) @dynamic.reflection

; What calls a constructor without its name.
(explicit_constructor_invocation constructor: (super) @name arguments: (_) @object) @operator.constructor.super
(explicit_constructor_invocation constructor: (this) @name arguments: (_) @object) @operator.constructor.this
(enum_constant arguments: (argument_list "(" @name) @object) @operator.constructor.this
