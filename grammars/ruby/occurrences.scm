; A bare name that nothing around binds is a call.
(identifier) @identifier.called
(constant) @identifier
(super) @identifier.called
(instance_variable) @identifier.own
(class_variable) @identifier.own
(global_variable) @identifier
(self) @this
; :name may be a method's: before_action :name.
(simple_symbol) @identifier.property
(alias alias: (identifier) @key.read)
(bare_symbol) @identifier.property
; each(&:name): a method of what is iterated over.
(block_argument (simple_symbol) @read @keys.of.elements)

; Operators are methods of the first operand.
(binary left: (_) @value operator: ["+" "-" "*" "/" "%" "**" "&" "|" "^" "<<" ">>" "==" "<=>" "===" "=~" "<" ">" "<=" ">="] @name right: (_)) @operator.SIGN
(operator_assignment left: (_) @value operator: ["+=" "-=" "*=" "/=" "%=" "**=" "&=" "|=" "^=" "<<=" ">>="] @name) @operator.ASSIGNED

(method name: (_) @inherit)
(singleton_method name: (_) @inherit)
(call method: (_) @inherit.write @member.optional @value.called)
(call receiver: (_) @read @value.receiver)
(call block: (_) @read)
(call arguments: (_) @read)
(scope_resolution scope: (_) @read @value.receiver)
(scope_resolution name: (_) @inherit @member @value)
(superclass (_) @extends)
(parenthesized_statements (_) @read @value)

(assignment left: (constant) @write)
(assignment left: (scope_resolution) @write)
(assignment left: (global_variable) @write)
(assignment left: (_) @bind.own)
(operator_assignment left: (constant) @write)
(operator_assignment left: (scope_resolution) @write)
(operator_assignment left: (global_variable) @write)
(operator_assignment left: (_) @bind.own)
(left_assignment_list (_) @inherit.part @part.item)
(rest_assignment (_) @inherit.part)
(destructured_left_assignment (_) @inherit.part)
(element_reference object: (_) @read)
(element_reference (_) @read)
(for pattern: (_) @bind.own)
(exception_variable (_) @bind.own)
