// A member of an unknown type counts as one of the family if nothing else could have a member of
// that name. That is not proof, as packages are not indexed: a package could have an unknown type
// with a member spelled alike. A short name says too little.
//
// A name of several words, code_gen or codeGen, says more: no other data has it by chance. Keys of
// unknown objects, and texts with an unknown meaning, then mean the family, too. If the plan needs
// this rule, all of them change or none: when every place of a name changes, no place with the old
// name is left that could disagree.
//
// Tested by git/rename_test.py.
#include "graph/rename/rename_sole.h"

#include <algorithm>

#include "graph/core/code_text.h"

namespace codexmem::graph {
namespace {

using parse::kNoIndex;
using parse::ReceiverKind;

constexpr std::size_t kShortName = 3;

struct LibraryWords final : Resolver::Memory {
  std::map<std::pair<const LanguageSemantics*, std::string>, bool> known;
};

// True for a name of several words.
bool tells_much(std::string_view name) {
  return name.find('_') != std::string_view::npos ||
         std::ranges::any_of(name.substr(1), [](char c) { return c >= 'A' && c <= 'Z'; });
}

// True if the library of a family has the word anywhere.
bool library_has(Resolver& resolver, const LanguageSemantics& semantics, const std::string& name) {
  if (semantics.library().has("members", name) || semantics.library().has("base_members", name)) {
    return true;
  }
  auto& known = resolver.memory<LibraryWords>().known;
  const auto [at, is_new] = known.try_emplace({&semantics, name}, true);
  if (!is_new) return at->second;
  const auto units = semantics.library_units().names();
  return at->second = units.empty() || std::ranges::any_of(units, [&](const std::string& unit) {
                        return has_word(semantics.library_units().text(unit), name);
                      });
}

}  // namespace

bool SoleName::is_sole() {
  if (is_sole_) return *is_sole_;
  is_sole_ = false;
  if (!family_.has_members() || family_.members().empty()) return false;
  const FileModel& first = *family_.members().front().file;
  const std::string name = first.facts.symbols[family_.members().front().symbol].name;
  // (Where a compiler knows every type, unknown types are mostly of packages; in Rust they are also
  // what closures and generics pass on, and a name of several words is enough.)
  if (first.semantics.traits().is_compiled &&
      (first.language != "rust" || !tells_much(name) || !tells_much(new_name_))) {
    return false;
  }
  if (std::min(name.size(), new_name_.size()) <= kShortName || name.starts_with('#') ||
      has_other_symbol(first, name)) {
    return false;
  }
  is_telling_ = tells_much(name) && tells_much(new_name_);
  const auto files = files_with_text(resolver_, reader_, name, first.family, false);
  if (!files.ok()) return false;
  for (const store::FileId id : *files) {
    const store::FileRow* row = resolver_.files().find(id);
    const auto text = texts_.get(id);
    if (row == nullptr || !text.ok()) return false;
    const bool has_it = family_of(row->language) == first.family &&
                        (*text)->content.find(name) != std::string::npos;
    if (!has_it) continue;
    const FileModel* file = resolver_.model(id);
    if (file == nullptr || file->facts.truncated || has_outside_use(*file, name) ||
        has_other_key(*file, name) || has_text(*file, name)) {
      return false;
    }
  }
  is_sole_ = !library_has(resolver_, first.semantics, name);
  return *is_sole_;
}

bool SoleName::is_family(const Entities& meant) const {
  return !meant.empty() &&
         std::ranges::all_of(meant, [&](const Entity& entity) { return family_.holds(entity); });
}

bool SoleName::has_other_symbol(const FileModel& first, const std::string& name) {
  return std::ranges::any_of(resolver_.symbol_rows(first.family, name),
                             [&](const store::SymbolRow& row) {
                               const auto symbol = resolver_.symbol(row.id);
                               return !symbol || !family_.holds(*symbol);
                             });
}

// A member of that name of something that a package or the library gives.
bool SoleName::has_outside_use(const FileModel& file, const std::string& name) {
  const auto id = file.find_name(name);
  if (!id) return false;
  return std::ranges::any_of(file.occurrences_of(*id), [&](std::uint32_t index) {
    const parse::Occurrence& at = file.facts.occurrences[index];
    if (at.receiver_kind == ReceiverKind::kNone || at.receiver_kind == ReceiverKind::kKey) {
      return false;
    }
    const Entities& meant = resolver_.resolve(file, index);
    return std::ranges::any_of(meant, [](const Entity& entity) {
      return entity.kind == EntityKind::kExternal || is_of_library(entity);
    });
  });
}

// True if a key that means `meant` is called as the family is by chance or because it is one.
bool SoleName::may_take(const FileModel& file, const Entities& meant) const {
  return is_telling_ && file.semantics.traits().texts.keys_are_members &&
         std::ranges::all_of(meant, [&](const Entity& entity) {
           return entity.kind == EntityKind::kUnknown || entity.kind == EntityKind::kTerm ||
                  family_.holds(entity);
         });
}

// An object with a key of the name, or a pattern that takes it from something unknown.
bool SoleName::has_other_key(const FileModel& file, const std::string& name) {
  const auto id = file.find_name(name);
  const auto text = texts_.get(file.id);
  if (!id || !text.ok()) return false;
  for (const std::uint32_t index : file.occurrences_of(*id)) {
    const parse::Occurrence& at = file.facts.occurrences[index];
    if (at.receiver_kind != ReceiverKind::kKey) continue;
    if (is_text_occurrence(file, (*text)->content, index)) continue;  // has_text() looks at these
    const Entities meant = resolver_.resolve(file, index);
    // A keyword argument names a parameter.
    const bool is_parameter = file.semantics.traits().maps_hold_items && !meant.empty() &&
                              std::ranges::all_of(meant, [](const Entity& each) {
                                return each.kind == EntityKind::kTerm;
                              });
    if (is_parameter || is_family(meant)) continue;
    if (!may_take(file, meant)) return true;
    places_[&file].insert(at.offset);
  }
  return std::ranges::any_of(file.facts.objects, [&](const parse::Object& object) {
    return std::ranges::any_of(object.keys, [&](const parse::ObjectKey& key) {
      if (key.name != *id) return false;
      if (key.occurrence == kNoIndex) return true;  // a quoted one
      const Entities meant = resolver_.resolve(file, key.occurrence);
      if (is_family(meant)) return false;
      if (!may_take(file, meant)) return true;
      places_[&file].insert(file.facts.occurrences[key.occurrence].offset);
      return false;
    });
  });
}

// A text that may name a member otherwise than one that is read.
bool SoleName::has_text(const FileModel& file, const std::string& name) {
  const auto text = texts_.get(file.id);
  if (!text.ok()) return true;
  for (const Mention& mention : find_mentions(file, (*text)->content, name, {})) {
    if (mention.kind == MentionKind::kUnparsed) return true;
    const bool may_name =
        mention.kind == MentionKind::kReached ||
        (mention.kind == MentionKind::kText && file.semantics.traits().texts.keys_are_members);
    if (!may_name && mention.kind != MentionKind::kKey) continue;
    if (lookups_.meaning(file, (*text)->content, mention, name) == TextMeaning::kMaybe) {
      const bool is_identified = is_telling_ && file.semantics.traits().texts.keys_are_members;
      if (!may_name ||
          (!is_identified && !lookups_.asks_for_member(file, (*text)->content, mention, name))) {
        return true;
      }
      places_[&file].insert(mention.offset);
    }
  }
  return false;
}

}  // namespace codexmem::graph
