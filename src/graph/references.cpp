#include "graph/references.h"

#include <algorithm>
#include <map>
#include <memory>
#include <unordered_map>

#include "base/line_index.h"
#include "base/text.h"
#include "graph/explain.h"
#include "graph/qualified_name.h"
#include "graph/symbol_search.h"
#include "graph/usage_search.h"

namespace codexmem::graph {
namespace {

constexpr std::size_t kMaxContextBytes = 300;
constexpr std::size_t kMaxSuggestions = 5;

// The text of files, with their lines, each read once.
class Texts {
 public:
  explicit Texts(store::CodeReader& reader) : reader_(reader) {}

  struct Text {
    std::string content;
    std::unique_ptr<LineIndex> lines;
  };

  Result<const Text*> get(store::FileId id) {
    const auto known = texts_.find(id);
    if (known != texts_.end()) return known->second.get();
    CODEXMEM_ASSIGN(auto content, reader_.find_content(id));
    auto text = std::make_unique<Text>();
    text->content = std::move(content).value_or("");
    text->lines = std::make_unique<LineIndex>(text->content);
    return static_cast<const Text*>((texts_[id] = std::move(text)).get());
  }

 private:
  store::CodeReader& reader_;
  std::unordered_map<store::FileId, std::unique_ptr<Text>> texts_;
};

std::string context_of(const LineIndex& lines, std::uint32_t line) {
  return std::string(utf8_prefix(trim(lines.line_text(line)), kMaxContextBytes));
}

// The symbol around a use, as a reader would say it: an attribute that is assigned in a function
// does not stand around the value that it is given.
std::string container_of(const FileModel& file, std::uint32_t offset) {
  std::uint32_t symbol = file.symbol_at(offset);
  while (symbol != parse::kNoIndex) {
    const SymbolType type = file.facts.symbols[symbol].type;
    const std::uint32_t outer = file.surrounding(symbol);
    const bool is_value = type == SymbolType::kProperty || type == SymbolType::kVariable;
    const bool in_function =
        outer != parse::kNoIndex && (file.facts.symbols[outer].type == SymbolType::kFunction ||
                                     file.facts.symbols[outer].type == SymbolType::kMethod);
    if (!is_value || !in_function) break;
    symbol = outer;
  }
  return symbol == parse::kNoIndex ? std::string() : file.qualified_name(symbol);
}

class Search {
 public:
  Search(FactsCache::Impl& cache, store::CodeReader& reader, const ReferenceQuery& query,
         std::stop_token stop)
      : cache_(cache), reader_(reader), query_(query), stop_(std::move(stop)), texts_(reader) {}

  Result<ReferenceAnswer> run() {
    CODEXMEM_ASSIGN(auto files, cache_.files(reader_));
    Resolver resolver(cache_, reader_, files);
    resolver_ = &resolver;
    CODEXMEM_TRY(find_definitions());
    if (targets_.empty()) {
      answer_.coverage.files_unparsed = resolver.damaged_files();
      return std::move(answer_);
    }
    UsageSearch search(resolver, reader_, targets_);
    CODEXMEM_ASSIGN(const auto usages, search.run(stop_));
    if (query_.include_definitions) CODEXMEM_TRY(add_definition_items());
    CODEXMEM_TRY(add_usage_items(usages));
    CODEXMEM_TRY(add_coverage(search.searched()));
    return std::move(answer_);
  }

 private:
  Result<void> find_definitions() {
    SymbolQuery wanted;
    wanted.symbol = query_.symbol;
    wanted.file_path = query_.file_path;
    wanted.limit = 10'000;
    CODEXMEM_ASSIGN(SymbolAnswer found, find_symbols(reader_, wanted));
    for (SymbolMatch& match : found.results) {
      if (match.match != NameMatch::kExact) continue;
      if (query_.line && !is_on_line(match.symbol, *query_.line)) continue;
      CODEXMEM_TRY(add_definition(match.symbol, match.path));
    }
    if (targets_.empty() && query_.file_path) CODEXMEM_TRY(find_imported_definition());
    if (!targets_.empty()) return {};
    if (query_.file_path) CODEXMEM_TRY(suggest_other_files());
    for (const SymbolMatch& match : found.results) {
      if (match.match != NameMatch::kExact && answer_.suggestions.size() < kMaxSuggestions &&
          std::find(answer_.suggestions.begin(), answer_.suggestions.end(), match.symbol.name) ==
              answer_.suggestions.end()) {
        answer_.suggestions.push_back(match.symbol.name);
      }
    }
    for (std::string& name : found.suggestions) {
      // Near in the repository may be the very name, which the file just does not define.
      if (answer_.suggestions.size() < kMaxSuggestions && name != query_.symbol) {
        answer_.suggestions.push_back(std::move(name));
      }
    }
    return {};
  }

  // The file does not define the symbol, others do: an empty answer alone would read as "unused".
  Result<void> suggest_other_files() {
    SymbolQuery elsewhere;
    elsewhere.symbol = query_.symbol;
    elsewhere.limit = kMaxSuggestions;
    CODEXMEM_ASSIGN(const SymbolAnswer found, find_symbols(reader_, elsewhere));
    for (const SymbolMatch& match : found.results) {
      if (match.match != NameMatch::kExact || match.path == *query_.file_path) continue;
      std::string name = match.path + "::" + match.symbol.qualified_name();
      if (std::find(answer_.suggestions.begin(), answer_.suggestions.end(), name) ==
          answer_.suggestions.end()) {
        answer_.suggestions.push_back(std::move(name));
      }
    }
    return {};
  }

  static bool is_on_line(const store::SymbolRow& symbol, std::uint32_t line) {
    return symbol.start.line <= line && line <= std::max(symbol.name_start.line, symbol.start.line);
  }

  // The file does not define the symbol, but imports or re-exports it: what it means there.
  Result<void> find_imported_definition() {
    CODEXMEM_ASSIGN(const store::FileRow row, get_indexed_file(reader_, *query_.file_path));
    const FileModel* file = resolver_->model(row.id);
    const QualifiedName wanted = parse_qualified_name(query_.symbol);
    if (file == nullptr || !wanted.is_plain()) return {};
    const auto name = file->find_name(wanted.name);
    if (!name) return {};
    Entities meant;
    for (const std::uint32_t binding : file->bindings_in(0, *name)) {
      for (const Entity& entity : resolver_->resolve_binding(*file, binding)) {
        meant.push_back(entity);
      }
    }
    for (const Entity& entity : resolver_->exported(*file, wanted.name)) meant.push_back(entity);
    for (const Entity& entity : meant) {
      if (entity.kind != EntityKind::kSymbol) continue;
      CODEXMEM_ASSIGN(const auto symbol,
                      reader_.find_symbol(store::symbol_id(entity.file->id, entity.index)));
      if (symbol) CODEXMEM_TRY(add_definition(*symbol, entity.file->path));
    }
    return {};
  }

  Result<void> add_definition(const store::SymbolRow& symbol, const std::string& path) {
    const FileModel* file = resolver_->model(store::file_of(symbol.id));
    const std::uint32_t ordinal = store::ordinal_of(symbol.id);
    if (file == nullptr || ordinal >= file->facts.symbols.size()) return {};
    for (const UsageTarget& target : targets_) {
      if (target.file == file && target.symbol == ordinal) return {};
    }
    targets_.push_back({file, ordinal});
    answer_.definitions.push_back({symbol.id, symbol.name, symbol.qualified_name(), symbol.type,
                                   symbol.kind, path, symbol.start, symbol.name_start,
                                   symbol.end.line});
    return {};
  }

  Result<void> add_definition_items() {
    for (std::size_t i = 0; i < answer_.definitions.size(); ++i) {
      const ReferenceDefinition& definition = answer_.definitions[i];
      CODEXMEM_ASSIGN(const auto* text, texts_.get(store::file_of(definition.symbol)));
      ReferenceItem item;
      item.path = definition.path;
      item.position = definition.start;
      item.name_position = definition.name_start;
      item.context = context_of(*text->lines, definition.start.line);
      item.is_definition = true;
      const std::size_t dot = definition.qualified_name.size() - definition.name.size();
      if (dot > 0) item.container = definition.qualified_name.substr(0, dot - 1);
      item.definition = i;
      answer_.items.push_back(std::move(item));
    }
    return {};
  }

  Result<void> add_usage_items(const std::vector<Usage>& usages) {
    for (const Usage& usage : usages) {
      if (usage.confidence < query_.min_confidence) {
        ++answer_.coverage.name_matches_omitted;
        continue;
      }
      CODEXMEM_ASSIGN(const auto* text, texts_.get(usage.file->id));
      const std::uint32_t offset = usage.file->facts.occurrences[usage.occurrence].offset;
      ReferenceItem item;
      item.path = usage.file->path;
      item.position = text->lines->position_of(offset);
      item.name_position = item.position;
      item.context = context_of(*text->lines, item.position.line);
      item.kind = usage_kind(*usage.file, usage.occurrence);
      item.container = container_of(*usage.file, offset);
      item.confidence = usage.confidence;
      item.definition = usage.target;
      if (query_.explain) item.chain = explain_usage(*resolver_, usage, targets_[usage.target]);
      answer_.items.push_back(std::move(item));
    }
    return {};
  }

  Result<void> add_coverage(const std::vector<const FileModel*>& searched) {
    ReferenceCoverage& coverage = answer_.coverage;
    coverage.files_searched = searched.size();
    for (const FileModel* file : searched) {
      if (!file->facts.unparsed.empty() || file->facts.truncated) ++coverage.files_unparsed;
      coverage.unparsed_ranges += file->facts.unparsed.size();
      coverage.dynamic_constructs += file->facts.dynamics.size();
      for (const store::DependencyRow& row : resolver_->dependencies(file->id)) {
        if (!row.target && !row.is_external) ++coverage.unresolved_imports;
      }
    }
    coverage.files_unparsed += resolver_->damaged_files();
    coverage.files_skipped = resolver_->files().skipped();
    return resolver_->status();
  }

  FactsCache::Impl& cache_;
  store::CodeReader& reader_;
  const ReferenceQuery& query_;
  std::stop_token stop_;
  Texts texts_;
  Resolver* resolver_ = nullptr;
  std::vector<UsageTarget> targets_;
  ReferenceAnswer answer_;
};

}  // namespace

std::string_view confidence_name(Confidence confidence) {
  switch (confidence) {
    case Confidence::kName:
      return "name";
    case Confidence::kLikely:
      return "likely";
    case Confidence::kResolved:
      return "resolved";
  }
  return "name";
}

std::optional<Confidence> parse_confidence(std::string_view name) {
  for (const Confidence confidence :
       {Confidence::kName, Confidence::kLikely, Confidence::kResolved}) {
    if (confidence_name(confidence) == name) return confidence;
  }
  return std::nullopt;
}

std::string_view usage_kind_name(UsageKind kind) {
  switch (kind) {
    case UsageKind::kCall:
      return "call";
    case UsageKind::kImport:
      return "import";
    case UsageKind::kType:
      return "type";
    case UsageKind::kInherit:
      return "inherit";
    case UsageKind::kRead:
      return "read";
    case UsageKind::kWrite:
      return "write";
  }
  return "read";
}

Result<ReferenceAnswer> find_references(FactsCache& cache, store::CodeReader& reader,
                                        const ReferenceQuery& query, std::stop_token stop) {
  return Search(cache.impl(), reader, query, std::move(stop)).run();
}

}  // namespace codexmem::graph
