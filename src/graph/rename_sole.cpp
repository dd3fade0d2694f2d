// A member of something of unknown type is one of the family where no one else could give it. That
// is not proof, as packages are not seen, but who has the name must then be of another package, of
// no known type, and spelled alike. A short name says too little.
//
// Tested by git/rename_test.py.
#include "graph/rename_sole.h"

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
  if (name.size() <= kShortName || name.starts_with('#') || has_other_symbol(first, name)) {
    return false;
  }
  for (const store::FileId id : resolver_.files_naming(first.family, name)) {
    const FileModel* file = resolver_.model(id);
    if (file == nullptr || file->facts.truncated || has_other_key(*file, name) ||
        has_text(*file, name)) {
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

// An object with a key of the name, or a pattern that takes it from something unknown.
bool SoleName::has_other_key(const FileModel& file, const std::string& name) {
  const auto id = file.find_name(name);
  if (!id) return false;
  for (const std::uint32_t index : file.occurrences_of(*id)) {
    const parse::Occurrence& at = file.facts.occurrences[index];
    if (at.receiver_kind != ReceiverKind::kKey) continue;
    const Entities meant = resolver_.resolve(file, index);
    // A keyword argument names a parameter.
    const bool is_parameter = file.semantics.traits().maps_hold_items && !meant.empty() &&
                              std::ranges::all_of(meant, [](const Entity& each) {
                                return each.kind == EntityKind::kTerm;
                              });
    if (!is_parameter && !is_family(meant)) return true;
  }
  return std::ranges::any_of(file.facts.objects, [&](const parse::Object& object) {
    return std::ranges::any_of(object.keys, [&](const parse::ObjectKey& key) {
      return key.name == *id &&
             (key.occurrence == kNoIndex || !is_family(resolver_.resolve(file, key.occurrence)));
    });
  });
}

bool SoleName::has_text(const FileModel& file, const std::string& name) {
  const auto text = texts_.get(file.id);
  if (!text.ok()) return true;
  return std::ranges::any_of(
      find_mentions(file, (*text)->content, name, {}), [&](const Mention& mention) {
        return (mention.kind == MentionKind::kKey || mention.kind == MentionKind::kReached ||
                mention.kind == MentionKind::kUnparsed) &&
               (mention.kind == MentionKind::kUnparsed ||
                lookups_.meaning(file, (*text)->content, mention, name) == TextMeaning::kMaybe);
      });
}

}  // namespace codexmem::graph
