(identifier) @identifier
(identifier_dollar_escaped) @identifier
(type_identifier) @identifier.type

(library_name (_) @none)
(part_of_directive (_) @none)
(import_specification (identifier) @write)
(combinator (_) @import.name)
(annotation name: (_) @call)

(superclass (_) @extends)
(mixins (_) @extends)
(interfaces (_) @extends)
(type_arguments (_) @type)
(new_expression (type_identifier) @call)
(const_object_expression (type_identifier) @call)

(assignment_expression left: (_) @write)
(assignable_expression (_) @inherit)
(unconditional_assignable_selector (_) @inherit)
(formal_parameter name: (_) @write)
(constructor_param (identifier) @write)
(initialized_variable_definition name: (_) @write)
(field_initializer (identifier) @read)
(label (_) @none)
