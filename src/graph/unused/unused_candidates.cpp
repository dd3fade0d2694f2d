// Tested by git/unused_test.py.
#include "graph/unused/unused_candidates.h"

#include <algorithm>
#include <optional>

#include "graph/core/code_text.h"
#include "graph/core/language_semantics.h"
#include "graph/stored/repository_map.h"
#include "parse/rules/languages.h"
#include "store/code/united_reader.h"

namespace codexmem::graph {

using parse::kNoIndex;

namespace {

constexpr std::size_t kMaxCandidateFiles = 20;  // a name in more of them is taken for used
constexpr std::string_view kEnumMember = "enum_member";

// Not operators and destructors, which are used without their names, and not what only holds
// others.
bool is_wanted(const LanguageTraits& traits, std::string_view name, SymbolType type,
               std::string_view kind) {
  if (name.size() < 2 || (name.starts_with("__") && name.ends_with("__"))) return false;
  const std::string_view plain = name.substr(name.starts_with('#') ? 1 : 0);
  if (!std::ranges::all_of(plain, is_identifier_byte)) return false;
  if (type == SymbolType::kProperty || kind == "constructor" || kind == "namespace" ||
      kind == "module" || kind == kEnumMember) {
    return false;
  }
  return name != traits.names.main_function &&
         std::ranges::find(traits.names.called_unseen, name) == traits.names.called_unseen.end();
}

// A type that a declaration may hold.
bool is_inline_type(const store::SymbolRow& row) {
  return row.kind == "struct" || row.kind == "union" || row.kind == "enum";
}

}  // namespace

Result<UnusedCandidates> UnusedCandidates::list(FactsCache& cache, store::CodeReader& reader) {
  UnusedCandidates made;
  CODEXMEM_ASSIGN(made.files, cache.files(reader));
  CODEXMEM_TRY(made.list_uses_of_repositories(reader));
  CODEXMEM_TRY(made.list_names(reader));
  return made;
}

Result<void> UnusedCandidates::list_uses_of_repositories(store::CodeReader& reader) {
  const auto& rows = files->rows();
  const auto is_of_first = [&](const store::FileRow& row) {
    return store::member_of(row.id) == store::member_of(rows.front().id);
  };
  if (std::ranges::all_of(rows, is_of_first)) return {};
  CODEXMEM_ASSIGN(const auto imports, reader.list_all_dependencies());
  for (const store::DependencyRow& each : imports) {
    if (each.target && store::member_of(each.source) != store::member_of(*each.target)) {
      repository_uses_.emplace(store::member_of(each.source), store::member_of(*each.target));
    }
  }
  // What one uses gives it what that uses: a value of a third one's type.
  for (std::size_t before = 0; before != repository_uses_.size();) {
    before = repository_uses_.size();
    for (const auto& [user, used] : std::set(repository_uses_)) {
      for (auto on = repository_uses_.lower_bound({used, 0});
           on != repository_uses_.end() && on->first == used; ++on) {
        if (on->second != user) repository_uses_.emplace(user, on->second);
      }
    }
  }
  return {};
}

Result<void> UnusedCandidates::list_names(store::CodeReader& reader) {
  std::unordered_map<store::FileId, std::uint32_t> places;
  for (std::uint32_t i = 0; i < files->rows().size(); ++i) {
    const store::FileRow& row = row_of(i);
    places.emplace(row.id, i);
    is_main.push_back(is_main_file(row) && resolves_names(family_of(row.language)) &&
                      (row.flags & store::kFileTruncated) == 0);
  }
  CODEXMEM_TRY(reader.visit_definitions(std::nullopt, [&](const store::DefinitionName& each) {
    const auto place = places.find(store::file_of(each.id));
    if (place == places.end() || !is_main[place->second]) return;
    const LanguageTraits& traits = semantics_of(family_of(row_of(place->second).language)).traits();
    // Where the members of an enum are used, it is.
    if (each.kind == kEnumMember || is_wanted(traits, each.name, each.type, each.kind)) {
      names.try_emplace(std::string(each.name));
    }
  }));
  CODEXMEM_TRY(list_holders(reader, places));
  for (std::uint32_t i = 0; i < files->rows().size(); ++i) {
    if (is_main[i]) CODEXMEM_TRY(list_in_file(reader, i));
  }
  drop_macro_calls();
  for (auto& [file, held] : holds) {
    std::erase_if(held, [&](const std::string* name) {
      return names.find(*name)->second.definitions.empty();
    });
  }
  std::erase_if(holds, [&](const auto& held) {
    return held.second.empty() && !by_file.contains(held.first);
  });
  // Configuration is not in the index of identifiers.
  for (std::uint32_t i = 0; i < files->rows().size(); ++i) {
    const parse::Language* const language = parse::find_language(row_of(i).language);
    if (language != nullptr && language->is_configuration) holds.try_emplace(i);
  }
  return {};
}

// Lists the files of each name, and drops the files of common names. In a workspace a name comes
// once for each repository that has it.
Result<void> UnusedCandidates::list_holders(
    store::CodeReader& reader, const std::unordered_map<store::FileId, std::uint32_t>& places) {
  std::vector<std::uint32_t> holders;
  std::string last;
  std::set<std::string> common;
  const auto close = [&] {
    const auto named = names.find(last);
    if (named == names.end()) return;
    if (holders.size() > kMaxCandidateFiles) {
      common.insert(last);
    } else {
      for (const std::uint32_t file : holders) holds[file].push_back(&named->first);
    }
  };
  std::size_t repository = 0;
  CODEXMEM_TRY(reader.visit_identifiers([&](std::string_view name, store::FileId id) {
    const std::size_t of = store::member_of(id);
    if (name != last || of != repository) {
      repository = of;
      close();
      holders.clear();
      last = name;
    }
    const auto place = places.find(id);
    if (place != places.end()) holders.push_back(place->second);
  }));
  close();
  if (common.empty()) return {};
  for (auto& [file, held] : holds) {
    std::erase_if(held, [&](const std::string* name) { return common.contains(*name); });
  }
  for (const std::string& name : common) names.erase(name);
  return {};
}

Result<void> UnusedCandidates::list_in_file(store::CodeReader& reader, std::uint32_t file) {
  CODEXMEM_ASSIGN(std::vector<store::SymbolRow> rows, reader.list_symbols(row_of(file).id));
  const LanguageTraits& traits = semantics_of(family_of(row_of(file).language)).traits();
  std::map<store::SymbolId, SymbolType> types;
  std::vector<std::uint32_t> own;
  std::set<std::uint32_t> declarations;  // where those that are no struct, union or enum begin
  for (store::SymbolRow& row : rows) {
    if (!is_inline_type(row)) declarations.insert(row.range.begin);
    types.emplace(row.id, row.type);
    if (row.kind == kEnumMember && row.parent) {
      const auto parent = by_symbol.find(*row.parent);
      if (parent != by_symbol.end()) add_name(row.name, parent->second);
    }
    if (row.name == traits.names.main_function && !row.name.empty()) {
      for (const std::uint32_t each : own) {
        all[each].is_used = all[each].is_used || all[each].row.range.contains(row.range);
      }
    }
    if (!is_wanted(traits, row.name, row.type, row.kind)) continue;
    const auto named = names.find(row.name);
    if (named == names.end()) {
      // Too common to be looked at.
      for (const std::uint32_t each : own) {
        all[each].has_used_member |= all[each].row.range.contains(row.range);
      }
      continue;
    }
    // Of members only methods of classes; members of objects and interfaces are for others to call.
    if (row.parent) {
      const auto parent = types.find(*row.parent);
      const bool is_in_class = parent != types.end() && parent->second == SymbolType::kClass;
      if (parent != types.end() && !is_in_class && parent->second != SymbolType::kType) continue;
      if (row.type == SymbolType::kVariable) continue;
    }
    UnusedCandidate& added = all.emplace_back();
    const auto index = static_cast<std::uint32_t>(all.size() - 1);
    added.file = file;
    for (auto outer = own.rbegin(); outer != own.rend(); ++outer) {
      if (!all[*outer].row.range.contains(row.range)) continue;
      added.outer = *outer;
      break;
    }
    added.row = std::move(row);
    by_symbol.emplace(added.row.id, index);
    named->second.definitions.push_back(index);
    added.names.push_back(&named->second);
    own.push_back(index);
  }
  // struct Name { ... } variable;
  for (const std::uint32_t each : own) {
    const store::SymbolRow& row = all[each].row;
    if (is_inline_type(row) && declarations.contains(row.range.begin)) all[each].is_used = true;
  }
  if (own.empty()) return {};
  holds.try_emplace(file);  // which it may not be by names such as #x
  by_file.emplace(file, std::move(own));
  return {};
}

// `LOCKS_REQUIRED(mutex)` before a body looks like a function of the macro's name.
void UnusedCandidates::drop_macro_calls() {
  for (auto& [name, named] : names) {
    const auto is_macro = [&](std::uint32_t each) { return all[each].row.kind == "macro"; };
    if (std::ranges::none_of(named.definitions, is_macro)) continue;
    for (const std::uint32_t each : named.definitions) {
      all[each].is_used = all[each].is_used || !is_macro(each);
    }
  }
}

// A further name by which the candidate is used.
void UnusedCandidates::add_name(std::string_view name, std::uint32_t candidate) {
  const auto named = names.find(name);
  if (named == names.end()) {
    all[candidate].is_used = true;
  } else if (named->second.definitions.empty() || named->second.definitions.back() != candidate) {
    named->second.definitions.push_back(candidate);
    all[candidate].names.push_back(&named->second);
  }
}

std::uint32_t UnusedCandidates::innermost(std::uint32_t file, std::uint32_t offset) const {
  const auto own = by_file.find(file);
  if (own == by_file.end()) return kNoIndex;
  for (auto each = own->second.rbegin(); each != own->second.rend(); ++each) {
    if (all[*each].row.range.contains(offset)) return *each;
  }
  return kNoIndex;
}

std::uint32_t UnusedCandidates::unused_around(const NameHit& hit) const {
  std::uint32_t found = kNoIndex;
  for (std::uint32_t at = hit.inside; at != kNoIndex; at = all[at].outer) {
    if (!all[at].is_used) found = at;
  }
  return found;
}

bool UnusedCandidates::is_within(const NameHit& hit, std::uint32_t candidate) const {
  for (std::uint32_t at = hit.inside; at != kNoIndex; at = all[at].outer) {
    if (at == candidate) return true;
  }
  return false;
}

void UnusedCandidates::use_all(std::string_view name) {
  const auto named = names.find(name);
  if (named == names.end()) return;
  for (const std::uint32_t each : named->second.definitions) all[each].is_used = true;
}

bool UnusedCandidates::may_mean(std::uint32_t file, std::uint32_t candidate) const {
  const std::size_t user = store::member_of(row_of(file).id);
  const std::size_t used = store::member_of(row_of(all[candidate].file).id);
  return user == used || repository_uses_.contains({user, used});
}

void UnusedCandidates::add(NamedAlike& named, std::uint32_t file, std::uint32_t offset,
                           NameHitKind kind, std::uint32_t meant) {
  if (named.definitions.empty()) return;
  const std::uint32_t inside = innermost(file, offset);
  if (kind == NameHitKind::kUse && inside == kNoIndex) {
    if (meant != kNoIndex) {
      all[meant].is_used = true;
    } else {
      for (const std::uint32_t each : named.definitions) {
        if (may_mean(file, each)) all[each].is_used = true;
      }
    }
  } else {
    named.hits.push_back({file, offset, kind, inside, meant});
  }
}

}  // namespace codexmem::graph
