; YAML: keys, but not those of lists; anchors.
(comment) @comment.run

(block_mapping_pair
  key: (flow_node) @name
  value: (_)? @value
  (#not-eq? @name "<<")) @symbol.property.key_key
(flow_pair key: (flow_node) @name (#not-eq? @name "<<")) @symbol.property.key_key
(anchor (anchor_name) @name) @symbol.variable.anchor

(block_sequence) @items
(flow_sequence) @items
