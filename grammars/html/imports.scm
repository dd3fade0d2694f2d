; <script src="a.js">, <img src="a.png">; <link href="a.css">, but no links to other pages.
(attribute
  (attribute_name) @_a
  (quoted_attribute_value (attribute_value) @source)
  (#any-of? @_a "src" "SRC" "data-src" "poster")
  (#not-holds? @source "*" "data:")) @import.include
(attribute
  (attribute_name) @_a
  (quoted_attribute_value (attribute_value) @source)
  (#any-of? @_a "href" "HREF")
  (#ends-with? @source ".css" ".js" ".mjs" ".json" ".webmanifest" ".svg" ".png" ".ico" ".woff2" ".scss" ".less")
  (#not-holds? @source "*")) @import.include
; href="{% static 'a.css' %}": the path, then blanks in place of the rest.
(attribute
  (attribute_name) @_a
  (quoted_attribute_value (attribute_value) @source)
  (#any-of? @_a "href" "HREF")
  (#holds? @source ".css  " ".js  " ".mjs  " ".json  " ".webmanifest  " ".svg  " ".png  " ".ico  " ".woff2  " ".scss  " ".less  ")
  (#not-holds? @source "*")) @import.include
; {% include "a.html" %}, as parse/components/template_tags.h writes it.
(attribute
  (attribute_name) @_a
  (quoted_attribute_value (attribute_value) @source)
  (#any-of? @_a "@in")) @import
