// parse/components/template_tags.h - blanks template tags in markup pages.
//
// Internal to parse. Stateless.
//
// In pages of markup not read: `<style>` and `<script>`, style="...", classes that scripts name,
// escapes in CSS (`.md\:flex`).
#pragma once

#include <optional>
#include <string_view>

#include "parse/preprocess/macros.h"

namespace codexmem::parse {

/// `text` with asterisks in place of inserted values, `<%= %>`, `{{ }}` and `<?php ?>`, and spaces
/// in place of conditions and loops, `<% %>`, `{% %}` and `{{# }}`; nothing if it contains no tags.
/// Of a tag that names a file, its path stays: as an attribute's URL ({% static "a.css" %}) or, of
/// a template ({% include "a.html" %}), in an element `<i @in="a.html"/>`.
/// Line ends and all offsets stay the same. Time and memory grow with the text only.
std::optional<BlankedText> blank_template_tags(std::string_view text);

}  // namespace codexmem::parse
