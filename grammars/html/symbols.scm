; HTML: what has an id that is written out ("*" is what a template fills in).
(comment) @comment

(start_tag) @wrapper
(self_closing_tag) @wrapper

(attribute
  (attribute_name) @_a
  (quoted_attribute_value (attribute_value) @name)
  (#any-of? @_a "id" "ID")
  (#not-holds? @name "*" " " "$")) @symbol.variable.id
(attribute
  (attribute_name) @_a
  (attribute_value) @name
  (#any-of? @_a "id" "ID")
  (#not-holds? @name "*" " " "$")) @symbol.variable.id
