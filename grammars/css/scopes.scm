; What is in :not(.a) is no definition.
(arguments) @scope.block
