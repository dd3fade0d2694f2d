; Go: functions, types with their fields and methods, package-level constants and variables.
(comment) @comment.run
(package_clause (package_identifier) @name) @package

; Declarations, each of one thing or of several in parentheses.
(type_declaration) @wrapper
(type_declaration) @declaration.none
(const_declaration) @wrapper
(const_declaration) @declaration.const
(var_declaration) @wrapper
(var_declaration) @declaration.let
(var_spec_list) @wrapper
(var_spec_list) @declaration.let

(function_declaration name: (_) @name body: (_)? @body) @bound.function.function

; A method belongs to its receiver's type, which may stand in another file.
(method_declaration
  receiver: (parameter_list (parameter_declaration type: (type_identifier) @container))
  name: (_) @name
  body: (_)? @body) @symbol.method.method
(method_declaration
  receiver: (parameter_list (parameter_declaration type: (pointer_type (_) @container)))
  name: (_) @name
  body: (_)? @body) @symbol.method.method
(method_declaration
  receiver: (parameter_list (parameter_declaration type: (generic_type type: (_) @container)))
  name: (_) @name
  body: (_)? @body) @symbol.method.method
(method_declaration name: (_) @name body: (_)? @body) @symbol.method.method

(type_spec name: (_) @name type: (struct_type (field_declaration_list) @body)) @bound.class.struct
(type_spec name: (_) @name type: (interface_type) @body) @bound.interface.interface
(type_spec name: (_) @name type: (_) @inner) @bound.type.type
(type_alias name: (_) @name type: (_) @type) @bound.type.alias

(method_elem name: (_) @name) @symbol.method.member_method
(field_declaration name: (field_identifier) @bind.field)

(type_spec type: (_) @owned)
(struct_type (_) @owned)
(field_declaration_list (_) @owned)
(field_declaration type: (_) @owned)
(slice_type element: (_) @owned)
(array_type element: (_) @owned)
(map_type value: (_) @owned)
(pointer_type (_) @owned)
(interface_type (_) @owned)
