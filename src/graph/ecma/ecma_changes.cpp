// Uses that a change of TypeScript or JavaScript breaks, and names that may exist unseen.
#include <fmt/core.h>

#include <algorithm>

#include "graph/core/code_text.h"
#include "graph/core/hidden_names.h"
#include "graph/ecma/ecma_semantics.h"

namespace codexmem::graph {

using parse::kNoIndex;

std::set<std::string> EcmaSemantics::names_given(const parse::FileFacts& facts) const {
  std::set<std::string> names;
  for (const parse::Export& entry : facts.exports) names.insert(facts.names[entry.exported]);
  names.erase("*");
  return names;
}

// "./x", "@/x", "#x"
bool EcmaSemantics::names_a_file(std::string_view path) const {
  return path.starts_with('.') || path.starts_with("@/") || path.starts_with('#') ||
         path.starts_with('~');
}

Verdict EcmaSemantics::judge_missing_export(HiddenNames& hidden, const FileModel& file,
                                            std::uint32_t import, const FileModel& target,
                                            const std::string& name, const Entities& found,
                                            bool was_defined) const {
  Verdict verdict{.is_found = false};
  if (!found.empty()) {
    const auto id = target.find_name(name);
    if (id && !target.exports_named(*id).empty()) return {};
    verdict.hidden = target.path + " hands on all names of what is not of the repository";
    return verdict;
  }
  verdict.hidden = hidden.in_module(target, name, was_defined);
  if (!verdict.hidden.empty()) return verdict;
  if (target.facts.exports.empty()) {
    verdict.hidden = target.path + " exports nothing that can be seen";
  } else if (std::ranges::any_of(target.facts.exports, &parse::Export::commonjs)) {
    if (name == "default") return {};
    Resolver& resolver = hidden.resolver();
    const Entities members =
        resolver.members(resolver.resolve_import(file, import, kNoIndex), name);
    if (std::ranges::any_of(members, &is_known)) return {};
    if (!members.empty()) verdict.hidden = target.path + " exports what is not known";
  }
  return verdict;
}

std::string EcmaSemantics::hidden_in_type(HiddenNames& hidden, const FileModel& file,
                                          const parse::Symbol& type) const {
  const std::string_view text = hidden.text_of(file);
  const std::string_view code = text_at(text, type.range);
  // An index signature.
  for (std::size_t at = code.find('['); at != code.npos; at = code.find('[', at + 1)) {
    const std::string_view key = without_blanks(code.substr(at + 1));
    const std::string_view word = first_word(key);
    if (!word.empty() && without_blanks(key.substr(word.size())).starts_with(':')) {
      return fmt::format("{} may have any member by an index signature", type.name);
    }
  }
  const auto id = file.find_name(type.name);
  if (!id) return {};
  for (const std::uint32_t index : file.occurrences_of(*id)) {
    const std::size_t begin = file.facts.occurrences[index].offset;
    if (begin + type.name.size() > text.size()) continue;
    std::string_view behind = without_blanks(text.substr(begin + type.name.size()));
    const bool is_prototype = behind.starts_with(".prototype") &&
                              (behind.size() == 10 || !is_identifier_byte(behind[10]));
    if (is_prototype) behind = without_blanks(behind.substr(10));
    const bool is_written = behind.starts_with('[') &&
                            begins_assignment(bracketed(behind).behind) &&
                            literal(bracketed(behind).inside).empty();
    const CallAround call = call_around(text.substr(0, begin));
    const bool is_provided = call.arguments == 0 && !call.callee.empty() &&
                             (behind.starts_with(',') || behind.starts_with(')')) &&
                             (is_prototype || library().has("member_copiers", call.callee));
    const bool is_kept = is_prototype && is_assigned_from(text.substr(0, begin));
    if (is_written || is_provided || is_kept) {
      return fmt::format("{} is given members with names that are computed or copied", type.name);
    }
  }
  return {};
}

}  // namespace codexmem::graph
