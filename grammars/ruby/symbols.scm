; Ruby: modules, classes, methods, attributes, constants.
(comment) @comment.run

(module name: (constant) @name body: (_)? @body) @symbol.class.module
(module
  name: (scope_resolution scope: (_) @container name: (_) @name)
  body: (_)? @body) @symbol.class.module
(class name: (constant) @name body: (_)? @body) @symbol.class.class
(class
  name: (scope_resolution scope: (_) @container name: (_) @name)
  body: (_)? @body) @symbol.class.class

; A method in a class or module is a method, else a function.
(method name: (setter name: (_) @name) body: (_)? @body) @symbol.function.setter
(method name: (_) @name body: (_)? @body (#eq? @name "initialize")) @symbol.function.constructor
(method name: (_) @name body: (_)? @body) @symbol.function.function
(singleton_method name: (setter name: (_) @name) body: (_)? @body) @symbol.function.class_setter
(singleton_method name: (_) @name body: (_)? @body) @symbol.function.class_method

; Methods that are made by a call.
(alias name: (_) @name) @symbol.function.alias
(call
  method: (identifier) @_m
  arguments: (argument_list . (simple_symbol) @name)
  (#any-of? @_m "alias_method" "define_method")) @symbol.method.method
(call
  method: (identifier) @_m
  arguments: (argument_list (simple_symbol)) @list
  (#any-of? @_m "attr_writer" "cattr_writer" "mattr_writer")) @symbol.property.writer
(call
  !receiver
  method: (identifier) @_m
  arguments: (argument_list . (simple_symbol) (pair)) @list
  (#eq? @_m "delegate")) @symbol.method.delegate
(call
  method: (identifier) @_m
  arguments: (argument_list (simple_symbol)) @list
  (#any-of? @_m
    "attr_reader" "attr_accessor" "cattr_accessor" "cattr_reader" "class_attribute"
    "mattr_accessor" "mattr_reader")) @symbol.property.attribute

; Struct.new(:x, :y)
(call
  receiver: (constant) @_r
  method: (identifier) @_m
  arguments: (argument_list (simple_symbol)) @list
  (#any-of? @_r "Struct" "Data")
  (#any-of? @_m "new" "define")) @symbol.property.attribute

; def_delegator :@x, :a; def_delegator :@x, :a, :b, which is called b; def_delegators :@x, :a, :b
(call
  !receiver
  method: (identifier) @_m
  arguments: (argument_list . (simple_symbol) . (simple_symbol) . (simple_symbol) @name)
  (#any-of? @_m "def_delegator" "def_instance_delegator" "def_single_delegator")) @symbol.method.delegate
(call
  !receiver
  method: (identifier) @_m
  arguments: (argument_list . (simple_symbol) . (simple_symbol) @name)
  (#any-of? @_m "def_delegator" "def_instance_delegator" "def_single_delegator")) @symbol.method.delegate
(call
  !receiver
  method: (identifier) @_m
  arguments: (argument_list . (simple_symbol) . (simple_symbol)) @list
  (#any-of? @_m "def_delegators" "def_instance_delegators" "def_single_delegators")) @symbol.method.behind_delegate

; A = Struct.new(:x) do ... end, A = 1.
(assignment
  left: (constant) @name
  right: (call receiver: (constant) @_r method: (identifier) @_m) @value
  (#any-of? @_r "Struct" "Class" "Data" "Module")
  (#any-of? @_m "new" "define")) @symbol.class.class
(assignment left: (constant) @name right: (_) @value) @symbol.variable.constant
(assignment
  left: (scope_resolution scope: (_) @container name: (_) @name)
  right: (_) @value) @symbol.variable.constant

(identifier) @access
