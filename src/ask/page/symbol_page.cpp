// Tested by ask/page_test.cpp.
#include "ask/page/symbol_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "ask/code/code_answer.h"
#include "ask/fresh.h"
#include "ask/page/file_page.h"
#include "base/text.h"
#include "config/path_kind.h"
#include "graph/uses/neighbours.h"
#include "graph/uses/references.h"
#include "graph/uses/symbol_search.h"
#include "privacy/shown_code.h"
#include "text/json_object.h"
#include "text/line_index.h"

namespace codexmem::ask {

namespace {

constexpr std::size_t kMaxOthers = 30;
constexpr std::uint32_t kMaxCodeLines = 600;
constexpr std::size_t kMaxSymbolNeighbours = 50;
constexpr std::size_t kMaxReferences = 500;
constexpr std::size_t kMaxSymbolNotes = 50;
constexpr std::size_t kMaxDocBytes = 4000;

// Of a list that was asked for one more than is shown.
template <typename List>
void cut_last(List& list, const char* name, JsonText& cut) {
  if (list.size() <= kMaxSymbolNeighbours) return;
  list.erase(list.begin() + kMaxSymbolNeighbours, list.end());
  json_add(cut, name, true);
}

JsonText page_neighbour_json(const graph::Neighbour& each) {
  return json_object("id", each.symbol.id, "name", each.symbol.qualified_name(), "kind",
                     each.symbol.kind, "path", each.path, "line", each.symbol.start.line,
                     "callLine", each.first.line, "count", each.count, "certainty",
                     graph::confidence_name(each.confidence));
}

class SymbolPage {
 public:
  SymbolPage(const PageCall& call, store::CodeReader& reader, const SymbolPageParams& params)
      : call_(call), reader_(reader), params_(params) {}

  Result<std::string> make() {
    CODEXMEM_ASSIGN(symbol_, find());
    CODEXMEM_ASSIGN(const auto file, reader_.find_file(store::file_of(symbol_.id)));
    if (!file) return Error{ErrorCode::kNotFound, "the file of this symbol is gone"};
    file_ = *file;
    CODEXMEM_TRY(reader_.read_texts({&symbol_, 1}));
    json_add(page_, "symbol",
             json_object("id", symbol_.id, "name", symbol_.name, "qualifiedName",
                         symbol_.qualified_name(), "kind", symbol_.kind, "path", file_.path, "line",
                         symbol_.start.line, "endLine", symbol_.end.line, "signature",
                         privacy::shown_code(symbol_.signature, kMaxDocBytes), "doc",
                         privacy::shown_code(symbol_.docstring, kMaxDocBytes)));
    CODEXMEM_TRY(add_others());
    CODEXMEM_TRY(add_code());
    CODEXMEM_TRY(add_neighbours());
    CODEXMEM_TRY(add_references());
    const PageNotes notes =
        find_page_notes(call_, reader_, file_.path, symbol_.qualified_name(), kMaxSymbolNotes);
    json_add(cut_, "memories", some(notes.omitted));
    json_add(page_, "memoriesMissing", some(notes.missing), "cut", cut_, "memories", notes.records,
             "decisions", notes.decisions);
    return std::move(page_.text);
  }

 private:
  Result<store::SymbolRow> find() {
    if (params_.id) {
      CODEXMEM_ASSIGN(auto symbol, reader_.find_symbol(*params_.id));
      if (symbol) return *std::move(symbol);
      return Error{ErrorCode::kNotFound,
                   "no definition has this id any more: its file was indexed again"};
    }
    if (!params_.path.empty() && params_.line > 0) return find_at();
    if (!trim(params_.name).empty()) return find_named();
    return Error{ErrorCode::kInvalidArgument, "name a symbol by id, by path and line, or by name"};
  }

  Result<store::SymbolRow> find_at() {
    CODEXMEM_ASSIGN(const std::string path,
                    repository_path(call_.code.workspace, "path", params_.path));
    CODEXMEM_ASSIGN(const store::FileRow file, graph::get_indexed_file(reader_, path));
    CODEXMEM_ASSIGN(const auto symbols, reader_.list_symbols(file.id));
    // The innermost around the line; of two the one that begins last.
    const store::SymbolRow* best = nullptr;
    for (const store::SymbolRow& each : symbols) {
      if (each.start.line > params_.line || each.end.line < params_.line) continue;
      if (best == nullptr || each.range.size() <= best->range.size()) best = &each;
    }
    if (best != nullptr) return *best;
    return Error{ErrorCode::kNotFound,
                 fmt::format("{}:{} is in no definition", path, params_.line)};
  }

  Result<store::SymbolRow> find_named() {
    graph::SymbolQuery query;
    query.symbol = params_.name;
    query.limit = kMaxOthers + 1;
    query.near_limit = 1;
    CODEXMEM_ASSIGN(graph::SymbolAnswer found, graph::find_symbols(reader_, query));
    if (!found.results.empty() && found.results.front().match == graph::NameMatch::kExact) {
      return std::move(found.results.front().symbol);
    }
    query.near_limit = query.limit;
    CODEXMEM_ASSIGN(auto inherited, graph::find_inherited(call_.code.facts, reader_, query));
    if (!inherited.empty()) return std::move(inherited.front().symbol);
    const std::string near = !found.results.empty()       ? found.results.front().symbol.name
                             : !found.suggestions.empty() ? found.suggestions.front()
                                                          : std::string();
    return Error{ErrorCode::kNotFound,
                 fmt::format("nothing is called {}{}", utf8_prefix(params_.name, 100),
                             near.empty() ? "" : fmt::format("; did you mean {}?", near))};
  }

  Result<void> add_others() {
    CODEXMEM_ASSIGN(const auto all, reader_.list_symbols_named(symbol_.name));
    CODEXMEM_ASSIGN(const auto files, call_.code.facts.files(reader_));
    struct Other {
      const store::SymbolRow* symbol;
      const std::string* path;
    };
    std::vector<Other> others;
    for (const store::SymbolRow& each : all) {
      const store::FileRow* const file = files->find(store::file_of(each.id));
      if (each.id != symbol_.id && file != nullptr) others.push_back({&each, &file->path});
    }
    std::stable_sort(others.begin(), others.end(), [](const Other& a, const Other& b) {
      return is_secondary_path(*a.path) < is_secondary_path(*b.path);
    });
    if (others.size() > kMaxOthers) {
      json_add(cut_, "others", others.size() - kMaxOthers);
      others.resize(kMaxOthers);
    }
    const auto write = [](const Other& each) {
      return json_object("id", each.symbol->id, "name", each.symbol->qualified_name(), "path",
                         *each.path, "line", each.symbol->start.line, "kind", each.symbol->kind);
    };
    json_add(page_, "others", json_list(others, write));
    return {};
  }

  Result<void> add_code() {
    CODEXMEM_ASSIGN(const auto content, reader_.find_content(file_.id));
    CODEXMEM_ASSIGN(const auto stale, list_stale(call_.code.workspace, reader_, {file_.path}));
    const std::uint32_t all = symbol_.end.line - symbol_.start.line + 1;
    const std::uint32_t lines = std::min(all, kMaxCodeLines);
    const std::string text =
        content ? shown_lines(*content, symbol_.start.line, lines) : std::string();
    json_add(page_, "code",
             json_object("first", symbol_.start.line, "text", text, "language", file_.language,
                         "stale", !stale.empty()));
    json_add(cut_, "code", some(all - lines));
    return {};
  }

  Result<void> add_neighbours() {
    graph::FactsCache& facts = call_.code.facts;
    CODEXMEM_ASSIGN(auto sites, graph::list_call_sites({facts, reader_}, symbol_.id,
                                                       kMaxSymbolNeighbours + 1, is_test_path));
    CODEXMEM_ASSIGN(auto callees,
                    graph::list_callees({facts, reader_}, symbol_.id, kMaxSymbolNeighbours + 1));
    cut_last(sites.callers, "callers", cut_);
    cut_last(sites.tests, "tests", cut_);
    cut_last(callees, "callees", cut_);
    const auto test_json = [](const graph::TestUse& test) {
      return json_object("path", test.path, "line", test.first.line, "name", test.test, "count",
                         test.count);
    };
    json_add(page_, "callers", json_list(sites.callers, page_neighbour_json), "callees",
             json_list(callees, page_neighbour_json), "tests", json_list(sites.tests, test_json));
    return {};
  }

  Result<void> add_references() {
    graph::ReferenceQuery query;
    query.symbol = symbol_.name;
    query.file_path = file_.path;
    query.line = symbol_.start.line;
    query.include_definitions = false;
    query.min_confidence = graph::Confidence::kLikely;
    query.limit = kMaxReferences;
    CODEXMEM_ASSIGN(const auto found,
                    graph::find_references(call_.code.facts, reader_, query, call_.stop));
    const std::size_t shown = found.items.size();
    json_add(cut_, "references", some(found.usages - std::min(found.usages, shown)));
    std::vector<std::pair<std::string_view, std::vector<JsonText>>> files;
    for (const graph::ReferenceItem& item : found.items) {
      if (files.empty() || files.back().first != item.path) files.push_back({item.path, {}});
      files.back().second.push_back(json_object(
          "line", item.position.line, "column", item.position.column, "kind",
          graph::usage_kind_name(item.kind), "certainty", graph::confidence_name(item.confidence),
          "container", item.container, "text", item.context));
    }
    const auto write = [](const auto& file) {
      return json_object("path", file.first, "uses", file.second);
    };
    json_add(page_, "referencesTotal", found.usages, "account", graph::account_text(found.account),
             "references", json_list(files, write));
    return {};
  }

  const PageCall& call_;
  store::CodeReader& reader_;
  const SymbolPageParams& params_;
  store::SymbolRow symbol_;
  store::FileRow file_;
  JsonText page_ = json_object(), cut_ = json_object();
};

}  // namespace

Result<std::string> make_symbol_page(const PageCall& call, const SymbolPageParams& params) {
  CODEXMEM_ASSIGN(store::ReaderLease reader, call.code.workspace.reader());
  CODEXMEM_ASSIGN(const auto moment, store::Transaction::begin_read(reader->database()));
  return SymbolPage(call, *reader, params).make();
}

}  // namespace codexmem::ask
