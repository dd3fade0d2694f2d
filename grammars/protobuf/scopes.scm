; Enough to tell what stands in a message or service from what stands outside.
(message) @scope.class
(group) @scope.class
(enum) @scope.class
(service) @scope.class
