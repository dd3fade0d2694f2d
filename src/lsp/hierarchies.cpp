// Callers and callees, supertypes and subtypes. An item is found again by its place, so it holds
// after edits elsewhere.
#include <algorithm>
#include <utility>

#include "graph/uses/neighbours.h"
#include "lsp/call.h"

namespace codexmem::lsp {
namespace {

constexpr std::size_t kMaxItems = 500;

using Neighbours = std::vector<graph::Neighbour>;

Result<JsonText> item_json(Call& call, const store::SymbolRow& row) {
  const store::FileId file = store::file_of(row.id);
  CODEXMEM_ASSIGN(const std::string path, call.path_of(file));
  CODEXMEM_ASSIGN(ByteRange name, call.name_range_of(row));
  if (!row.range.contains(name)) name = {row.range.begin, row.range.begin};
  CODEXMEM_ASSIGN(const JsonText range, call.range(file, row.range));
  CODEXMEM_ASSIGN(const JsonText selection, call.range(file, name));
  return json_object("name", row.name.empty() ? "(anonymous)" : row.name, "kind", symbol_kind(row),
                     "detail", row.container.empty() ? path : row.container + " - " + path, "uri",
                     call.uri_of(path), "range", range, "selectionRange", selection);
}

template <typename Wanted>
Result<std::string> prepare(Call& call, Wanted wanted) {
  CODEXMEM_ASSIGN(const auto asked, call.asked_place());
  if (!asked || !asked->named) return std::string("null");
  CODEXMEM_ASSIGN(auto rows, call.rows(asked->named->symbols));
  std::erase_if(rows, [&](const store::SymbolRow& row) { return !wanted(row.type); });
  if (!std::ranges::all_of(rows, store::is_prototype)) std::erase_if(rows, store::is_prototype);
  std::vector<JsonText> items;
  for (const store::SymbolRow& row : rows) {
    CODEXMEM_ASSIGN(const JsonText item, item_json(call, row));
    items.push_back(item);
  }
  return items.empty() ? std::string("null") : std::string(json_value(items));
}

// The symbols of params.item: the one of this name at its place, and its other declarations.
Result<std::optional<AskedPlace>> asked_item(Call& call) {
  const JsonValue item = call.params.member("item");
  const auto uri = item.member("uri").string();
  if (!uri) return Error{ErrorCode::kInvalidArgument, "item.uri is missing"};
  return call.place_at(*uri, item.member("selectionRange").member("start"));
}

// What `list` finds for the symbols of the item at `asked`, each once.
template <typename List>
Result<Neighbours> neighbours_at(Call& call, const std::optional<AskedPlace>& asked, List list) {
  Neighbours all;
  if (!asked || !asked->named) return all;
  for (const store::SymbolId symbol : asked->named->symbols) {
    CODEXMEM_ASSIGN(Neighbours found, list(symbol));
    for (graph::Neighbour& each : found) {
      const bool is_known = std::ranges::any_of(
          all, [&](const graph::Neighbour& other) { return other.symbol.id == each.symbol.id; });
      if (!is_known) all.push_back(std::move(each));
    }
  }
  if (call.report && all.size() >= kMaxItems) {
    call.report("only the first " + std::to_string(kMaxItems) + " are listed");
  }
  return all;
}

template <typename List>
Result<Neighbours> neighbours_of(Call& call, List list) {
  CODEXMEM_ASSIGN(const auto asked, asked_item(call));
  return neighbours_at(call, asked, list);
}

// [{SIDE: item, fromRanges}]: of callers the calls are in their file, of callees in the item's.
Result<std::string> calls_json(Call& call, const Neighbours& found, const char* side,
                               std::optional<store::FileId> calling) {
  std::vector<JsonText> list;
  for (const graph::Neighbour& each : found) {
    const store::FileId file = calling.value_or(store::file_of(each.symbol.id));
    CODEXMEM_ASSIGN(const JsonText item, item_json(call, each.symbol));
    CODEXMEM_ASSIGN(const auto* text, call.text(file));
    std::vector<JsonText> ranges;
    for (const std::uint32_t offset : each.offsets) {
      CODEXMEM_ASSIGN(const JsonText range,
                      call.range(file, graph::name_range(text->content, offset, each.symbol.name)));
      ranges.push_back(range);
    }
    list.push_back(json_object(side, item, "fromRanges", ranges));
  }
  return std::string(json_value(list));
}

Result<std::string> types_json(Call& call, const Neighbours& found) {
  std::vector<JsonText> list;
  for (const graph::Neighbour& each : found) {
    CODEXMEM_ASSIGN(const JsonText item, item_json(call, each.symbol));
    list.push_back(item);
  }
  return std::string(json_value(list));
}

}  // namespace

Result<std::string> prepare_calls(Call& call) {
  return prepare(call, [](SymbolType type) {
    return type == SymbolType::kFunction || type == SymbolType::kMethod ||
           type == SymbolType::kClass;
  });
}

Result<std::string> answer_incoming_calls(Call& call) {
  CODEXMEM_ASSIGN(const Neighbours found, neighbours_of(call, [&](store::SymbolId symbol) {
                    return graph::list_callers({call.facts(), call.reader()}, symbol, kMaxItems);
                  }));
  return calls_json(call, found, "from", std::nullopt);
}

Result<std::string> answer_outgoing_calls(Call& call) {
  CODEXMEM_ASSIGN(const auto asked, asked_item(call));
  if (!asked || !asked->named || asked->named->symbols.empty()) return std::string("[]");
  CODEXMEM_ASSIGN(const Neighbours found, neighbours_at(call, asked, [&](store::SymbolId symbol) {
                    // Calls are written where it is defined: in the item's file.
                    return store::file_of(symbol) == asked->file.id
                               ? graph::list_callees({call.facts(), call.reader()}, symbol,
                                                     kMaxItems)
                               : Result(Neighbours());
                  }));
  return calls_json(call, found, "to", asked->file.id);
}

Result<std::string> prepare_types(Call& call) {
  return prepare(call, [](SymbolType type) { return is_type(type); });
}

Result<std::string> answer_supertypes(Call& call) {
  CODEXMEM_ASSIGN(
      const Neighbours found, neighbours_of(call, [&](store::SymbolId symbol) {
        return graph::list_supertypes({call.facts(), call.reader()}, symbol, kMaxItems, 1, true);
      }));
  return types_json(call, found);
}

Result<std::string> answer_subtypes(Call& call) {
  CODEXMEM_ASSIGN(const Neighbours found, neighbours_of(call, [&](store::SymbolId symbol) {
                    return graph::list_subtypes({call.facts(), call.reader()}, symbol, kMaxItems);
                  }));
  return types_json(call, found);
}

}  // namespace codexmem::lsp
