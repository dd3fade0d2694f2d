; Which name tells the type of a value.
(identifier) @value.name
(member_expression property: (_) @name) @value.name
(parenthesized_expression (_) @inner) @value.pass
(await_expression (_) @inner) @value.await
(new_expression constructor: (_) @inner) @value.new
(call_expression function: (_) @inner) @value.call
(binary_expression operator: ["||" "??"] right: (_) @inner) @value.pass
(ternary_expression consequence: (_) @inner) @value.pass
(assignment_expression right: (_) @inner) @value.pass
(return_statement (_) @value) @return
