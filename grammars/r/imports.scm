; source("a.R"), library(a)
(call
  function: (identifier) @_f
  arguments: (arguments . (argument value: (string) @source))
  (#eq? @_f "source")) @import.include
(call
  function: (identifier) @_f
  arguments: (arguments . (argument value: (identifier) @source))
  (#any-of? @_f "library" "require" "requireNamespace")) @import
