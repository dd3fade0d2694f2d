// A value has a type when it has the type's members, so the keys of `const a = { size: 1 }` are
// tied to the interface that f(a) expects, without a declaration that says so. Each place that
// names the variable is checked: the code around it shows the expected type. A value passed in
// another way, in a list or under another name, is not seen.
//
// Tested by git/rename_test.py.
#include "graph/rename/rename_given.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "base/text.h"
#include "graph/core/code_text.h"

namespace codexmem::graph {
namespace {

using parse::kNoIndex;

struct GivenMemory final : Resolver::Memory {
  std::unordered_map<const FileModel*, std::string> texts;
};

class GivenObject {
 public:
  GivenObject(Resolver& resolver, const Entity& variable, const Entity& object)
      : resolver_(resolver), variable_(variable), object_(object) {}

  // What all places of `file` that name the variable expect.
  void look_at(const FileModel& file, Entities& expected) {
    const auto name = file.find_name(symbol_of(variable_).name);
    if (!name) return;
    for (const std::uint32_t index : file.occurrences_of(*name)) {
      const parse::Occurrence& at = file.facts.occurrences[index];
      if (at.role != parse::Role::kRead || at.receiver_kind == parse::ReceiverKind::kKey) continue;
      const Entities& meant = resolver_.resolve(file, index);
      if (meant.size() != 1 || !meant.front().is_same(variable_)) continue;
      add_all(expected, expected_at(file, at.offset, symbol_of(variable_).name.size()));
    }
  }

 private:
  Entities expected_at(const FileModel& file, std::uint32_t offset, std::size_t length) {
    const auto [kept, is_new] = resolver_.memory<GivenMemory>().texts.try_emplace(&file);
    if (is_new) kept->second = resolver_.text_of(file.id).value_or("");
    const std::string_view text = kept->second;
    if (offset + length > text.size()) return {};
    std::size_t begin = offset;  // of module.object
    while (begin > 0 && (is_identifier_byte(text[begin - 1]) ||
                         (text[begin - 1] == '.' && !text.substr(0, begin).ends_with("...")))) {
      --begin;
    }
    const std::string_view before = trim(text.substr(0, begin));
    const std::string_view after = without_blanks(text.substr(offset + length));
    if (before.ends_with("...")) return expected_of_spread(file);
    if (last_word(before) == "return") return expected_result(file, offset);
    if (!after.empty() && (after.front() == '.' || after.front() == '[')) return {};
    if (before.ends_with('(') || before.ends_with(',')) {
      return expected_argument(file, text, call_around(before));
    }
    return is_assigned_from(before) ? expected_value(file, text, before) : Entities();
  }

  // { ...object, key: 1 }: the type expected of `key`.
  Entities expected_of_spread(const FileModel& file) {
    for (const parse::Object& object : file.facts.objects) {
      const bool has_it = std::ranges::any_of(object.spreads, [&](parse::TermId spread) {
        return std::ranges::any_of(resolver_.evaluate(file, spread),
                                   [&](const Entity& value) { return value.is_same(object_); });
      });
      if (!has_it) continue;
      for (const parse::ObjectKey& key : object.keys) {
        if (key.occurrence == kNoIndex) continue;
        Entities expected = resolver_.receivers(file, key.occurrence);
        if (!expected.empty()) return expected;
      }
    }
    return {};
  }

  Entities expected_argument(const FileModel& file, std::string_view text, const CallAround& call) {
    if (call.callee.empty()) return {};
    const std::uint32_t callee =
        file.occurrence_at(static_cast<std::uint32_t>(call.callee.data() - text.data()));
    if (callee == kNoIndex) return {};
    Entities expected;
    for (const Entity& function : resolver_.resolve(file, callee)) {
      const parse::Function* declared = function_of(function);
      const auto number = static_cast<std::size_t>(call.arguments);
      if (declared == nullptr || number >= declared->parameters.size()) continue;
      const parse::Parameter& parameter = declared->parameters[number];
      if (!parameter.is_annotated || parameter.is_rest || parameter.term == kNoIndex) continue;
      add_all(expected, resolver_.evaluate(*function.file, parameter.term));
    }
    return expected;
  }

  // const a: A = object
  Entities expected_value(const FileModel& file, std::string_view text, std::string_view before) {
    const std::size_t line = before.rfind('\n') + 1;  // (npos + 1 is 0)
    const std::size_t colon = before.find(':', line);
    if (colon == std::string_view::npos) return {};
    const std::string_view name = last_word(trim(before.substr(0, colon)));
    if (name.empty()) return {};
    const std::uint32_t index =
        file.occurrence_at(static_cast<std::uint32_t>(name.data() - text.data()));
    return index == kNoIndex ? Entities() : resolver_.values_at(file, index);
  }

  Entities expected_result(const FileModel& file, std::uint32_t offset) {
    const std::uint32_t symbol = file.symbol_at(offset);
    if (symbol == kNoIndex) return {};
    const parse::Function* declared = function_of({EntityKind::kSymbol, &file, symbol});
    if (declared == nullptr || !declared->is_annotated) return {};
    return resolver_.evaluate(file, declared->result);
  }

  static const parse::Function* function_of(const Entity& entity) {
    if (entity.kind != EntityKind::kSymbol) return nullptr;
    const parse::TermId term = symbol_of(entity).term;
    const auto& facts = entity.file->facts;
    if (term == kNoIndex || facts.terms[term].kind != parse::TermKind::kFunction) return nullptr;
    return &facts.functions[facts.terms[term].at];
  }

  Resolver& resolver_;
  Entity variable_, object_;
};

}  // namespace

Entities members_expected_of(Resolver& resolver, const FileModel& file, std::uint32_t symbol) {
  const parse::Symbol& key = file.facts.symbols[symbol];
  if (!file.semantics.traits().texts.keys_are_members || key.parent == kNoIndex) return {};
  const parse::Symbol& variable = file.facts.symbols[key.parent];
  if (variable.term == kNoIndex ||
      file.facts.terms[variable.term].kind != parse::TermKind::kObject || is_type_like(variable)) {
    return {};
  }
  GivenObject object(resolver, {EntityKind::kSymbol, &file, key.parent},
                     {EntityKind::kObject, &file, file.facts.terms[variable.term].at});
  Entities expected;
  for (const store::FileId id : resolver.files_naming(file.family, variable.name)) {
    if (const FileModel* user = resolver.model(id)) object.look_at(*user, expected);
  }
  std::erase_if(expected, [](const Entity& value) { return value.kind == EntityKind::kUnknown; });
  if (expected.empty()) return {};
  Entities members = resolver.members(expected, key.name);
  std::erase_if(members, [&](const Entity& member) {
    return member.kind != EntityKind::kSymbol || !is_known(member) ||
           (member.file == &file && member.index == symbol);
  });
  return members;
}

}  // namespace codexmem::graph
