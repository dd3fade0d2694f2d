; CSS: classes, custom properties and animations, each once a file. Further rules write to them.
(comment) @comment.run

; A class belongs to the rule whose selector names it.
(rule_set) @wrapper
(selectors) @wrapper
(class_selector) @wrapper
(pseudo_class_selector) @wrapper
(pseudo_element_selector) @wrapper
(attribute_selector) @wrapper
(descendant_selector) @wrapper
(child_selector) @wrapper
(sibling_selector) @wrapper
(adjacent_sibling_selector) @wrapper

(class_selector (class_name) @name) @symbol.class.outer_once_selector
(declaration
  (property_name) @name
  (#begins-with? @name "--")) @symbol.variable.once_custom_property
(at_rule
  (at_keyword) @_k
  (keyword_query) @name
  (#eq? @_k "@property")) @symbol.variable.once_custom_property
(keyframes_statement (keyframes_name) @name (keyframe_block_list) @body) @symbol.function.once_keyframes
