(anchor_name) @identifier
(alias_name) @identifier
