; HCL, Terraform above all: blocks with labels, local values, values of a .tfvars file.
(comment) @comment.run

; resource "aws_vpc" "main" is main, of aws_vpc.
(block
  . (identifier) @_t
  (string_lit (template_literal) @container)
  (string_lit (template_literal) @name)
  (body)? @body
  (#eq? @_t "resource")) @symbol.class.resource
(block
  . (identifier) @_t
  (string_lit (template_literal) @container)
  (string_lit (template_literal) @name)
  (body)? @body
  (#any-of? @_t "data" "ephemeral")) @symbol.class.data
(block
  . (identifier) @_t
  (string_lit (template_literal) @name)
  (body)? @body
  (#eq? @_t "variable")) @symbol.variable.input
(block
  . (identifier) @_t
  (string_lit (template_literal) @name)
  (body)? @body
  (#eq? @_t "output")) @symbol.variable.output
(block
  . (identifier) @_t
  (string_lit (template_literal) @name)
  (body)? @body
  (#any-of? @_t "module" "provider" "check" "run" "source" "build" "job" "group" "task")) @symbol.class.block
(attribute . (identifier) @name (expression) @value) @symbol.variable.outer_local
