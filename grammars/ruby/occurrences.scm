(identifier) @identifier
(constant) @identifier
(instance_variable) @identifier
(class_variable) @identifier
(global_variable) @identifier
; :name may be a method's: before_action :name.
(simple_symbol) @identifier

(method name: (_) @inherit)
(singleton_method name: (_) @inherit)
(call method: (_) @call)
(call receiver: (_) @read)
(scope_resolution scope: (_) @read)
(scope_resolution name: (_) @inherit)
(superclass (_) @extends)
(assignment left: (_) @write)
(operator_assignment left: (_) @write)
(left_assignment_list (_) @inherit)
(rest_assignment (_) @inherit)
(destructured_left_assignment (_) @inherit)
(keyword_parameter name: (_) @write)
