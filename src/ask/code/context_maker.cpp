// What goes in, and how it is ranked.
//
// Code: what was asked about comes first (score 1: the symbol, or the file, or the file's most used
// top-level definitions when it is large); then what it calls elsewhere, extends or overrides (.8),
// who calls it (.7), the types that it names and what overrides it (.6), what extends it and the
// tests that call it (.5), less by each step of inheritance, and last pieces that resemble it (half
// of search's score), each scaled by how sure the link is. The second piece for one reason counts
// four fifths of the first, and so on: five callees show less than a callee, a caller and a test.
// Files: an import of or by the file weighs most, then changes in the same commits, calls, tests
// and likeness; several reasons add up. These weights are round numbers chosen by reading answers,
// not fitted.
//
// Cost: the neighbours dominate; for a file without symbol they are asked of at most five symbols.
//
// Tested by mcp/tools_test.cpp.
#include "ask/code/context_maker.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "ask/cited_code.h"
#include "ask/code/context_pieces.h"
#include "ask/united.h"
#include "config/path_kind.h"
#include "base/log.h"
#include "base/text.h"
#include "graph/imports/packages.h"
#include "graph/uses/symbol_search.h"
#include "memory/memory.h"
#include "search/path_facts.h"

namespace codexmem::ask {

namespace {

constexpr std::size_t kMaxAskedSymbols = 5;    // whose neighbours are looked for
constexpr std::size_t kMaxRankedSymbols = 40;  // of a large file, by use
constexpr std::size_t kMaxImporters = 200;     // looked at
constexpr std::size_t kMaxChangedFiles = 200;  // looked at
constexpr double kNextOfAReason = 0.8;         // of the score of the one before

double sureness(graph::Confidence confidence) {
  return confidence == graph::Confidence::kResolved ? 1.0 : 0.8;
}

bool may_be_called(SymbolType type) {
  return type == SymbolType::kFunction || type == SymbolType::kMethod || type == SymbolType::kClass;
}

class ContextMaker {
 public:
  ContextMaker(const Context& context, store::CodeReader& reader, const GetContextParams& params,
               const std::string& path)
      : context_(context),
        reader_(reader),
        params_(params),
        path_(path),
        pieces_(reader, params.max_bytes * 2 / 5) {}

  Result<GetContextAnswer> make() {
    CODEXMEM_ASSIGN(answer_.file, graph::get_indexed_file(reader_, path_));
    CODEXMEM_ASSIGN(rows_, reader_.list_symbols(answer_.file.id));
    CODEXMEM_TRY(reader_.read_texts(rows_));
    if (params_.symbol) {
      CODEXMEM_TRY(choose_symbol());
    } else {
      CODEXMEM_TRY(choose_file());
    }
    CODEXMEM_TRY(add_neighbours());
    CODEXMEM_TRY(add_files());
    CODEXMEM_TRY(add_history());
    CODEXMEM_TRY(add_similar());
    add_notes();
    answer_.code = pieces_.take();
    rank_files();
    rank_dependencies();
    return std::move(answer_);
  }

 private:
  Result<void> choose_symbol() {
    graph::SymbolQuery query;
    query.symbol = *params_.symbol;
    query.file_path = path_;
    CODEXMEM_ASSIGN(const graph::SymbolAnswer found, graph::find_symbols(reader_, query));
    for (const graph::SymbolMatch& match : found.results) {
      if (match.match == graph::NameMatch::kExact) asked_.push_back(match.symbol);
    }
    if (asked_.empty()) {
      std::vector<std::string> names;
      for (const store::SymbolRow& row : rows_) names.push_back(row.name);
      const auto near = found.results.empty()
                            ? nearest(*params_.symbol, names)
                            : std::optional<std::string>(found.results.front().symbol.name);
      return Error{ErrorCode::kInvalidArgument,
                   fmt::format("symbol must be one that {} defines, got \"{}\"{}", path_,
                               utf8_prefix(*params_.symbol, 100),
                               near ? fmt::format("; did you mean \"{}\"?", *near) : "")};
    }
    for (const store::SymbolRow& row : rows_) {
      const bool inside = std::any_of(
          asked_.begin(), asked_.end(),
          [&](const store::SymbolRow& asked) { return asked.range.contains(row.range); });
      if (inside) answer_.symbols.push_back(row);
    }
    for (const store::SymbolRow& row : asked_) {
      CODEXMEM_TRY(pieces_.add_symbol(row, path_, 1.0, "asked for", true, 0));
    }
    return {};
  }

  // The symbols of the file; of a large file, the definitions that most other files mention first.
  Result<void> choose_file() {
    answer_.symbols = rows_;
    struct Used {
      const store::SymbolRow* row;
      double weight;
    };
    std::vector<Used> used;
    for (const store::SymbolRow& row : rows_) {
      if (row.container.empty()) used.push_back({&row, row.exported ? 1.0 : 0.0});
    }
    const auto heavier = [](const Used& a, const Used& b) { return a.weight > b.weight; };
    std::stable_sort(used.begin(), used.end(), heavier);
    if (used.size() > kMaxRankedSymbols) used.resize(kMaxRankedSymbols);
    for (Used& each : used) {
      CODEXMEM_ASSIGN(const double files, mentions(each.row->name));
      each.weight += files + (may_be_called(each.row->type) ? 0.5 : 0.0) +
                     std::min(1.0, each.row->range.size() / 2000.0);
    }
    std::stable_sort(used.begin(), used.end(), heavier);
    CODEXMEM_ASSIGN(const bool whole, pieces_.add_file(answer_.file, 1.0, "the file"));
    double score = 1.0;
    for (const Used& each : used) {
      if (!whole) {
        CODEXMEM_TRY(pieces_.add_symbol_in_chunk(*each.row, path_, score, "defined here"));
        score = std::max(score - 0.02, 0.8);
      }
      if (asked_.size() < kMaxAskedSymbols && may_be_called(each.row->type)) {
        asked_.push_back(*each.row);
      }
    }
    return {};
  }

  // Files that mention `name`, shared among the definitions of that name: `get` is on every page
  // and says little, and so do Python's special names.
  Result<double> mentions(const std::string& name) {
    if (name.starts_with("__")) return 0.0;
    CODEXMEM_ASSIGN(const auto files, reader_.list_files_with_identifier(name));
    CODEXMEM_ASSIGN(const auto definitions, reader_.list_symbols_named(name));
    return static_cast<double>(files.size()) /
           static_cast<double>(std::max<std::size_t>(definitions.size(), 1));
  }

  Result<void> add_neighbours() {
    const std::size_t limit = params_.context_size;
    for (const store::SymbolRow& row : asked_) {
      CODEXMEM_ASSIGN(auto callees, graph::list_callees(around_, row.id, limit + 1));
      cut("callees", limit, callees);
      CODEXMEM_TRY(add(std::move(callees), "called here", "called by it", 0.8, answer_.callees));
      if (params_.symbol) {
        CODEXMEM_TRY(add_hierarchy(row));
      } else {
        CODEXMEM_ASSIGN(auto supertypes, graph::list_supertypes(around_, row.id, limit + 1));
        cut("supertypes", limit, supertypes);
        CODEXMEM_TRY(add(std::move(supertypes), "extended here", "extended by it", 0.8,
                         answer_.hierarchy.supertypes));
      }
      CODEXMEM_ASSIGN(auto types, graph::list_types(around_, row.id, limit + 1));
      cut("types", limit, types);
      CODEXMEM_TRY(add(std::move(types), "type used here", "has a type of it", 0.6, answer_.types));
      CODEXMEM_ASSIGN(auto sites, graph::list_call_sites(around_, row.id, limit + 1, is_test_path));
      cut("callers", limit, sites.callers);
      cut("tests", limit, sites.tests);
      CODEXMEM_TRY(add(std::move(sites.callers), "caller", "calls it", 0.7, answer_.callers));
      CODEXMEM_TRY(add_tests(std::move(sites.tests)));
    }
    return {};
  }

  // Leaves the first `limit` of `list`, and notes that it is cut.
  template <typename Items>
  void cut(const char* part, std::size_t limit, Items& list) {
    if (list.size() <= limit) return;
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(limit), list.end());
    answer_.cut.insert(part);
  }

  Result<void> add_tests(std::vector<graph::TestUse> tests) {
    for (graph::TestUse& test : tests) {
      const bool listed = std::any_of(
          answer_.tests.begin(), answer_.tests.end(),
          [&](const auto& other) { return other.path == test.path && other.test == test.test; });
      if (listed) continue;
      note_file(test.path, 0.3, "test");
      CODEXMEM_TRY(
          pieces_.add_chunk(test.path, test.first.line, score_of("test", 0.5), test.test, "test"));
      answer_.tests.push_back(std::move(test));
    }
    return {};
  }

  // `weight`, less for each earlier one of that reason.
  double score_of(const std::string& reason, double weight) {
    double& share = shares_.try_emplace(reason, 1.0).first->second;
    const double score = weight * share;
    share *= kNextOfAReason;
    return score;
  }

  Result<void> add_hierarchy(const store::SymbolRow& row) {
    const std::size_t limit = params_.context_size * 2;
    CODEXMEM_ASSIGN(auto found, graph::find_hierarchy(around_, row.id, limit + 1));
    cut("supertypes", limit, found.supertypes);
    cut("subtypes", limit, found.subtypes);
    cut("overrides", limit, found.overrides);
    cut("overriddenBy", limit, found.overridden_by);
    graph::Hierarchy& all = answer_.hierarchy;
    CODEXMEM_TRY(
        add(std::move(found.supertypes), "extended here", "extended by it", 0.8, all.supertypes));
    CODEXMEM_TRY(
        add(std::move(found.overrides), "overridden here", "overridden by it", 0.8, all.overrides));
    CODEXMEM_TRY(add(std::move(found.overridden_by), "overrides it", "overrides it", 0.6,
                     all.overridden_by));
    return add(std::move(found.subtypes), "extends it", "extends it", 0.5, all.subtypes);
  }

  // Neighbours that lie outside of what was asked about.
  Result<void> add(std::vector<graph::Neighbour> found, const std::string& reason,
                   const std::string& file_reason, double weight,
                   std::vector<graph::Neighbour>& list) {
    for (graph::Neighbour& neighbour : found) {
      const bool asked =
          std::any_of(asked_.begin(), asked_.end(), [&](const store::SymbolRow& row) {
            return store::file_of(row.id) == store::file_of(neighbour.symbol.id) &&
                   row.range.contains(neighbour.symbol.range);
          });
      const bool listed = std::any_of(list.begin(), list.end(), [&](const auto& other) {
        return other.symbol.id == neighbour.symbol.id;
      });
      if (asked || listed) continue;
      const double score = score_of(reason, weight) * sureness(neighbour.confidence) /
                           static_cast<double>(neighbour.depth) *
                           (is_secondary_path(neighbour.path) ? 0.8 : 1.0);
      const std::uint32_t line =
          reason == "caller" ? neighbour.first.line : neighbour.symbol.start.line;
      CODEXMEM_TRY(
          pieces_.add_symbol(neighbour.symbol, neighbour.path, score, reason, false, line));
      note_file(neighbour.path, 0.3 * sureness(neighbour.confidence), file_reason);
      list.push_back(std::move(neighbour));
    }
    return {};
  }

  // Read from the rows, not through analyze_dependencies(): that looks for cycles, which a file in
  // the middle of a large repository has thousands of.
  Result<void> add_files() {
    CODEXMEM_ASSIGN(const auto imports, reader_.list_dependencies(answer_.file.id));
    for (const store::DependencyRow& row : imports) {
      if (row.import_type == store::kDocumentedImport) continue;
      graph::DependencyItem item;
      item.import_path = row.import_path;
      item.import_type = row.import_type;
      item.symbols = row.symbols;
      item.is_external = row.is_external;
      item.line = row.line;
      if (row.is_external) item.package = row.package;
      if (row.target) {
        CODEXMEM_ASSIGN(const auto target, reader_.find_file(*row.target));
        if (target) item.path = target->path;
        note_file(item.path, 0.6, "imported");
        if (const auto folder = graph::package_folder(row)) {
          item.path = graph::package_path(*folder);
          item.is_package = true;
          item.package = item.path;
        }
      }
      add_dependency(std::move(item));
    }
    CODEXMEM_ASSIGN(const auto importers, graph::list_importers(reader_, answer_.file));
    for (std::size_t i = 0; i < std::min(importers.size(), kMaxImporters); ++i) {
      if (importers[i].import_type == store::kDocumentedImport) continue;
      CODEXMEM_ASSIGN(const auto source, reader_.find_file(importers[i].source));
      if (!source) continue;
      note_file(source->path, 0.5, "imports it");
      if (is_test_path(source->path)) note_file(source->path, 0.1, "test");
    }
    return {};
  }

  // Files that changed in the same commits. One commit may be chance: it lists a file and relates
  // none.
  Result<void> add_history() {
    CODEXMEM_ASSIGN(answer_.history, find_history(context_, path_));
    std::vector<index::ChangedFile>& together = answer_.history.together;
    if (together.size() > kMaxChangedFiles) together.resize(kMaxChangedFiles);
    std::vector<index::ChangedFile> indexed;
    for (index::ChangedFile& file : together) {
      CODEXMEM_ASSIGN(const auto row, reader_.find_file(file.path));
      if (!row) continue;  // gone, or never indexed
      if (file.commits > 1) {
        const double share =
            static_cast<double>(file.commits) / static_cast<double>(answer_.history.commits);
        note_file(file.path, 0.4 * share, "changes with it");
      }
      indexed.push_back(std::move(file));
    }
    together = std::move(indexed);
    return {};
  }

  // What was remembered and decided about it. Trouble with memory is no reason to keep code back.
  void add_notes() {
    if (context_.services->memory == nullptr) return;
    const std::string symbol =
        params_.symbol && !asked_.empty() ? asked_.front().qualified_name() : std::string();
    const OwnCode own = own_code(context_, reader_, path_);
    const auto find = [&]() -> Result<memory::CodeNotes> {
      CODEXMEM_ASSIGN(memory::Memory * memory, context_.services->memory->find());
      if (memory == nullptr) return memory::CodeNotes();
      const auto scope = memory->seen_now();
      CODEXMEM_ASSIGN(store::UserReader user, memory->store().reader());
      IndexedCode code(own.code.workspace, own.reader);
      return memory::find_notes(*user, code,
                                {.path = own.path,
                                 .symbol = symbol,
                                 .project = memory->is_isolated() ? memory->project() : "",
                                 .limit = params_.context_size,
                                 .scope = scope});
    };
    Services services = *context_.services;
    services.code = &own.code;
    Context of_own = context_;
    of_own.services = &services;
    auto rules = find_rules_on(of_own, own.reader, *context_.services->memory, own.path);
    if (rules.ok()) {
      answer_.rules = *std::move(rules);
    } else {
      answer_.missing_notes = rules.error().message();
    }
    auto notes = find();
    if (notes.ok()) {
      answer_.notes = *std::move(notes);
    } else {
      log_warn("get_context without memories: {}", notes.error().message());
      answer_.missing_notes = notes.error().message();
    }
  }

  // Imports of the same file by the same words are one, with the names of all.
  void add_dependency(graph::DependencyItem item) {
    if (!params_.include_dependencies) return;
    for (graph::DependencyItem& known : answer_.dependencies) {
      if (known.import_path != item.import_path || known.path != item.path) continue;
      for (std::string& name : item.symbols) {
        if (std::find(known.symbols.begin(), known.symbols.end(), name) == known.symbols.end()) {
          known.symbols.push_back(std::move(name));
        }
      }
      return;
    }
    answer_.dependencies.push_back(std::move(item));
  }

  // Likeness ranks below every other reason, and looking for it costs more than all of them: it is
  // asked for only where they do not fill the answer.
  Result<void> add_similar() {
    if (pieces_.size() >= params_.context_size && related_.size() >= params_.context_size)
      return {};
    search::RelatedRequest request;
    request.limit = params_.context_size;
    if (params_.symbol) {
      CODEXMEM_TRY(reader_.read_texts(std::span(asked_).first(1)));
      request.text = asked_.front().signature + "\n" + asked_.front().docstring;
      request.exclude_paths = {path_};
    } else {
      request.path = path_;
    }
    const Result<search::SearchAnswer> found = find_related(context_, request);
    if (!found.ok()) {
      // Likeness is an extra; a text without a word that the model knows has none.
      if (found.error().code() == ErrorCode::kInvalidArgument ||
          found.error().code() == ErrorCode::kNotFound) {
        return {};
      }
      return found.error();
    }
    for (const search::SearchHit& hit : found->hits) {
      // The search is of a moment of its own; an answer shows one version of a file.
      CODEXMEM_ASSIGN(const auto file, reader_.find_file(hit.path));
      if (!file || file->generation != hit.generation) continue;
      const std::string name =
          !hit.symbol ? ""
                      : (hit.symbol->container.empty() ? "" : hit.symbol->container + ".") +
                            hit.symbol->name;
      CODEXMEM_TRY(pieces_.add_lines(hit.path, hit.start_line, hit.end_line, 0.5 * hit.score, name,
                                     "similar"));
      note_file(hit.path, 0.3 * hit.score, "similar");
    }
    return {};
  }

  void note_file(const std::string& path, double score, const std::string& reason) {
    if (path == path_ || path.empty()) return;
    RelatedFile& file = related_[path];
    file.path = path;
    if (std::find(file.reasons.begin(), file.reasons.end(), reason) != file.reasons.end()) return;
    file.reasons.push_back(reason);
    file.score = std::min(file.score + score, 1.0);
  }

  // The repository's own modules first, then unresolved ones, then packages; each in source
  // order. A list that is cut loses what a reader knows best.
  void rank_dependencies() {
    const auto rank = [](const graph::DependencyItem& item) {
      return !item.path.empty() ? 0 : item.is_external ? 2 : 1;
    };
    std::stable_sort(answer_.dependencies.begin(), answer_.dependencies.end(),
                     [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  }

  void rank_files() {
    for (auto& [path, file] : related_) answer_.related.push_back(std::move(file));
    std::stable_sort(answer_.related.begin(), answer_.related.end(),
                     [](const RelatedFile& a, const RelatedFile& b) { return a.score > b.score; });
  }

  const Context& context_;
  store::CodeReader& reader_;
  const graph::Surroundings around_{context_.code().facts, reader_};
  const GetContextParams& params_;
  const std::string& path_;
  ContextPieces pieces_;
  std::vector<store::SymbolRow> rows_;   // of the file
  std::vector<store::SymbolRow> asked_;  // whose neighbours are looked for
  std::map<std::string, RelatedFile> related_;
  std::map<std::string, double> shares_;  // by reason, what its next piece counts
  GetContextAnswer answer_;
};

}  // namespace

Result<GetContextAnswer> make_context(const Context& context, store::CodeReader& reader,
                                      const GetContextParams& params, const std::string& path) {
  return ContextMaker(context, reader, params, path).make();
}

}  // namespace codexmem::ask
