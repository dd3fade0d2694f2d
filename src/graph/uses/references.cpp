#include "graph/uses/references.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <unordered_set>
#include <utility>

#include "base/path.h"
#include "base/stop_scope.h"
#include "graph/core/explain.h"
#include "graph/uses/found_usages.h"
#include "graph/stored/qualified_name.h"
#include "graph/uses/quoted_uses.h"
#include "graph/core/source_texts.h"
#include "graph/uses/symbol_search.h"
#include "graph/core/usage_search.h"
#include "graph/core/use_account.h"

namespace codexmem::graph {
namespace {

constexpr std::size_t kMaxSuggestions = 5;
constexpr std::size_t kMaxBlindSpots = 5;

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
  Search(FactsCache::Impl& cache, store::CodeReader& reader, const ReferenceQuery& query)
      : cache_(cache), reader_(reader), query_(query), texts_(reader) {}

  Result<ReferenceAnswer> run() {
    CODEXMEM_ASSIGN(const std::int64_t generation, reader_.generation());
    Resolver resolver(cache_, reader_);
    resolver_ = &resolver;
    const std::string key = fmt::format("{}\n{}\n{}", query_.symbol, query_.file_path.value_or(""),
                                        query_.line.value_or(0));
    auto found = cache_.find_usages(key, generation);
    if (found == nullptr) {
      CODEXMEM_TRY(search());
      found = std::make_shared<const FoundUsages>(std::move(found_));
      // Damaged facts will be rebuilt and the question asked again, so such results are not kept.
      if (!found->definitions.empty() && resolver.damaged_files() == 0) {
        cache_.keep_usages(key, generation, found);
      }
    }
    CODEXMEM_TRY(report_found(*found));
    CODEXMEM_TRY(resolver.status());
    return std::move(answer_);
  }

 private:
  // Fills found_; without definitions, the answer's suggestions.
  Result<void> search() {
    CODEXMEM_TRY(find_definitions());
    CODEXMEM_TRY(add_build_conditions());
    if (!targets_.empty()) {
      UsageSearch search(*resolver_, reader_, targets_);
      CODEXMEM_ASSIGN(const auto usages, search.run());
      QuotedUses quoted(*resolver_, targets_);
      CODEXMEM_ASSIGN(found_.uses, account_for(*resolver_, reader_, search, usages, quoted));
      const bool is_used = std::ranges::any_of(
          usages, [](const Usage& usage) { return usage.confidence == Confidence::kResolved; });
      const std::vector<const FileModel*> searched = search.searched();
      CODEXMEM_TRY(add_coverage(searched));
      if (!is_used) CODEXMEM_TRY(add_blind_spots(searched));
    }
    found_.coverage.files_unparsed += resolver_->damaged_files();
    found_.coverage.files_skipped = resolver_->files().skipped();
    return resolver_->status();
  }

  Result<void> find_definitions() {
    SymbolQuery wanted;
    wanted.symbol = query_.symbol;
    wanted.file_path = query_.file_path;
    wanted.limit = SIZE_MAX;
    CODEXMEM_ASSIGN(SymbolAnswer found, find_symbols(reader_, wanted));
    std::vector<const SymbolMatch*> locals;
    // Of several definitions on a line, the ones with their name there are meant: typedef struct a
    // {
    const bool is_name_line =
        query_.line && std::ranges::any_of(found.results, [&](const auto& m) {
          return m.match == NameMatch::kExact && m.symbol.name_start.line == *query_.line;
        });
    for (const SymbolMatch& match : found.results) {
      if (match.match != NameMatch::kExact) continue;
      if (is_name_line && match.symbol.name_start.line != *query_.line) continue;
      if (query_.line && !is_on_line(match.symbol, *query_.line)) continue;
      // A local symbol is not meant if the file has a visible symbol of that name.
      if (query_.file_path && !query_.line && is_local(match.symbol)) {
        locals.push_back(&match);
        continue;
      }
      CODEXMEM_TRY(add_definition(match.symbol, match.path));
    }
    if (targets_.empty()) {
      for (const SymbolMatch* match : locals) {
        CODEXMEM_TRY(add_definition(match->symbol, match->path));
      }
    } else {
      found_.coverage.local_definitions_omitted = locals.size();
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

  // True for a symbol declared in a function, or in a symbol declared there.
  bool is_local(const store::SymbolRow& symbol) {
    const FileModel* file = resolver_->model(store::file_of(symbol.id));
    std::uint32_t at = store::ordinal_of(symbol.id);
    if (file == nullptr || at >= file->facts.symbols.size()) return false;
    for (std::uint32_t parent = file->facts.symbols[at].parent; parent != parse::kNoIndex;
         at = parent, parent = file->facts.symbols[at].parent) {
      const SymbolType outer = file->facts.symbols[parent].type;
      const SymbolType inner = file->facts.symbols[at].type;
      // (A function has members where it is used as a class.)
      const bool is_member = inner == SymbolType::kProperty || inner == SymbolType::kMethod;
      const bool in_function = outer == SymbolType::kFunction || outer == SymbolType::kMethod;
      if (in_function && !is_member) return true;
    }
    return false;
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
      if (entity.kind != EntityKind::kSymbol || !is_known(entity)) continue;
      CODEXMEM_ASSIGN(const auto symbol,
                      reader_.find_symbol(store::symbol_id(entity.file->id, entity.index)));
      if (symbol) CODEXMEM_TRY(add_definition(*symbol, entity.file->path));
    }
    return {};
  }

  Result<void> add_definition(const store::SymbolRow& symbol, const std::string& path) {
    const auto entity = resolver_->symbol(symbol.id);
    if (!entity || !is_target_.insert(symbol.id).second) return {};
    targets_.push_back({entity->file, entity->index});
    found_.definitions.push_back({symbol.id, symbol.name, symbol.qualified_name(), symbol.type,
                                  symbol.kind, path, symbol.start, symbol.name_start,
                                  symbol.end.line});
    return {};
  }

  // Of definitions with one name in one folder, what builds have them.
  Result<void> add_build_conditions() {
    constexpr std::size_t kMaxRead = 100;  // files
    std::map<std::pair<std::string_view, std::string_view>, std::set<std::string_view>> places;
    for (const ReferenceDefinition& each : found_.definitions) {
      places[{each.qualified_name, folder_of(each.path)}].insert(each.path);
    }
    std::size_t read = 0;
    for (ReferenceDefinition& each : found_.definitions) {
      if (places[{each.qualified_name, folder_of(each.path)}].size() < 2) continue;
      if (++read > kMaxRead) break;
      const store::FileId id = store::file_of(each.symbol);
      const FileModel* file = resolver_->model(id);
      if (file == nullptr) continue;
      CODEXMEM_ASSIGN(const auto content, reader_.find_content(id));
      each.build_condition = file->semantics.build_condition(each.path, content.value_or(""));
    }
    return {};
  }

  Result<void> add_coverage(const std::vector<const FileModel*>& searched) {
    ReferenceCoverage& coverage = found_.coverage;
    coverage.files_searched = searched.size();
    for (const FileModel* file : searched) {
      if (!file->facts.unparsed.empty() || file->facts.truncated) ++coverage.files_unparsed;
      add_facts(coverage, *file);
      CODEXMEM_ASSIGN(const std::size_t unresolved, reader_.count_unresolved_imports(file->id));
      coverage.unresolved_imports += unresolved;
    }
    return {};
  }

  static std::string_view name_of(parse::DynamicKind kind) {
    switch (kind) {
      case parse::DynamicKind::kEval:
        return "eval";
      case parse::DynamicKind::kComputedMember:
        return "computed_member";
      case parse::DynamicKind::kReflection:
        return "reflection";
      case parse::DynamicKind::kComputedImport:
        break;
    }
    return "computed_import";
  }

  // Syntax shows no use of the symbol. Lists where else to look: in the definitions' own files
  // first.
  Result<void> add_blind_spots(std::vector<const FileModel*> searched) {
    const auto defines = [&](const FileModel* file) {
      return std::any_of(targets_.begin(), targets_.end(),
                         [&](const UsageTarget& target) { return target.file == file; });
    };
    std::stable_partition(searched.begin(), searched.end(), defines);
    const bool any_member =
        std::any_of(targets_.begin(), targets_.end(), [](const UsageTarget& target) {
          return target.file->owner_of(target.symbol) != parse::kNoIndex;
        });
    for (const FileModel* file : searched) {
      for (const ByteRange& range : file->facts.unparsed) {
        CODEXMEM_TRY(add_blind_spot(*file, range.begin, "unparsed"));
      }
      for (const parse::DynamicConstruct& dynamic : file->facts.dynamics) {
        // What belongs to no object is not reached as a[b], and a member not by an import.
        if (dynamic.kind == (any_member ? parse::DynamicKind::kComputedImport
                                        : parse::DynamicKind::kComputedMember)) {
          continue;
        }
        CODEXMEM_TRY(add_blind_spot(*file, dynamic.offset, name_of(dynamic.kind)));
      }
      for (const store::DependencyRow& row : resolver_->dependencies(file->id)) {
        if (row.target || row.is_external || row.import_index >= file->facts.imports.size()) {
          continue;
        }
        const std::uint32_t offset = file->facts.imports[row.import_index].range.begin;
        CODEXMEM_TRY(add_blind_spot(*file, offset, "import"));
      }
    }
    return count_reflection(searched);
  }

  Result<void> add_blind_spot(const FileModel& file, std::uint32_t offset, std::string_view what) {
    auto& spots = found_.coverage.blind_spots;
    if (spots.size() >= kMaxBlindSpots) return {};
    CODEXMEM_ASSIGN(const auto* text, texts_.get(file.id));
    const std::uint32_t line = text->lines.line_of(offset);
    if (!spots.empty() && spots.back().path == file.path && spots.back().line == line) return {};
    spots.push_back({file.path, line, std::string(what), quoted_line(*text, line)});
    return {};
  }

  // Files that were not searched, for the name is not in them, and that look names up.
  Result<void> count_reflection(const std::vector<const FileModel*>& searched) {
    const FileModel& file_asked = *targets_.front().file;
    std::unordered_set<store::FileId> files;
    for (const std::string_view name : file_asked.semantics.traits().names.reflection) {
      CODEXMEM_ASSIGN(const auto holders, reader_.list_files_with_identifier(name));
      for (const store::FileId id : holders) {
        const store::FileRow* row = resolver_->files().find(id);
        if (row != nullptr && family_of(row->language) == file_asked.family) {
          files.insert(id);
        }
      }
    }
    for (const FileModel* file : searched) files.erase(file->id);
    found_.coverage.files_with_reflection = files.size();
    return {};
  }

  // Fills the answer from the search results: the requested items, and the totals around them.
  Result<void> report_found(const FoundUsages& found) {
    answer_.definitions = found.definitions;
    answer_.coverage = found.coverage;
    answer_.account = found.uses.account;
    const std::size_t ahead = query_.include_definitions ? found.definitions.size() : 0;
    const auto is_wanted = [&](std::size_t index) {
      return index >= query_.offset && index - query_.offset < query_.limit;
    };
    for (std::size_t i = 0; i < ahead; ++i) {
      if (is_wanted(i)) CODEXMEM_TRY(add_definition_item(found.definitions[i], i));
    }
    for (const ReferenceDefinition& definition : found.definitions) {
      const store::FileRow* row = resolver_->files().find(store::file_of(definition.symbol));
      if (row != nullptr && !resolves_names(family_of(row->language))) {
        answer_.coverage.unresolved_language = row->language;
      }
    }
    std::size_t possible = 0;  // items
    for (const Hit& hit : found.uses.hits) {
      const store::FileRow* user = resolver_->files().find(hit.file);
      if (query_.keep && user != nullptr && !query_.keep(user->path)) continue;
      if (hit.drawer == Drawer::kUnread && user != nullptr) note_unread(user->path, hit.doubt);
      if (confidence_of(hit.drawer) < query_.min_confidence) {
        ++answer_.coverage.name_matches_omitted;
        continue;
      }
      const bool is_beyond = hit.drawer >= Drawer::kPossible && possible == query_.possible_limit;
      if (is_wanted(ahead + answer_.usages) && !is_beyond) {
        CODEXMEM_TRY(add_usage_item(hit, found));
        if (hit.drawer >= Drawer::kPossible) ++possible;
      }
      ++answer_.usages;
    }
    answer_.total = ahead + answer_.usages;
    if (answer_.usages > 0) {
      answer_.coverage.blind_spots.clear();
      answer_.coverage.files_with_reflection = 0;
    }
    return {};
  }

  Result<void> add_definition_item(const ReferenceDefinition& definition, std::size_t index) {
    CODEXMEM_ASSIGN(const auto* text, texts_.get(store::file_of(definition.symbol)));
    ReferenceItem item;
    item.path = definition.path;
    item.position = definition.start;
    item.name_position = definition.name_start;
    item.context = quoted_line(*text, definition.start.line);
    item.name_context = quoted_line(*text, definition.name_start.line);
    item.is_definition = true;
    const std::size_t dot = definition.qualified_name.size() - definition.name.size();
    if (dot > 0) item.container = definition.qualified_name.substr(0, dot - 1);
    item.definition = index;
    answer_.items.push_back(std::move(item));
    return {};
  }

  void note_unread(const std::string& path, Doubt doubt) {
    auto& unread = answer_.coverage.unread;
    if (unread.size() < kMaxBlindSpots && (unread.empty() || unread.back().path != path)) {
      unread.push_back({path, doubt});
    }
  }

  Result<void> add_usage_item(const Hit& hit, const FoundUsages& found) {
    const store::FileRow* row = resolver_->files().find(hit.file);
    if (row == nullptr) return resolver_->status();
    CODEXMEM_ASSIGN(const auto* text, texts_.get(hit.file));
    ReferenceItem item;
    item.path = row->path;
    item.position = text->lines.position_of(hit.offset);
    item.name_position = item.position;
    item.context = quoted_line(*text, item.position.line);
    item.kind = hit.drawer <= Drawer::kLikely ? UsageKind::kRead : UsageKind::kDoc;
    item.confidence = confidence_of(hit.drawer);
    item.definition = hit.target;
    item.drawer = hit.drawer;
    item.doubt = hit.doubt;
    if (const FileModel* file = resolver_->model(hit.file)) {
      CODEXMEM_TRY(add_facts_of(hit, *file, found, item));
    }
    answer_.items.push_back(std::move(item));
    return {};
  }

  // What the facts of the file say of a place.
  Result<void> add_facts_of(const Hit& hit, const FileModel& file, const FoundUsages& found,
                            ReferenceItem& item) {
    item.container = container_of(file, hit.offset);
    if (hit.occurrence >= file.facts.occurrences.size()) return {};
    if (hit.drawer >= Drawer::kOther) {
      item.kind = usage_kind(file, hit.occurrence);
      if (hit.drawer == Drawer::kOther) {
        item.means = describe_meaning(*resolver_, file, hit.occurrence);
      }
      return {};
    }
    const ReferenceDefinition& definition = found.definitions[hit.target];
    const FileModel* defining = resolver_->model(store::file_of(definition.symbol));
    if (defining == nullptr) return resolver_->status();
    item.kind = usage_kind(file, hit.occurrence,
                           &defining->facts.symbols[store::ordinal_of(definition.symbol)]);
    if (query_.explain) {
      item.chain = explain_usage(*resolver_, {&file, hit.occurrence, item.confidence, hit.target},
                                 {defining, store::ordinal_of(definition.symbol)});
    }
    return {};
  }

  FactsCache::Impl& cache_;
  store::CodeReader& reader_;
  const ReferenceQuery& query_;
  SourceTexts texts_;
  Resolver* resolver_ = nullptr;
  std::vector<UsageTarget> targets_;
  std::unordered_set<store::SymbolId> is_target_;
  FoundUsages found_;
  ReferenceAnswer answer_;
};

}  // namespace

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
    case UsageKind::kDoc:
      return "doc";
    case UsageKind::kWrite:
      return "write";
  }
  return "read";
}

Result<ReferenceAnswer> find_references(FactsCache& cache, store::CodeReader& reader,
                                        const ReferenceQuery& query, std::stop_token stop) {
  const StopScope scope(std::move(stop));
  return Search(cache.impl(), reader, query).run();
}

Result<UseAccount> account_uses(FactsCache& cache, store::CodeReader& reader,
                                const std::vector<store::SymbolId>& symbols, std::stop_token stop) {
  const StopScope scope(std::move(stop));
  Resolver resolver(cache.impl(), reader);
  std::vector<UsageTarget> targets;
  for (const store::SymbolId id : symbols) {
    const FileModel* file = resolver.model(store::file_of(id));
    if (file != nullptr && store::ordinal_of(id) < file->facts.symbols.size()) {
      targets.push_back({file, store::ordinal_of(id)});
    }
  }
  CODEXMEM_TRY(resolver.status());
  if (targets.empty()) return UseAccount();
  UsageSearch search(resolver, reader, targets);
  CODEXMEM_ASSIGN(const auto usages, search.run());
  QuotedUses quoted(resolver, targets);
  CODEXMEM_ASSIGN(const auto uses, account_for(resolver, reader, search, usages, quoted));
  return uses.account;
}

}  // namespace codexmem::graph
