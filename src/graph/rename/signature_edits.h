// graph/rename/signature_edits.h - the edits of one list of parameters or arguments. Pure.
//
// Each edit has an offset, a size and a text; the planner (signature.h) adds the rest.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "graph/rename/rename.h"
#include "parse/walk/lists.h"

namespace codexmem::graph {

/// Adds `added` before item `before` of `list`, behind the last one if there is none. It replaces
/// the `void` of an empty list, f(void).
RenameEdit insert_item(std::string_view text, const parse::WrittenList& list, std::size_t before,
                       std::string_view added);

/// Removes item `index` with a comma next to it.
RenameEdit remove_item(std::string_view text, const parse::WrittenList& list, std::size_t index);

/// Makes item `order[i]` of `items`, counted from 1, item i. Nothing if one of them is missing.
std::optional<std::vector<RenameEdit>> reorder_items(std::string_view text,
                                                     std::span<const ByteRange> items,
                                                     std::span<const std::size_t> order);

}  // namespace codexmem::graph
