; What {#each items as item} has become: let{[items]:item}, a pattern without a value.
(variable_declarator
  name: (object_pattern . (pair_pattern key: (computed_property_name (_) @value)))
  !value) @declarator
