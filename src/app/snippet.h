// app/snippet.h - the lines of a search result that are shown. Stateless.
#pragma once

#include <string>

#include "app/console.h"
#include "search/search.h"

namespace codexmem::app {

/// At most six lines of the snippet of `hit`, each with its number: the one that `hit` is at, those
/// in which most words match, then what is next to them; matches in colour.
std::string snippet_lines(const search::SearchHit& hit, const Console& console);

}  // namespace codexmem::app
