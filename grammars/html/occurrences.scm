; Classes and ids are words of attributes.
(attribute
  (attribute_name) @_a
  (quoted_attribute_value (attribute_value) @list)
  (#any-of? @_a "id" "ID" "class" "CLASS" "for" "form" "list" "headers" "popovertarget" "commandfor"
    "aria-activedescendant" "aria-controls" "aria-describedby" "aria-details" "aria-errormessage"
    "aria-flowto" "aria-labelledby" "aria-owns")) @words
(attribute
  (attribute_name) @_a
  (attribute_value) @list
  (#any-of? @_a "id" "ID" "class" "CLASS" "for" "form" "list" "headers" "popovertarget" "commandfor"
    "aria-activedescendant" "aria-controls" "aria-describedby" "aria-details" "aria-errormessage"
    "aria-flowto" "aria-labelledby" "aria-owns")) @words

; href="#id", data-target=".class"
(attribute
  (attribute_name) @_a
  (quoted_attribute_value (attribute_value) @list)
  (#any-of? @_a "href" "xlink:href" "usemap" "data-target" "data-bs-target" "data-parent"
    "data-bs-parent" "data-scroll-to" "hx-target")
  (#begins-with? @list "#" ".")
  (#not-any-of? @list "#" "." "..")) @words
