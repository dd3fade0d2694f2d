; alias A.B, import A, require A, use A
(call
  target: (identifier) @_d
  (arguments . (alias) @source)
  (#any-of? @_d "alias" "import" "require" "use")) @import
