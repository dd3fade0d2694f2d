; use A::B; require A::B; require "a.pl"; use parent "A"
(use_statement module: (package) @source) @import
(use_statement
  module: (package) @_m
  [(string_literal) (interpolated_string_literal)] @source
  (#any-of? @_m "parent" "base" "Mojo::Base")
  (#not-holds? @source "-")) @import.include
(require_expression (bareword) @source) @import
(require_expression [(string_literal) (interpolated_string_literal)] @source) @import.include
(eval_expression (filename [(string_literal) (interpolated_string_literal)] @source)) @import.include
