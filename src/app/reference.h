// app/reference.h - the pages of docs/reference, made of the tables that the program runs on.
#pragma once

#include <string>
#include <string_view>

namespace codexmem::app {

/// The Markdown page `name`: "commands", "tools" or "settings". Empty for any other name. The files
/// in docs/reference are this text; `scripts/reference` writes them. Stateless.
std::string reference_page(std::string_view name);

}  // namespace codexmem::app
