// Tested by graph/java_references_test.cpp.
#include "graph/java/java_lombok.h"

#include <algorithm>
#include <array>

#include "graph/nominal/members.h"

namespace codexmem::graph {
namespace {

struct Accessor {
  std::string_view prefix;
  std::array<std::string_view, 3> annotations;  // any of which asks for it
};
constexpr Accessor kAccessors[] = {
    {"get", {"Getter", "Data", "Value"}},
    {"is", {"Getter", "Data", "Value"}},
    {"set", {"Setter", "Data"}},
    {"with", {"With", "Wither"}},
};

// True if one of the annotations is before the name of `symbol`.
bool is_annotated(const FileModel& file, const parse::Symbol& symbol, const Accessor& accessor) {
  const auto& occurrences = file.facts.occurrences;
  auto at =
      std::ranges::lower_bound(occurrences, symbol.range.begin, {}, &parse::Occurrence::offset);
  for (; at != occurrences.end() && at->offset < symbol.name_range.begin; ++at) {
    if (at->role != parse::Role::kType) continue;
    const std::string& name = file.name(at->name);
    if (std::ranges::find(accessor.annotations, name) != accessor.annotations.end()) return true;
  }
  return false;
}

bool has_accessor(const FileModel& file, std::uint32_t field, const Accessor& accessor) {
  const std::uint32_t owner = file.owner_of(field);
  return owner != parse::kNoIndex && (is_annotated(file, file.facts.symbols[field], accessor) ||
                                      is_annotated(file, file.facts.symbols[owner], accessor));
}

char other_case(char c, char from, char to) {
  return c >= from && c <= from + 25 ? static_cast<char>(c - from + to) : c;
}

}  // namespace

bool uses_lombok(const FileModel& file) {
  return std::ranges::any_of(file.facts.imports, [](const parse::Import& import) {
    return import.path.starts_with("lombok.");
  });
}

std::uint32_t lombok_field(const Entity& type, std::string_view name) {
  const FileModel& file = *type.file;
  if (!uses_lombok(file)) return parse::kNoIndex;
  for (const Accessor& accessor : kAccessors) {
    if (!name.starts_with(accessor.prefix) || name.size() == accessor.prefix.size()) continue;
    std::string field(name.substr(accessor.prefix.size()));
    field[0] = other_case(field[0], 'A', 'a');
    const auto id = file.find_name(field);
    if (!id) continue;
    for (const std::uint32_t member : file.members_of(type.index, *id)) {
      const bool is_field = fits_use(file.facts.symbols[member], NameUse::kValue);
      if (is_field && has_accessor(file, member, accessor)) return member;
    }
  }
  return parse::kNoIndex;
}

std::vector<std::string> lombok_accessors(const FileModel& file, std::uint32_t field) {
  std::vector<std::string> names;
  const parse::Symbol& symbol = file.facts.symbols[field];
  if (!fits_use(symbol, NameUse::kValue) || symbol.name.empty() || !uses_lombok(file)) return names;
  for (const Accessor& accessor : kAccessors) {
    if (!has_accessor(file, field, accessor)) continue;
    std::string name(accessor.prefix);
    name += other_case(symbol.name[0], 'a', 'A');
    name += symbol.name.substr(1);
    names.push_back(std::move(name));
  }
  return names;
}

}  // namespace codexmem::graph
