; TOML: tables and keys, but not those of lists.
(comment) @comment.run

(table . (dotted_key) @name (pair)? @body) @symbol.property.key_dotted_table
(table . (_) @name (pair)? @body) @symbol.property.key_table
(table_array_element . (dotted_key) @name (pair)? @body) @symbol.property.once_key_dotted_table
(table_array_element . (_) @name (pair)? @body) @symbol.property.once_key_table
(pair . (dotted_key) @name (_) @value) @symbol.property.key_dotted_key
(pair . (_) @name (_) @value) @symbol.property.key_key

(table_array_element) @items
(array) @items
