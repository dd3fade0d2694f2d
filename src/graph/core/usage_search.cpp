// Names spread: a symbol is met under its own name in the files that the inverted index gives,
// under another one where an import or export renames it, and under any name where it is a default
// export. The search keeps a set of names for all files and one for each file; whenever a renaming
// is met whose meaning is a target, the new name joins the file's set, or that of all files when it
// is exported, and a default export adds the files that import the module. Each (file, name) is
// searched once, so loops of re-exports end. Cost: facts of the candidate files, plus the
// resolution of the occurrences of the names in them.
//
// Tested by graph/references_test.cpp.
#include "graph/core/usage_search.h"

#include <algorithm>
#include <set>

#include "base/stop_scope.h"
#include "base/text.h"

namespace codexmem::graph {
namespace {

using parse::kNoIndex;
using parse::ReceiverKind;
using parse::Role;

// With a receiver of unknown type, at most this many classes may have a member of the name for a
// use to be likely.
constexpr std::size_t kFewCandidates = 3;

bool is_member(const UsageTarget& target) { return target.file->is_member(target.symbol); }

std::uint32_t offset_of(const Usage& usage) {
  return usage.file->facts.occurrences[usage.occurrence].offset;
}

// By path and offset, one for each place: the surest, of equals the one that was met first. { a }
// is a key and a name at one place.
std::vector<Usage> merged(std::vector<Usage> usages) {
  std::stable_sort(usages.begin(), usages.end(), [](const Usage& a, const Usage& b) {
    if (a.file == b.file) return a.occurrence < b.occurrence;
    return a.file->path < b.file->path;
  });
  std::size_t kept = 0;
  for (const Usage& usage : usages) {
    if (kept == 0 || usages[kept - 1].file != usage.file ||
        offset_of(usages[kept - 1]) != offset_of(usage)) {
      usages[kept++] = usage;
    } else if (usage.confidence > usages[kept - 1].confidence) {
      usages[kept - 1] = usage;
    }
  }
  usages.resize(kept);
  return usages;
}

}  // namespace

UsageKind usage_kind(const FileModel& file, std::uint32_t occurrence) {
  const parse::Occurrence& at = file.facts.occurrences[occurrence];
  if (file.semantics.traits().documentation_mentions && file.is_documentation(at.offset)) {
    return UsageKind::kDoc;
  }
  switch (at.role) {
    case Role::kCall:
      return UsageKind::kCall;
    case Role::kType:
      return UsageKind::kType;
    case Role::kInherit:
      return UsageKind::kInherit;
    case Role::kImport:
    case Role::kExport:
      return UsageKind::kImport;
    case Role::kWrite:
      return UsageKind::kWrite;
    case Role::kRead:
      return UsageKind::kRead;
    case Role::kDefinition:
      break;
  }
  const std::uint32_t binding = file.binding_at(at.offset);
  if (binding != kNoIndex && file.facts.bindings[binding].kind == parse::BindingKind::kImport) {
    return UsageKind::kImport;
  }
  return UsageKind::kWrite;
}

UsageSearch::UsageSearch(Resolver& resolver, store::CodeReader& reader,
                         std::vector<UsageTarget> targets)
    : resolver_(resolver), reader_(reader), targets_(std::move(targets)) {
  for (std::size_t i = 0; i < targets_.size(); ++i) {
    const bool is_new =
        target_index_.emplace(Member(targets_[i].file, targets_[i].symbol), i).second;
    // What a declaration merges with is meant by its name too. (Of very many each would be compared
    // with each.)
    const FileModel& file = *targets_[i].file;
    if (!is_new && targets_.size() > kMaxAlternatives) continue;
    for (const Entity& other : resolver_.merged_with(file, targets_[i].symbol)) {
      target_index_.emplace(Member(other.file, other.index), i);
    }
    if (!file.is_assigned_member(targets_[i].symbol)) continue;
    const Entity owner{EntityKind::kInstance, &file, file.owner_of(targets_[i].symbol)};
    for (const Entity& above : resolver_.declared_above(owner, targets_[i].symbol, owner)) {
      target_index_.emplace(Member(above.file, above.index), i);
    }
  }
}

bool UsageSearch::means_target(const Entities& entities) const {
  return std::any_of(entities.begin(), entities.end(), [&](const Entity& entity) {
    return entity.kind == EntityKind::kSymbol &&
           target_index_.contains(Member(entity.file, entity.index));
  });
}

// The target that an occurrence means; where a type and a value share the name, the one that fits
// its role.
std::optional<std::size_t> UsageSearch::find_target(const Entities& entities, const FileModel& file,
                                                    std::uint32_t occurrence) const {
  const Role role = file.facts.occurrences[occurrence].role;
  const bool wants_type = role == Role::kType;
  std::optional<std::size_t> best;
  bool best_fits = false;
  for (const Entity& entity : entities) {
    if (entity.kind != EntityKind::kSymbol) continue;
    const auto found = target_index_.find(Member(entity.file, entity.index));
    if (found == target_index_.end()) continue;
    const SymbolType type = entity.file->facts.symbols[entity.index].type;
    const bool is_type = type == SymbolType::kInterface || type == SymbolType::kType;
    const bool fits = type == SymbolType::kClass || is_type == wants_type;
    if (!best || (fits && !best_fits) || (fits == best_fits && found->second < *best)) {
      best = found->second;
      best_fits = fits;
    }
  }
  return best;
}

void UsageSearch::find_overridden() {
  for (std::size_t i = 0; i < targets_.size(); ++i) {
    const UsageTarget& target = targets_[i];
    const LanguageTraits& traits = target.file->semantics.traits();
    if (!traits.uses_reach_overridden) continue;
    // Constructors are called by their class's name.
    const std::string& name = target.file->facts.symbols[target.symbol].name;
    if (!is_member(target) || name == traits.constructor || name.starts_with("__")) continue;
    if (traits.only_few_override) {
      const auto has_owner = [](const store::SymbolRow& row) { return !row.container.empty(); };
      const auto& rows = resolver_.symbol_rows(target.file->family, name);
      // (One is what they override.)
      if (static_cast<std::size_t>(std::ranges::count_if(rows, has_owner)) > kFewCandidates + 1) {
        continue;
      }
    }
    for (const Entity& base : resolver_.overridden(*target.file, target.symbol)) {
      if (!is_known(base)) continue;
      overridden_.emplace(Member(base.file, base.index), i);
    }
    for (const Implied& base :
         target.file->semantics.implied_above(resolver_, *target.file, target.symbol)) {
      overridden_.emplace(Member(base.file, base.symbol), i);
    }
  }
}

Result<std::vector<Usage>> UsageSearch::run() {
  find_overridden();
  // Names never mean definitions of another family, so each is searched by itself.
  std::set<Family> families;
  for (const UsageTarget& target : targets_) families.insert(target.file->family);
  for (const Family family : families) {
    family_ = family;
    names_.clear();
    folded_.clear();
    first_named_.clear();
    member_candidates_.clear();
    std::vector<std::string> own_names;
    for (std::size_t i = 0; i < targets_.size(); ++i) {
      if (targets_[i].file->family != family) continue;
      const std::string& name = targets_[i].file->facts.symbols[targets_[i].symbol].name;
      if (first_named_.emplace(name, i).second) own_names.push_back(name);
    }
    for (const std::string& name : own_names) CODEXMEM_TRY(add_name(name));
    for (const UsageTarget& target : targets_) {
      if (target.file->family != family) continue;
      const parse::Symbol& symbol = target.file->facts.symbols[target.symbol];
      if (target.file->semantics.traits().names_ignore_case &&
          (is_callable(symbol) || is_type_like(symbol))) {
        CODEXMEM_TRY(add_other_cases(symbol.name));
      }
      for (const std::string& name :
           target.file->semantics.implied_names(*target.file, target.symbol)) {
        // "@java:getName": in files of that language alone.
        const std::size_t colon = name.starts_with('@') ? name.find(':') : std::string::npos;
        if (colon == std::string::npos) {
          CODEXMEM_TRY(add_name(name));
          continue;
        }
        const std::string language = name.substr(1, colon - 1);
        CODEXMEM_TRY(search_language(language, name.substr(colon + 1)));
      }
    }
  }
  CODEXMEM_TRY(resolver_.status());
  for (Usage& usage : usages_) {
    CODEXMEM_TRY(go_on());
    if (is_of_loose_objects(usage)) usage.confidence = Confidence::kName;
  }
  CODEXMEM_TRY(go_on());  // else is_likely() may not have read all
  return merged(std::move(usages_));
}

// True for a member of something unknown, when many files make objects with a key of its name: it
// may as well be one of those.
bool UsageSearch::is_of_loose_objects(const Usage& usage) {
  if (usage.confidence != Confidence::kLikely) return false;
  const parse::Occurrence& at = usage.file->facts.occurrences[usage.occurrence];
  const auto found = loose_keys_.find(usage.file->name(at.name));
  return found != loose_keys_.end() && found->second.size() > kFewCandidates &&
         has_kind(resolver_.resolve(*usage.file, usage.occurrence), EntityKind::kUnknown);
}

std::vector<const FileModel*> UsageSearch::searched() const {
  std::vector<const FileModel*> files;
  for (const auto& [file, names] : files_) files.push_back(file);
  std::sort(files.begin(), files.end(),
            [](const FileModel* a, const FileModel* b) { return a->path < b->path; });
  return files;
}

Result<void> UsageSearch::add_name(const std::string& name) {
  if (name.empty() || !names_.insert(name).second) return {};
  CODEXMEM_ASSIGN(const auto files, reader_.list_files_with_identifier(name));
  const bool is_own_name = first_named_.contains(name);
  for (const store::FileId id : files) CODEXMEM_TRY(search_file(id, name, is_own_name));
  return {};
}

Result<void> UsageSearch::search_language(const std::string& language, const std::string& name) {
  CODEXMEM_ASSIGN(const auto files, reader_.list_files_with_identifier(name));
  for (const store::FileId id : files) {
    const store::FileRow* row = resolver_.files().find(id);
    if (row == nullptr || row->language != language) continue;
    CODEXMEM_TRY(search_file(id, name, false));
  }
  return {};
}

// The same name in other letters: a file that has one has it in small ones too.
Result<void> UsageSearch::add_other_cases(const std::string& name) {
  const std::string folded = to_lower_ascii(name);
  if (!folded_.insert(folded).second) return {};
  CODEXMEM_ASSIGN(const auto files, reader_.list_files_with_identifier(folded));
  for (const store::FileId id : files) {
    CODEXMEM_TRY(go_on());
    const store::FileRow* row = resolver_.files().find(id);
    if (row == nullptr || family_of(row->language) != family_) continue;
    const FileModel* file = resolver_.model(id);
    if (file == nullptr) continue;
    files_[file];
    for (parse::NameId other = 0; other < file->facts.names.size(); ++other) {
      const std::string& text = file->facts.names[other];
      const bool is_one =
          text.size() == name.size() && text != name && to_lower_ascii(text) == folded;
      if (is_one) CODEXMEM_TRY(search_names(*file, other, false));
    }
  }
  return {};
}

Result<void> UsageSearch::search_file(store::FileId id, const std::string& name, bool is_own_name) {
  CODEXMEM_TRY(go_on());
  const store::FileRow* row = resolver_.files().find(id);
  if (row == nullptr || !share_names(family_of(row->language), family_)) return {};
  const FileModel* file = resolver_.model(id);
  if (file == nullptr) return {};
  const auto name_id = file->find_name(name);
  files_[file];
  if (!name_id) return {};
  return search_names(*file, *name_id, is_own_name);
}

Result<void> UsageSearch::search_names(const FileModel& file, parse::NameId name,
                                       bool is_own_name) {
  if (!files_[&file].insert(name).second) return {};
  for (const std::uint32_t occurrence : file.occurrences_of(name)) {
    CODEXMEM_TRY(go_on());
    classify(file, occurrence, is_own_name);
  }
  for (std::uint32_t i = 0; i < file.facts.imports.size(); ++i) {
    const parse::Import& import = file.facts.imports[i];
    for (std::uint32_t n = 0; n < import.names.size(); ++n) {
      const parse::ImportedName& imported = import.names[n];
      if (imported.local == kNoIndex || imported.local == name) continue;
      // `* as ns` and require() matter here as the other name of a default export alone.
      const std::string& text = file.name(imported.imported);
      const bool is_default = file.name(name) == "default" && text == "*";
      if (imported.imported != name && !is_default) continue;
      if (!means_target(resolver_.resolve_import(file, i, n))) continue;
      const parse::NameId local = imported.local;
      const bool is_reexported = file.semantics.traits().imports_are_exports && import.scope == 0;
      CODEXMEM_TRY(search_names(file, local, false));
      if (is_reexported) CODEXMEM_TRY(add_name(file.name(local)));
    }
  }
  // import a = b.name
  for (const parse::Binding& binding : file.facts.bindings) {
    if (binding.kind != parse::BindingKind::kAlias || binding.name == name) continue;
    const parse::TermId term = file.facts.symbols[binding.target].term;
    if (term == kNoIndex || file.facts.terms[term].kind != parse::TermKind::kName) continue;
    const std::uint32_t meant = file.facts.terms[term].at;
    if (file.facts.occurrences[meant].name != name) continue;
    if (means_target(resolver_.resolve(file, meant))) {
      CODEXMEM_TRY(search_names(file, binding.name, false));
    }
  }
  return follow_exports(file, name);
}

// Exports of what `name` means in the file under other names.
Result<void> UsageSearch::follow_exports(const FileModel& file, parse::NameId name) {
  for (std::uint32_t i = 0; i < file.facts.exports.size(); ++i) {
    const parse::Export& entry = file.facts.exports[i];
    const bool is_default = file.name(entry.exported) == "default";
    // Under its own name, which is searched already: thousands of overloads say nothing new.
    if (!is_default && entry.exported == name && names_.contains(file.name(name))) continue;
    // exports.b = a makes a property b, not another name of a.
    if (entry.commonjs && !is_default && entry.exported != name) continue;
    const bool has_name =
        entry.local == name ||
        (entry.symbol != kNoIndex && file.facts.symbols[entry.symbol].name == file.name(name));
    if (!has_name || !means_target(resolver_.resolve_export(file, i))) continue;
    if (is_default) {
      CODEXMEM_TRY(add_dependents(file));
    } else {
      CODEXMEM_TRY(add_name(file.name(entry.exported)));
    }
  }
  return {};
}

Result<void> UsageSearch::add_dependents(const FileModel& file) {
  if (!dependents_added_.insert(&file).second) return {};
  CODEXMEM_ASSIGN(const auto rows, reader_.list_dependents(file.id));
  for (const store::DependencyRow& row : rows) {
    const store::FileRow* source = resolver_.files().find(row.source);
    if (source == nullptr || family_of(source->language) != family_) continue;
    const FileModel* importer = resolver_.model(row.source);
    if (importer == nullptr) continue;
    files_[importer];
    if (row.import_index >= importer->facts.imports.size()) continue;
    const parse::Import& import = importer->facts.imports[row.import_index];
    for (std::uint32_t n = 0; n < import.names.size(); ++n) {
      const parse::ImportedName& imported = import.names[n];
      const std::string& text = importer->name(imported.imported);
      if (text != "default" && text != "*") continue;
      if (!means_target(resolver_.resolve_import(*importer, row.import_index, n))) continue;
      if (text == "default") {
        CODEXMEM_TRY(search_names(*importer, imported.imported, false));
      }
      if (imported.local != kNoIndex) {
        const parse::NameId local = imported.local;
        CODEXMEM_TRY(search_names(*importer, local, false));
      }
    }
  }
  return {};
}

// Where names are not resolved, whatever is spelled like a target may mean it, but for what
// declares something else.
void UsageSearch::match_name(const FileModel& file, std::uint32_t index) {
  const parse::Occurrence& occurrence = file.facts.occurrences[index];
  if (occurrence.role == Role::kDefinition) return;
  const auto first = first_named_.find(file.name(occurrence.name));
  if (first == first_named_.end()) return;
  usages_.push_back({&file, index, Confidence::kName, first->second});
}

// True if `entities` hold an overload or alternative of `used` too that was not asked for, or say
// themselves that they may be something else.
bool UsageSearch::may_be_another(const Entities& entities, const UsageTarget& used) const {
  const LanguageTraits& traits = used.file->semantics.traits();
  if (!traits.overloads_are_distinct && !traits.alternatives_are_likely) return false;
  if (traits.alternatives_are_likely && has_kind(entities, EntityKind::kUnknown)) return true;
  const std::string& name = used.file->facts.symbols[used.symbol].name;
  const bool is_function = is_callable(used.file->facts.symbols[used.symbol]);
  return std::ranges::any_of(entities, [&](const Entity& entity) {
    return entity.kind == EntityKind::kSymbol &&
           (traits.alternatives_are_likely || is_callable(symbol_of(entity))) &&
           (symbol_of(entity).name == name ||
            (traits.aliases_are_alternatives && is_function && is_callable(symbol_of(entity)))) &&
           !target_index_.contains(Member(entity.file, entity.index));
  });
}

void UsageSearch::classify(const FileModel& file, std::uint32_t index, bool is_own_name) {
  if (!resolves_names(file.family)) return match_name(file, index);
  const parse::Occurrence& occurrence = file.facts.occurrences[index];
  const std::uint32_t declared = file.symbol_named_at(occurrence.offset);
  if (declared != kNoIndex && target_index_.contains(Member(&file, declared))) return;
  const Entities entities = resolver_.resolve(file, index);
  if (const auto target = find_target(entities, file, index)) {
    // Documentation uses nothing but what documentation defines.
    const UsageTarget& used = targets_[*target];
    const bool is_mention =
        file.is_documentation(occurrence.offset) &&
        !used.file->is_documentation(used.file->facts.symbols[used.symbol].name_range.begin);
    usages_.push_back({&file, index,
                       is_mention                       ? Confidence::kName
                       : may_be_another(entities, used) ? Confidence::kLikely
                                                        : Confidence::kResolved,
                       *target});
    return;
  }
  if (file.is_documentation(occurrence.offset)) return;
  // (A word of the language, super, means what is above alone.)
  const bool is_word =
      std::ranges::find(file.semantics.traits().reserved_words, file.name(occurrence.name)) !=
      file.semantics.traits().reserved_words.end();
  if (!overridden_.empty() && !is_word) {
    for (const Entity& entity : entities) {
      if (entity.kind != EntityKind::kSymbol || declared == entity.index) continue;
      const auto base = overridden_.find(Member(entity.file, entity.index));
      if (base == overridden_.end()) continue;
      usages_.push_back({&file, index, Confidence::kLikely, base->second});
      return;
    }
  }
  if (occurrence.receiver_kind == ReceiverKind::kKey && occurrence.role == Role::kWrite) {
    loose_keys_[file.name(occurrence.name)].insert(&file);
  }
  if (!is_own_name || !has_kind(entities, EntityKind::kUnknown)) return;
  const auto first = first_named_.find(file.name(occurrence.name));
  if (first == first_named_.end()) return;
  const Confidence confidence =
      is_likely(file, index, first->second) ? Confidence::kLikely : Confidence::kName;
  usages_.push_back({&file, index, confidence, first->second});
}

bool UsageSearch::is_likely(const FileModel& file, std::uint32_t index, std::size_t target) {
  const parse::Occurrence& occurrence = file.facts.occurrences[index];
  const std::string& name = file.name(occurrence.name);
  if (occurrence.receiver_kind == ReceiverKind::kKey || occurrence.role == Role::kImport) {
    return false;
  }
  if (occurrence.receiver_kind == ReceiverKind::kNone) {
    // A global of another script.
    return occurrence.role != Role::kExport && targets_[target].file->is_script() &&
           !is_member(targets_[target]) && file.is_script() &&
           (occurrence.role == Role::kType ||
            !targets_[target].file->is_only_type(targets_[target].symbol));
  }
  const parse::Symbol& wanted = targets_[target].file->facts.symbols[targets_[target].symbol];
  if (occurrence.role == Role::kType && !is_type_like(wanted)) return false;
  if (!file.semantics.may_mean_member(file, *targets_[target].file)) return false;
  const Entity member{EntityKind::kSymbol, targets_[target].file, targets_[target].symbol};
  if (!file.semantics.may_use(file, index, member)) return false;
  if (!is_member(targets_[target]) || file.semantics.library().has("members", name)) return false;
  const auto known = member_candidates_.find(name);
  if (known != member_candidates_.end()) return known->second <= kFewCandidates;
  std::set<std::pair<store::FileId, std::string>> owners;
  std::unordered_set<store::SymbolId> asked_for;
  for (const UsageTarget& each : targets_) {
    asked_for.insert(store::symbol_id(each.file->id, each.symbol));
  }
  bool all_asked_for = true;
  if (const auto rows = reader_.list_symbols_named(name); rows.ok()) {
    for (const store::SymbolRow& row : *rows) {
      const store::FileRow* owner = resolver_.files().find(store::file_of(row.id));
      if (row.container.empty() || owner == nullptr || family_of(owner->language) != file.family) {
        continue;
      }
      owners.emplace(owner->id, row.container);
      all_asked_for = all_asked_for && asked_for.contains(row.id);
    }
  }
  // Many definitions, but all of them asked for: whichever is meant, it is one of them.
  return (member_candidates_[name] = all_asked_for ? 1 : owners.size()) <= kFewCandidates;
}

}  // namespace codexmem::graph
