// Tested by graph/signature_edits_test.cpp.
#include "graph/rename/signature_edits.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <utility>

#include "base/text.h"
#include "graph/core/code_text.h"

namespace codexmem::graph {
namespace {

RenameEdit edit_of(std::uint32_t offset, std::uint32_t size, std::string text) {
  RenameEdit made;
  made.offset = offset;
  made.size = size;
  made.text = std::move(text);
  return made;
}

}  // namespace

RenameEdit insert_item(std::string_view text, const parse::WrittenList& list, std::size_t before,
                       std::string_view added) {
  const auto& items = list.items;
  if (items.empty()) return edit_of(list.range.begin + 1, 0, std::string(added));
  if (items.size() == 1 && text_at(text, items[0]) == "void") {
    return edit_of(items[0].begin, items[0].size(), std::string(added));
  }
  return before < items.size() ? edit_of(items[before].begin, 0, fmt::format("{}, ", added))
                               : edit_of(items.back().end, 0, fmt::format(", {}", added));
}

RenameEdit remove_item(std::string_view text, const parse::WrittenList& list, std::size_t index) {
  const auto& items = list.items;
  const std::uint32_t begin = index > 0 ? items[index - 1].end : items[index].begin;
  std::uint32_t end = index == 0 && items.size() > 1 ? items[1].begin : items[index].end;
  // The only one takes the comma behind it along.
  const std::string_view rest = text_at(text, {end, std::max(end, list.range.end - 1)});
  if (items.size() == 1 && trim(rest) == ",") {
    end += static_cast<std::uint32_t>(rest.find(',') + 1);
  }
  return edit_of(begin, end - begin, "");
}

std::optional<std::vector<RenameEdit>> reorder_items(std::string_view text,
                                                     std::span<const ByteRange> items,
                                                     std::span<const std::size_t> order) {
  std::vector<RenameEdit> edits;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t from = order[i] - 1;
    if (from == i) continue;
    if (std::max(from, i) >= items.size()) return std::nullopt;
    edits.push_back(
        edit_of(items[i].begin, items[i].size(), std::string(text_at(text, items[from]))));
  }
  return edits;
}

}  // namespace codexmem::graph
