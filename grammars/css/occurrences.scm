(class_selector (class_name) @list) @words.write
(id_name) @words.write
(keyframes_name) @words.write

((property_name) @words.write (#begins-with? @words.write "--"))
((plain_value) @words (#begins-with? @words "--"))
((keyword_query) @words.write (#begins-with? @words.write "--"))
(declaration
  (property_name) @_p
  (plain_value) @list
  (#any-of? @_p "animation" "animation-name" "-webkit-animation" "-webkit-animation-name")) @words
