; The attributes of other blocks than locals are no definitions.
(block . (identifier) @_t (#not-eq? @_t "locals")) @scope.function
