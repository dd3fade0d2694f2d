// Tested by serve/edit_guard_test.cpp; bench/edit_guard.py replays commits.
#include "graph/uses/left_overrides.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "base/stop_scope.h"
#include "graph/core/code_text.h"
#include "graph/unused/name_state.h"

namespace codexmem::graph {
namespace {

using parse::kNoIndex;

class LeftSearch {
 public:
  LeftSearch(Resolver& before, Resolver& after, SourceTexts& texts, const UsageTarget& removed,
             const FileModel& edited)
      : before_(before),
        after_(after),
        texts_(texts),
        removed_(removed),
        old_(*removed.file),
        edited_(edited),
        name_(old_.facts.symbols[removed.symbol].name) {}

  Result<std::vector<LeftOverride>> run() {
    const std::uint32_t owner = old_.owner_of(removed_.symbol);
    if (owner == kNoIndex || !is_type_like(old_.facts.symbols[owner]) ||
        is_type_like(old_.facts.symbols[removed_.symbol]) || !old_.semantics.may_override(name_)) {
      return std::move(found_);
    }
    CODEXMEM_TRY(search_below());
    CODEXMEM_TRY(search_above(old_.qualified_name(owner)));
    return std::move(found_);
  }

 private:
  Result<void> search_below() {
    for (const store::SymbolRow& row : before_.symbol_rows(old_.family, name_)) {
      CODEXMEM_TRY(go_on());
      if (row.container.empty() || store::file_of(row.id) == old_.id) continue;
      const auto member = before_.symbol(row.id);
      if (!member || !holds_removed(before_.overridden(*member->file, member->index))) continue;
      const FileModel* const file = after_.model(member->file->id);
      if (file == nullptr || member->index >= file->facts.symbols.size()) continue;
      if (!after_.overridden(*file, member->index).empty()) continue;
      const bool is_bound = std::ranges::all_of(
          after_.supertypes(*file, file->owner_of(member->index)),
          [](const Entity& type) { return type.kind == EntityKind::kSymbol || is_instance(type); });
      const Entity left{EntityKind::kSymbol, file, member->index};
      const bool is_said = says(left, "override") || says(left, "Override");
      // Its own file may be what calls it.
      if (is_said || !has_use(*file)) found_.push_back({left, is_said && is_bound});
    }
    return {};
  }

  // What the type, which is still there, owes to those above it.
  Result<void> search_above(const std::string& owner_name) {
    const auto owner = [&]() -> std::uint32_t {
      for (std::uint32_t i = 0; i < edited_.facts.symbols.size(); ++i) {
        if (is_type_like(edited_.facts.symbols[i]) && edited_.qualified_name(i) == owner_name) {
          return i;
        }
      }
      return kNoIndex;
    }();
    if (owner == kNoIndex) return {};
    const Entity type{EntityKind::kSymbol, &edited_, owner};
    if (is_interface(type) || says(type, "abstract")) return {};
    const Entities inherited = after_.members({{EntityKind::kInstance, &edited_, owner}}, name_);
    for (const Entity& base : before_.overridden(old_, removed_.symbol)) {
      CODEXMEM_TRY(add_owed(base, inherited, /*is_said=*/true));
    }
    for (const Implied& each : old_.semantics.implied_above(before_, old_, removed_.symbol)) {
      CODEXMEM_TRY(add_owed({EntityKind::kSymbol, each.file, each.symbol}, inherited, false));
    }
    return {};
  }

  // Adds `base` if it has no body and the type has nothing else of that name. `is_said`: the type
  // says that it is below.
  Result<void> add_owed(const Entity& base, const Entities& inherited, bool is_said) {
    if (base.kind != EntityKind::kSymbol || base.file->is_library || base.file->id == old_.id) {
      return {};
    }
    const FileModel* const file = after_.model(base.file->id);
    if (file == nullptr || base.index >= file->facts.symbols.size()) return {};
    const Entity owed{EntityKind::kSymbol, file, base.index};
    CODEXMEM_ASSIGN(const bool is_abstract, has_no_body(owed));
    if (!is_abstract) return {};
    // (It may not be below any more.)
    const bool is_below =
        std::ranges::any_of(inherited, [&](const Entity& other) { return other.is_same(owed); });
    if (is_said && !is_below) return {};
    bool is_certain = is_said;
    for (const Entity& other : inherited) {
      if (other.kind != EntityKind::kSymbol) {
        is_certain = false;
      } else if (!other.is_same(owed)) {
        CODEXMEM_ASSIGN(const bool is_other_abstract, has_no_body(other));
        if (!is_other_abstract) return {};
      }
    }
    found_.push_back({owed, is_certain});
    return {};
  }

  static bool is_interface(const Entity& type) {
    return symbol_of(type).type == SymbolType::kInterface;
  }

  bool holds_removed(const Entities& members) const {
    return std::ranges::any_of(members, [&](const Entity& each) {
      return each.kind == EntityKind::kSymbol && each.file == &old_ &&
             each.index == removed_.symbol;
    });
  }

  bool has_use(const FileModel& file) const {
    const auto name = file.find_name(name_);
    return name && std::ranges::any_of(file.occurrences_of(*name),
                                       [&](std::uint32_t index) { return is_use(file, index); });
  }

  // True if a modifier of the declaration has the word.
  bool says(const Entity& of, std::string_view word) {
    const store::SymbolRow* const row = after_.row_of(*of.file, of.index);
    return row != nullptr && has_word(row->modifiers, word);
  }

  // True for a member of an interface without code, or one that says `abstract`.
  Result<bool> has_no_body(const Entity& member) {
    if (says(member, "abstract")) return true;
    const std::uint32_t owner = member.file->owner_of(member.index);
    if (owner == kNoIndex || !is_interface({EntityKind::kSymbol, member.file, owner})) return false;
    CODEXMEM_ASSIGN(const auto* text, texts_.get(member.file->id));
    const std::string_view whole = text_at(text->content, symbol_of(member).range);
    if (whole.find("=>") != std::string_view::npos) return false;
    if (!is_callable(symbol_of(member))) return !has_word(whole, "return");  // { get; set; }
    const std::size_t list_end = std::min(whole.rfind(')'), whole.size());
    return whole.find('{') == std::string_view::npos &&
           whole.find('=', list_end) == std::string_view::npos;
  }

  Resolver& before_;
  Resolver& after_;
  SourceTexts& texts_;
  const UsageTarget& removed_;
  const FileModel& old_;
  const FileModel& edited_;
  const std::string& name_;
  std::vector<LeftOverride> found_;
};

}  // namespace

Result<std::vector<LeftOverride>> list_left_overrides(Resolver& before, Resolver& after,
                                                      SourceTexts& texts,
                                                      const UsageTarget& removed,
                                                      const FileModel& edited) {
  return LeftSearch(before, after, texts, removed, edited).run();
}

}  // namespace codexmem::graph
