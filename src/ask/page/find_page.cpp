// Tested by ask/page_test.cpp.
#include "ask/page/find_page.h"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "ask/memory/index_rows.h"
#include "base/text.h"
#include "config/path_kind.h"
#include "graph/uses/completion.h"
#include "graph/uses/symbol_search.h"
#include "memory/recall/recall.h"
#include "memory/times.h"
#include "text/json_object.h"

namespace codexmem::ask {

namespace {

constexpr std::size_t kMaxOfOneName = 3;
constexpr std::size_t kMaxQueryBytes = 1000;
constexpr std::size_t kFindSnippetBytes = 200;

class FindPage {
 public:
  FindPage(const PageCall& call, std::string query, std::size_t limit)
      : call_(call), query_(std::move(query)), limit_(limit) {}

  Result<std::string> make() {
    if (query_.empty()) return written();
    CODEXMEM_TRY(add_files());
    CODEXMEM_TRY(add_symbols());
    if (code_point_count(query_) > 1) {
      CODEXMEM_TRY(note(add_code(), "code"));
      CODEXMEM_TRY(note(add_memories(), "memories"));
    }
    return written();
  }

 private:
  std::string written() const {
    return json_object("files", files_, "symbols", symbols_, "code", code_, "memories", memories_,
                       "missing", some(missing_));
  }

  // A list that fails leaves the others; a query that code search refuses is not an error.
  Result<void> note(Result<void> done, const char* list) {
    if (done.ok() || done.error().code() == ErrorCode::kInvalidArgument) return {};
    if (done.error().code() == ErrorCode::kCancelled) return done;
    missing_.emplace_back(list, done.error().message());
    return {};
  }

  Result<void> add_files() {
    CODEXMEM_ASSIGN(const auto found,
                    call_.code.completer->paths(call_.code.workspace, query_, limit_));
    for (const std::string& path : found.values) files_.push_back(json_object("path", path));
    return {};
  }

  Result<void> add_symbols() {
    if (query_.find('/') != std::string::npos && query_.find("::") == std::string::npos) return {};
    CODEXMEM_ASSIGN(const auto names,
                    call_.code.completer->symbols(call_.code.workspace, query_, limit_));
    CODEXMEM_ASSIGN(store::ReaderLease reader, call_.code.workspace.reader());
    CODEXMEM_ASSIGN(const auto moment, store::Transaction::begin_read(reader->database()));
    CODEXMEM_ASSIGN(const auto files, call_.code.facts.files(*reader));
    for (const std::string& name : names.values) {
      CODEXMEM_ASSIGN(auto found, definitions(*reader, *files, name));
      if (found.size() > kMaxOfOneName) found.resize(kMaxOfOneName);
      for (const auto& [symbol, path] : found) {
        if (symbols_.size() == limit_) return {};
        symbols_.push_back(json_object("id", symbol.id, "name", symbol.qualified_name(), "kind",
                                       symbol.kind, "path", path, "line", symbol.start.line));
      }
    }
    return {};
  }

  using Definition = std::pair<store::SymbolRow, std::string>;

  // Of a name that completion gave; source before tests.
  static Result<std::vector<Definition>> definitions(store::CodeReader& reader,
                                                     const graph::FileTable& files,
                                                     const std::string& name) {
    std::vector<Definition> found;
    if (name.find_first_of(".#:") != std::string::npos) {
      CODEXMEM_ASSIGN(auto answer,
                      graph::find_symbols(reader, {.symbol = name, .limit = kMaxOfOneName}));
      for (graph::SymbolMatch& match : answer.results) {
        if (match.match != graph::NameMatch::kExact) continue;
        found.emplace_back(std::move(match.symbol), std::move(match.path));
      }
      return found;
    }
    CODEXMEM_ASSIGN(auto rows, reader.list_symbols_named(name));
    for (store::SymbolRow& row : rows) {
      const store::FileRow* const file = files.find(store::file_of(row.id));
      if (file != nullptr) found.emplace_back(std::move(row), file->path);
    }
    std::stable_sort(found.begin(), found.end(), [](const Definition& a, const Definition& b) {
      return std::tuple(is_secondary_path(a.second), !a.first.exported,
                        !a.first.container.empty()) <
             std::tuple(is_secondary_path(b.second), !b.first.exported, !b.first.container.empty());
    });
    return found;
  }

  Result<void> add_code() {
    search::SearchRequest request;
    request.query = query_;
    request.limit = limit_;
    request.snippet_bytes = kFindSnippetBytes;
    request.is_local = true;
    CODEXMEM_ASSIGN(const auto found, call_.code.search.search(request, call_.stop));
    for (const search::SearchHit& hit : found.hits) {
      std::string symbol;
      if (hit.symbol) {
        symbol =
            (hit.symbol->container.empty() ? "" : hit.symbol->container + ".") + hit.symbol->name;
      }
      code_.push_back(json_object("path", hit.path, "line", hit.line, "symbol",
                                  json_or_null(symbol), "kind", hit.kind, "score", hit.score,
                                  "text", hit.snippet));
    }
    return {};
  }

  Result<void> add_memories() {
    memory::RecallRequest request;
    request.query = query_;
    request.limit = limit_;
    request.is_local = true;
    if (const std::string project = call_.shown_project(); !project.empty()) {
      request.projects = {project};
    }
    CODEXMEM_ASSIGN(const auto found, call_.memory.recall().search(request, call_.stop));
    for (const memory::RecallHit& hit : found.hits) {
      const char* const prefix = memory::kind_of(hit.key) == memory::DocumentKind::kSummary  ? "S"
                                 : memory::kind_of(hit.key) == memory::DocumentKind::kPrompt ? "P"
                                                                                             : "";
      memories_.push_back(json_object("id", prefix + std::to_string(memory::id_of(hit.key)), "type",
                                      hit.type, "title", short_title(hit.title), "project",
                                      hit.project, "createdAt",
                                      memory::iso_time(hit.created_at_ms)));
    }
    return {};
  }

  const PageCall& call_;
  const std::string query_;
  const std::size_t limit_;
  std::vector<JsonText> files_, symbols_, code_, memories_;
  std::vector<std::pair<std::string, std::string>> missing_;  // why, by list
};

}  // namespace

Result<std::string> make_find_page(const PageCall& call, const FindPageParams& params) {
  return FindPage(call, std::string(utf8_prefix(trim(params.query), kMaxQueryBytes)),
                  std::clamp<std::size_t>(params.limit, 1, kMaxFindResults))
      .make();
}

}  // namespace codexmem::ask
