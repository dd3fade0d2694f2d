; Perl: packages, subs, constants, package variables, attributes of Moose and Moo.
(comment) @comment.run
(pod) @skip

(package_statement name: (package) @name (block) @body) @symbol.class.dotted_package
(class_statement name: (package) @name (block) @body) @symbol.class.dotted_class
(role_statement name: (package) @name (block) @body) @symbol.class.dotted_role
(package_statement name: (package) @name ";") @namespace.package
(class_statement name: (package) @name ";") @namespace.package

(subroutine_declaration_statement name: (_) @name body: (_) @body) @symbol.function.dotted_function
(method_declaration_statement name: (bareword) @name body: (_) @body) @symbol.method.method
(assignment_expression
  left: (glob (varname) @name)
  right: (anonymous_subroutine_expression body: (_) @body)
  (#not-holds? @name "$" "{")) @symbol.function.dotted_function

; our $VERSION; our (@ISA, %h); use vars qw($a)
(variable_declaration "our" (_)) @symbol.variable.each_variable
(use_statement
  module: (package) @_m
  (quoted_word_list) @list
  (#eq? @_m "vars")) @symbol.variable.each_variable

; use constant A => 1; use constant { A => 1, B => 2 }
(use_statement
  module: (package) @_m
  (list_expression . (autoquoted_bareword) @name)
  (#eq? @_m "constant")) @symbol.variable.constant
(use_statement
  module: (package) @_m
  (anonymous_hash_expression (list_expression (autoquoted_bareword) @element) @list)
  (#eq? @_m "constant")) @symbol.variable.each_constant

; has name => ...; has [qw(a b)] => ...
(ambiguous_function_call_expression
  function: (function) @_f
  arguments: (list_expression . [(autoquoted_bareword) (string_literal)] @name)
  (#eq? @_f "has")) @symbol.property.outer_attribute
(ambiguous_function_call_expression
  function: (function) @_f
  arguments: (list_expression . (anonymous_array_expression (quoted_word_list) @list))
  (#eq? @_f "has")) @symbol.property.outer_each_attribute
(ambiguous_function_call_expression
  function: (function) @_f
  arguments: (list_expression . (anonymous_array_expression (list_expression) @list))
  (#eq? @_f "has")) @symbol.property.outer_each_attribute
