// app/render/excerpt.h - the piece of a memory that answers a query. Stateless.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "app/render/console.h"

namespace codexmem::app {

/// The piece of `text` that has the most words of `query`, in at most two lines of the console's
/// width, each after `indent` spaces; the words in colour. Empty when it has none of them.
std::string excerpt_lines(std::string_view text, std::string_view query, std::size_t indent,
                          const Console& console);

}  // namespace codexmem::app
