; module "a" { source = "./a" }
(attribute
  . (identifier) @_a
  (expression (literal_value (string_lit) @source))
  (#eq? @_a "source")) @import.include
