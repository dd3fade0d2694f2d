// The symbols of a file, and of the repository by name.
#include <algorithm>
#include <map>
#include <utility>

#include "base/text.h"
#include "graph/uses/symbol_search.h"
#include "lsp/call.h"

namespace codexmem::lsp {
namespace {

constexpr std::size_t kMaxFound = 200;

// A symbol of a file, and those inside of it.
struct Outline {
  store::SymbolRow row;
  JsonText range, name_range;
  std::vector<std::size_t> inner = {};
};

JsonText outline_json(const std::vector<Outline>& all, std::size_t at) {
  const Outline& each = all[at];
  const auto write = [&](std::size_t inner) { return outline_json(all, inner); };
  return json_object("name", each.row.name.empty() ? "(anonymous)" : each.row.name, "detail",
                     each.row.kind, "kind", symbol_kind(each.row), "range", each.range,
                     "selectionRange", each.name_range, "children",
                     some(json_list(each.inner, write)));
}

JsonText information_json(const Call& call, const store::SymbolRow& row, const std::string& path,
                          const JsonText& range) {
  return json_object("name", row.name.empty() ? "(anonymous)" : row.name, "kind", symbol_kind(row),
                     "containerName", some(row.container), "location",
                     json_object("uri", call.uri_of(path), "range", range));
}

}  // namespace

// The kinds of the protocol, for our finer ones where it has them.
int symbol_kind(const store::SymbolRow& symbol) {
  static constexpr std::pair<std::string_view, int> kKinds[] = {
      {"module", 2},  {"namespace", 3}, {"package", 4},        {"constructor", 9},
      {"enum", 10},   {"const", 14},    {"constant", 14},      {"enum_member", 22},
      {"struct", 23}, {"union", 23},    {"record", 23},        {"operator", 25},
      {"getter", 7},  {"setter", 7},    {"type_parameter", 26}};
  for (const auto& [name, kind] : kKinds) {
    if (symbol.kind == name) return kind;
  }
  switch (symbol.type) {
    case SymbolType::kFunction:
      return 12;
    case SymbolType::kClass:
      return 5;
    case SymbolType::kVariable:
      return 13;
    case SymbolType::kInterface:
      return 11;
    case SymbolType::kType:
      return 5;
    case SymbolType::kMethod:
      return 6;
    case SymbolType::kProperty:
      return 8;
  }
  return 13;
}

Result<std::string> answer_document_symbols(Call& call) {
  CODEXMEM_ASSIGN(const auto file, call.asked_file());
  if (!file) return std::string("[]");
  CODEXMEM_ASSIGN(auto rows, call.reader().list_symbols(file->id));
  std::vector<Outline> all;
  std::vector<std::size_t> outer;
  std::map<store::SymbolId, std::size_t> by_id;
  for (store::SymbolRow& row : rows) {
    CODEXMEM_ASSIGN(ByteRange name, call.name_range_of(row));
    // The protocol wants the name inside.
    if (!row.range.contains(name)) name = {row.range.begin, row.range.begin};
    CODEXMEM_ASSIGN(JsonText range, call.range(file->id, row.range));
    CODEXMEM_ASSIGN(JsonText name_range, call.range(file->id, name));
    // A member that is written elsewhere is listed there: editors want children inside their
    // parents.
    auto parent = row.parent ? by_id.find(*row.parent) : by_id.end();
    while (parent != by_id.end() && !all[parent->second].row.range.contains(row.range)) {
      const auto& above = all[parent->second].row.parent;
      parent = above ? by_id.find(*above) : by_id.end();
    }
    (parent == by_id.end() ? outer : all[parent->second].inner).push_back(all.size());
    by_id.emplace(row.id, all.size());
    all.push_back({std::move(row), std::move(range), std::move(name_range)});
  }
  if (call.client.takes_nested_symbols) {
    const auto write = [&](std::size_t at) { return outline_json(all, at); };
    return std::string(json_list(outer, write));
  }
  const auto write = [&](const Outline& each) {
    return information_json(call, each.row, file->path, each.name_range);
  };
  return std::string(json_list(all, write));
}

Result<std::string> answer_workspace_symbols(Call& call) {
  const std::string query(trim(call.params.member("query").string().value_or("")));
  if (query.empty()) return std::string("[]");
  const auto found = graph::find_symbols(
      call.reader(), {.symbol = query, .limit = kMaxFound, .near_limit = kMaxFound});
  if (!found.ok() && found.error().code() != ErrorCode::kInvalidArgument) return found.error();
  std::vector<JsonText> list;
  if (!found.ok()) return std::string("[]");
  for (const graph::SymbolMatch& match : found->results) {
    CODEXMEM_ASSIGN(const ByteRange name, call.name_range_of(match.symbol));
    CODEXMEM_ASSIGN(const JsonText range, call.range(store::file_of(match.symbol.id), name));
    list.push_back(information_json(call, match.symbol, match.path, range));
  }
  if (call.report && found->total > list.size()) {
    call.report("symbols called " + query + ": the first " + std::to_string(list.size()) + " of " +
                std::to_string(found->total));
  }
  return std::string(json_value(list));
}

}  // namespace codexmem::lsp
