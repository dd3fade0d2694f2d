// parse/template_tags.h - the tags of templates in pages of markup.
//
// Internal to parse. Stateless.
#pragma once

#include <optional>
#include <string_view>

#include "parse/macros.h"

namespace codexmem::parse {

/// `text` with asterisks in place of what a template fills in, `<%= %>`, `{{ }}` and `<?php ?>`,
/// and spaces in place of its conditions and loops, `<% %>`, `{% %}` and `{{# }}`; nothing when
/// there is none. Line ends and all offsets stay. Time and memory grow with the text alone.
std::optional<BlankedText> blank_template_tags(std::string_view text);

}  // namespace codexmem::parse
