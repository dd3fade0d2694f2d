// Requests that lead from a name to places.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "graph/uses/found_usages.h"
#include "graph/uses/neighbours.h"
#include "lsp/call.h"
#include "text/counted.h"

namespace codexmem::lsp {
namespace {

constexpr std::size_t kMaxImplementations = 1000;

// Places as the protocol lists them, each once.
class Places {
 public:
  explicit Places(Call& call) : call_(call) {}

  Result<void> add(store::FileId file, ByteRange range) {
    if (!known_.emplace(file, range).second) return {};
    CODEXMEM_ASSIGN(const JsonText location, call_.location(file, range));
    list_.push_back(location);
    return {};
  }
  Result<void> add(const store::SymbolRow& symbol) {
    CODEXMEM_ASSIGN(const ByteRange name, call_.name_range_of(symbol));
    return add(store::file_of(symbol.id), name);
  }
  Result<void> add(const std::vector<graph::FilePlace>& places) {
    for (const graph::FilePlace& each : places) CODEXMEM_TRY(add(each.file, each.range));
    return {};
  }

  std::string json() const { return json_value(list_); }

 private:
  Call& call_;
  std::set<std::pair<store::FileId, ByteRange>> known_;
  std::vector<JsonText> list_;
};

// Where the name is defined or, `declared`, declared, as far as that is another place.
Result<std::string> answer_defined(Call& call, bool declared) {
  CODEXMEM_ASSIGN(const auto asked, call.asked_place());
  if (!asked || !asked->named) return std::string("null");
  CODEXMEM_ASSIGN(auto rows, call.rows(asked->named->symbols));
  const auto is_other = [&](const store::SymbolRow& row) { return is_prototype(row) != declared; };
  if (!std::ranges::all_of(rows, is_other)) std::erase_if(rows, is_other);
  Places places(call);
  for (const store::SymbolRow& row : rows) CODEXMEM_TRY(places.add(row));
  CODEXMEM_TRY(places.add(asked->named->locals));
  if (rows.empty()) {
    for (const store::FileId file : asked->named->files) CODEXMEM_TRY(places.add(file, {}));
  }
  return places.json();
}

// What a list of references lacks.
void report_missing(const Call& call, const std::string& name, std::size_t possible,
                    std::size_t unparsed) {
  if (!call.report || (possible == 0 && unparsed == 0)) return;
  std::string text = "references of " + name + ":";
  if (possible > 0) text += fmt::format(" {} may be uses too and are not listed;", possible);
  if (unparsed > 0) {
    text += fmt::format(" {} with the name not read in full;", counted(unparsed, "file"));
  }
  call.report(text + " codexmem refs " + name + " shows all");
}

}  // namespace

Result<std::string> answer_definition(Call& call) { return answer_defined(call, false); }
Result<std::string> answer_declaration(Call& call) { return answer_defined(call, true); }

Result<std::string> answer_type_definition(Call& call) {
  CODEXMEM_ASSIGN(const auto asked, call.asked_place());
  if (!asked || !asked->named) return std::string("null");
  CODEXMEM_ASSIGN(const auto types, graph::find_types_at(call.resolver, call.reader(),
                                                         asked->file.id, asked->offset));
  CODEXMEM_ASSIGN(const auto rows, call.rows(types));
  Places places(call);
  for (const store::SymbolRow& row : rows) CODEXMEM_TRY(places.add(row));
  return places.json();
}

Result<std::string> answer_implementation(Call& call) {
  CODEXMEM_ASSIGN(const auto asked, call.asked_place());
  if (!asked || !asked->named) return std::string("null");
  Places places(call);
  for (const store::SymbolId symbol : asked->named->symbols) {
    CODEXMEM_ASSIGN(const auto hierarchy, graph::find_hierarchy({call.facts(), call.reader()},
                                                                symbol, kMaxImplementations));
    for (const auto* below : {&hierarchy.subtypes, &hierarchy.overridden_by}) {
      for (const graph::Neighbour& each : *below) CODEXMEM_TRY(places.add(each.symbol));
    }
  }
  return places.json();
}

Result<std::string> answer_references(Call& call) {
  CODEXMEM_ASSIGN(const auto asked, call.asked_place());
  if (!asked || !asked->named) return std::string("null");
  const graph::NamedPlace& named = *asked->named;
  const bool with_declaration =
      call.params.member("context").member("includeDeclaration").boolean().value_or(true);
  Places places(call);
  if (!named.symbols.empty()) {
    CODEXMEM_ASSIGN(const auto rows, call.rows(named.symbols));
    if (with_declaration) {
      for (const store::SymbolRow& row : rows) CODEXMEM_TRY(places.add(row));
    }
    CODEXMEM_ASSIGN(const auto found,
                    graph::find_uses(call.facts(), call.resolver, call.reader(), named.symbols));
    std::size_t possible = 0;
    for (const graph::Hit& hit : found->uses.hits) {
      if (hit.drawer == graph::Drawer::kPossible) {
        ++possible;
        continue;
      }
      CODEXMEM_ASSIGN(const auto* text, call.text(hit.file));
      CODEXMEM_TRY(places.add(hit.file, graph::name_range(text->content, hit.offset, named.name)));
    }
    report_missing(call, named.name, possible, found->coverage.files_unparsed);
  }
  for (const graph::FilePlace& local : named.locals) {
    CODEXMEM_ASSIGN(const auto uses,
                    graph::list_local_uses(call.resolver, call.reader(), local, named.name));
    for (const graph::FileUse& use : uses) {
      if (use.is_definition && !with_declaration) continue;
      CODEXMEM_TRY(places.add(use.place.file, use.place.range));
    }
  }
  return places.json();
}

Result<std::string> answer_highlights(Call& call) {
  CODEXMEM_ASSIGN(const auto asked, call.asked_place());
  if (!asked || !asked->named) return std::string("null");
  CODEXMEM_ASSIGN(const auto uses,
                  graph::list_uses_in(call.resolver, call.reader(), asked->file.id, *asked->named));
  constexpr int kText = 1, kRead = 2, kWrite = 3;  // DocumentHighlightKind
  std::vector<JsonText> list;
  for (const graph::FileUse& use : uses) {
    CODEXMEM_ASSIGN(const JsonText range, call.range(use.place.file, use.place.range));
    const int kind = use.kind == graph::UsageKind::kWrite ? kWrite
                     : use.kind == graph::UsageKind::kDoc ? kText
                                                          : kRead;
    list.push_back(json_object("range", range, "kind", kind));
  }
  return std::string(json_value(list));
}

}  // namespace codexmem::lsp
