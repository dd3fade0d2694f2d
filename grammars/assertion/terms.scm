; <T>x, which .tsx files do not have.
(type_assertion (type_arguments (_) @inner)) @value.cast
