; An element is a call of its component.
(jsx_opening_element name: (_) @inner) @value.call
(jsx_self_closing_element name: (_) @inner) @value.call
(jsx_element open_tag: (_) @inner) @value.pass

(jsx_attribute (jsx_expression) @expect.attribute)
(jsx_expression (_) @expect.same)
(jsx_attribute (property_identifier) @keys.of.props)
