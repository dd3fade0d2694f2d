// A symbol can have several names: its own in the files that the inverted index gives, another
// where an import or export renames it, and any name where it is a default export. The search keeps
// a set of names for all files and one for each file. When a renaming means a target, the new name
// is added to the file's set, or to the set of all files when it is exported; a default export adds
// the files that import the module. Each (file, name) is searched once, so loops of re-exports end.
// Cost: facts of the candidate files, plus the resolution of the occurrences of the names in them.
//
// Tested by graph/references_test.cpp.
#include "graph/core/usage_search.h"

#include <algorithm>
#include <set>

#include "base/stop_scope.h"
#include "base/text.h"
#include "graph/core/spellings.h"
#include "graph/core/subtypes.h"

namespace codexmem::graph {
namespace {

using parse::kNoIndex;
using parse::ReceiverKind;
using parse::Role;

// Classes that have one constructor from above, at most.
constexpr std::size_t kMaxFactories = 200;

bool is_member(const UsageTarget& target) { return target.file->is_member(target.symbol); }

// True for a method that is used by its class's name: its constructor.
bool is_called_as_class(const UsageTarget& target, const std::vector<std::string>& implied) {
  const std::uint32_t owner = target.file->owner_of(target.symbol);
  return owner != kNoIndex && is_callable(target.file->facts.symbols[target.symbol]) &&
         std::ranges::find(implied, target.file->facts.symbols[owner].name) != implied.end();
}

std::uint32_t offset_of(const Usage& usage) {
  return usage.file->facts.occurrences[usage.occurrence].offset;
}

// By path and offset, one for each place: the one with the highest confidence, of equals the first.
// { a } is a key and a name at one place.
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

UsageKind usage_kind(const FileModel& file, std::uint32_t occurrence, const parse::Symbol* used) {
  const parse::Occurrence& at = file.facts.occurrences[occurrence];
  // A a(1), A(x) : Base(x) call a constructor.
  if (used != nullptr && used->type == SymbolType::kMethod &&
      (at.role == Role::kType || at.role == Role::kWrite) && file.call_of(occurrence)) {
    return UsageKind::kCall;
  }
  if (file.semantics.traits().declared.documentation_mentions && file.is_documentation(at.offset)) {
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
    // Merged declarations are meant by the name, too. (With very many declarations the comparison
    // would be quadratic.)
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
    const Member symbol(entity.file, entity.index);
    return entity.kind == EntityKind::kSymbol &&
           (target_index_.contains(symbol) || makes_.contains(symbol));
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
    if (traits.overriding == Overriding::kNone) continue;
    // Constructors are called by the name of their class.
    const std::string& name = target.file->facts.symbols[target.symbol].name;
    if (!is_member(target) || name == traits.protocol.constructor || name.starts_with("__"))
      continue;
    // A static member hides the members above.
    if (traits.overloads_are_distinct) {
      const store::SymbolRow* row = resolver_.row_of(*target.file, target.symbol);
      if (row != nullptr && row->is(store::Modifier::kStatic)) continue;
    }
    if (traits.overriding == Overriding::kFew) {
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
      const std::uint32_t owner = base.file->owner_of(base.symbol);
      const bool is_of_class =
          owner != kNoIndex && base.file->facts.symbols[owner].type == SymbolType::kClass;
      if (!is_of_class) overridden_.emplace(Member(base.file, base.symbol), i);
    }
  }
}

Result<std::vector<Usage>> UsageSearch::run() {
  find_overridden();
  // Names never mean definitions of another family, so each family is searched separately.
  std::set<Family> families;
  for (const UsageTarget& target : targets_) families.insert(target.file->family);
  for (const Family family : families) {
    family_ = family;
    names_.clear();
    folded_.clear();
    first_named_.clear();
    owners_.clear();
    std::vector<std::string> own_names;
    for (std::size_t i = 0; i < targets_.size(); ++i) {
      if (targets_[i].file->family != family) continue;
      const std::string& name = targets_[i].file->facts.symbols[targets_[i].symbol].name;
      if (first_named_.emplace(name, i).second) own_names.push_back(name);
    }
    for (const std::string& name : own_names) CODEXMEM_TRY(add_name(name));
    for (std::size_t i = 0; i < targets_.size(); ++i) {
      const UsageTarget& target = targets_[i];
      if (target.file->family != family) continue;
      const parse::Symbol& symbol = target.file->facts.symbols[target.symbol];
      for (const UnwrittenUse& use :
           target.file->semantics.unwritten_uses(resolver_, *target.file, target.symbol)) {
        files_[use.file];
        usages_.push_back({use.file, use.occurrence,
                           use.is_unknown ? Confidence::kPossible : Confidence::kLikely, i,
                           use.is_unknown ? Doubt::kReceiver : Doubt::kNone});
      }
      if (target.file->semantics.traits().names_ignore_case &&
          (is_callable(symbol) || is_type_like(symbol))) {
        CODEXMEM_TRY(add_other_cases(symbol.name));
      }
      const auto implied = target.file->semantics.implied_names(*target.file, target.symbol);
      if (is_called_as_class(target, implied)) {
        CODEXMEM_TRY(add_makers(i, implied));
        continue;
      }
      for (const std::string& name : implied) {
        // "@java:getName": in files of that language alone.
        const std::size_t colon = name.starts_with('@') ? name.find(':') : std::string::npos;
        const std::string plain = colon == std::string::npos ? name : name.substr(colon + 1);
        // (One that its own makes says as much.)
        if (is_made_of(plain, symbol.name)) {
          first_named_.emplace(plain, static_cast<std::size_t>(&target - targets_.data()));
        }
        if (colon == std::string::npos) {
          CODEXMEM_TRY(add_name(plain));
        } else {
          CODEXMEM_TRY(search_language(name.substr(1, colon - 1), plain));
        }
      }
    }
  }
  CODEXMEM_TRY(resolver_.status());
  for (Usage& usage : usages_) {
    CODEXMEM_TRY(go_on());
    if (is_of_loose_objects(usage)) {
      usage.confidence = Confidence::kPossible;
      usage.doubt = Doubt::kReceiver;
    }
  }
  CODEXMEM_TRY(go_on());  // else is_likely() may not have read all
  return merged(std::move(usages_));
}

// True for a member of an unknown receiver, when many files make objects with a key of its name: it
// may as well be one of these keys.
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

// A target that the language calls when its class is called: looks for calls of the classes that
// have it, by their own declaration or from above. `words` mean a class where they stand.
Result<void> UsageSearch::add_makers(std::size_t target, const std::vector<std::string>& words) {
  const FileModel& file = *targets_[target].file;
  const std::uint32_t owner = file.owner_of(targets_[target].symbol);
  const std::string& name = file.facts.symbols[targets_[target].symbol].name;
  Entities classes = {{EntityKind::kSymbol, &file, owner}};
  std::set<const FileModel*> files = {&file};
  for (std::size_t i = 0; i < classes.size() && i < kMaxFactories; ++i) {
    CODEXMEM_TRY(go_on());
    const Entity at = classes[i];
    makes_.emplace(Member(at.file, at.index), target);
    for (const Entity& below : subtypes(resolver_, *at.file, at.index)) {
      files.insert(below.file);
      const auto own = below.file->find_name(name);
      if (!own || below.file->members_of(below.index, *own).empty()) add(classes, below);
    }
  }
  for (const Entity& each : classes) CODEXMEM_TRY(add_name(symbol_of(each).name));
  for (const FileModel* user : files) {
    for (const std::string& word : words) {
      if (const auto id = user->find_name(word)) CODEXMEM_TRY(search_names(*user, *id, false));
    }
  }
  return {};
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
    CODEXMEM_TRY(search_file(id, name, first_named_.contains(name)));
  }
  return {};
}

// The same name in other case: the index also lists each file under the name in lower case.
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
  const bool is_of_default = file.name(name) == "default";
  for (std::uint32_t i = 0; i < file.facts.imports.size(); ++i) {
    const parse::Import& import = file.facts.imports[i];
    for (std::uint32_t n = 0; n < import.names.size(); ++n) {
      const parse::ImportedName& imported = import.names[n];
      if (imported.local == kNoIndex || imported.local == name) continue;
      // `* as ns` and require() matter here only as another name of a default export.
      const bool is_default = is_of_default && file.name(imported.imported) == "*";
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
    // Under its own name, which is searched already: thousands of overloads add nothing.
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

}  // namespace codexmem::graph
