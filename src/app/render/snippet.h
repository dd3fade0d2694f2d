// app/render/snippet.h - the lines of a search result that are shown. Stateless.
#pragma once

#include <string>

#include "app/render/console.h"
#include "search/search.h"

namespace codexmem::app {

/// At most `most` lines of the snippet of `hit`, each with its number: the line of `hit`, the lines
/// with most matches, then their neighbours; matches in colour.
std::string snippet_lines(const search::SearchHit& hit, std::size_t most, const Console& console);

}  // namespace codexmem::app
