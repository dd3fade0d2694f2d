// app/help/reference.h - the pages of docs/reference and docs/languages.md, made of the tables that
// the program runs on.
#pragma once

#include <string>
#include <string_view>

namespace codexmem::app {

/// The Markdown page `name`: "commands", "tools", "settings" or "languages". Empty for any other
/// name. The files in docs are this text; `scripts/reference` writes them. Stateless.
std::string reference_page(std::string_view name);

}  // namespace codexmem::app
