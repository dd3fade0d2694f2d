// Tested by git/unused_test.py.
#include "graph/unused/unused_doubts.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/symbol_type.h"
#include "config/path_kind.h"
#include "graph/core/code_text.h"
#include "graph/core/file_model.h"
#include "graph/stored/facts_cache_impl.h"
#include "graph/uses/neighbours.h"

namespace codexmem::graph {
namespace {

using parse::kNoIndex;

constexpr std::size_t kMaxDoubtBases = 8;  // steps of extending

// name!(...), TEST(Name, name) { ... }
bool is_made_by_macro(std::string_view text, const store::SymbolRow& row) {
  const std::string_view whole = text_at(text, row.range);
  const std::string_view word = first_word(whole);
  const std::string_view behind = whole.substr(word.size());
  return behind.starts_with('!') || (behind.starts_with('(') && !word.empty() && word != row.name);
}

// name = call()
bool has_call(std::string_view text, const store::SymbolRow& row) {
  const std::string_view whole = text_at(text, row.range);
  const std::size_t value = whole.find('=');
  return value != std::string_view::npos && whole.find('(', value) != std::string_view::npos;
}

// A declaration up to its body.
std::string_view head_of(std::string_view text, const store::SymbolRow& row) {
  const std::string_view whole = text_at(text, row.range);
  return whole.substr(0, whole.find('{'));
}

// #[name] before or at the beginning of a declaration, with comments between.
bool has_attribute(std::string_view text, std::size_t begin) {
  if (begin >= text.size()) return false;
  if (text.substr(begin).starts_with("#[")) return true;
  std::size_t end = text.substr(0, begin).rfind('\n');
  while (end != std::string_view::npos && end > 0) {
    const std::size_t before = text.rfind('\n', end - 1);
    const std::size_t start = before == std::string_view::npos ? 0 : before + 1;
    const std::string_view line = without_blanks(text.substr(start, end - start));
    if (line.starts_with("#[") || line.ends_with(")]")) return true;
    if (!line.empty() && !line.starts_with("//") && !line.starts_with("/*") &&
        !line.starts_with("*")) {
      return false;
    }
    end = before;
  }
  return false;
}

// True for part_of_a_name where the file has `MACRO(..., part, ...)` outside of functions: the
// rest of the name may be the macro's.
bool begins_like_argument(std::string_view text, std::string_view name) {
  for (std::size_t cut = name.find('_', 1); cut != std::string_view::npos;
       cut = name.find('_', cut + 1)) {
    const std::string_view part = name.substr(0, cut);
    for (std::size_t at = text.find(part); at != std::string_view::npos;
         at = text.find(part, at + 1)) {
      const auto [line, place] = line_around(text, at);
      const std::string_view macro = first_word(line);
      const bool is_macro =
          !macro.empty() && line.substr(macro.size()).starts_with('(') &&
          std::ranges::none_of(macro, [](char c) { return c >= 'a' && c <= 'z'; });
      if (is_macro && has_word(line.substr(macro.size()), part)) return true;
    }
  }
  return false;
}

// True for a definition of C whose end the parser may have lost: one that goes on behind a brace at
// the beginning of a line, or a variable with half a pair of parentheses.
bool is_misread(std::string_view whole, SymbolType type) {
  const std::size_t brace = whole.find("\n}");
  if (type == SymbolType::kFunction) {
    return brace != std::string_view::npos && brace + 3 < whole.size();
  }
  return type == SymbolType::kVariable &&
         std::ranges::count(whole, '(') != std::ranges::count(whole, ')');
}

// True for a class of C# whose members are used without its name.
bool has_extensions(std::string_view whole) {
  return whole.find("(this ") != std::string_view::npos ||
         whole.find(" extension(") != std::string_view::npos ||
         whole.find(" extension<") != std::string_view::npos;
}

class Doubts {
 public:
  Doubts(UnusedCandidates& candidates, FactsCache& cache, store::CodeReader& reader,
         const std::stop_token& stop)
      : candidates_(candidates), cache_(cache), reader_(reader), stop_(stop) {}

  Result<void> doubt_all() {
    for (std::uint32_t i = 0; i < candidates_.all.size(); ++i) {
      const std::uint32_t outer = candidates_.all[i].outer;
      if (outer == kNoIndex) continue;
      if (candidates_.all[i].is_used || is_named_outside(i, outer)) {
        candidates_.all[outer].has_used_member = true;
      }
    }
    for (std::uint32_t i = 0; i < candidates_.all.size(); ++i) {
      if (candidates_.all[i].is_used) continue;
      if (stop_.stop_requested()) return Error{ErrorCode::kCancelled, "cancelled"};
      for (const NamedAlike* named : candidates_.all[i].names) {
        CODEXMEM_TRY(doubt_by_hits(i, *named));
      }
      CODEXMEM_TRY(doubt_by_itself(candidates_.all[i]));
    }
    doubt_by_users(candidates_);
    return {};
  }

 private:
  static void doubt(UnusedCandidate& definition, UnusedCertainty most, std::string reason) {
    definition.certainty = std::min(definition.certainty, most);
    definition.doubts.emplace_back(most, std::move(reason));
  }

  // True if code outside of `outer`, unused or not, may use the member `index`.
  bool is_named_outside(std::uint32_t index, std::uint32_t outer) const {
    return std::ranges::any_of(candidates_.all[index].names, [&](const NamedAlike* named) {
      return std::ranges::any_of(named->hits, [&](const NameHit& hit) {
        return hit.kind == NameHitKind::kUse && !candidates_.is_within(hit, outer) &&
               (hit.meant == kNoIndex || hit.meant == index);
      });
    });
  }

  Result<std::string> place_of(const NameHit& hit) {
    CODEXMEM_ASSIGN(const auto text, reader_.find_content(candidates_.row_of(hit.file).id));
    const std::string_view before =
        std::string_view(*text).substr(0, std::min<std::size_t>(hit.offset, text->size()));
    return fmt::format("{}:{}", candidates_.row_of(hit.file).path,
                       std::ranges::count(before, '\n') + 1);
  }

  Result<void> doubt_by_hits(std::uint32_t index, const NamedAlike& named) {
    UnusedCandidate& definition = candidates_.all[index];
    std::set<NameHitKind> known;
    for (const NameHit& hit : named.hits) {
      if (candidates_.is_within(hit, index) || !candidates_.may_mean(hit.file, index)) continue;
      if (hit.kind == NameHitKind::kUse) {
        if (hit.meant == kNoIndex || hit.meant == index) {
          definition.users.insert(candidates_.unused_around(hit));
        }
        continue;
      }
      if (!known.insert(hit.kind).second) continue;
      CODEXMEM_ASSIGN(const std::string place, place_of(hit));
      switch (hit.kind) {
        case NameHitKind::kImport:
          doubt(definition, UnusedCertainty::kLikely, "imported, and not used, at " + place);
          break;
        case NameHitKind::kInString:
          doubt(definition, UnusedCertainty::kLikely, "a string names it at " + place);
          break;
        default:
          doubt(definition, UnusedCertainty::kPossible,
                (hit.kind == NameHitKind::kQuoted ? "a string names it at " : "named at ") + place);
      }
    }
    return {};
  }

  Result<void> doubt_by_itself(UnusedCandidate& definition) {
    const store::SymbolRow& row = definition.row;
    if (row.exported) {
      doubt(definition, UnusedCertainty::kLikely,
            "exported: code outside of the repository may use it");
    }
    CODEXMEM_ASSIGN(const auto model,
                    cache_.impl().model(reader_, candidates_.row_of(definition.file)));
    if (model == nullptr) return {};
    const std::uint32_t ordinal = store::ordinal_of(row.id);
    if (ordinal >= model->facts.symbols.size()) return {};
    const bool is_private = row.name.starts_with('#') || row.is(store::Modifier::kPrivate);
    const std::string& language = candidates_.row_of(definition.file).language;
    const bool is_c = language == "c" || language == "cpp";
    std::optional<store::SymbolRow> parent;
    if (row.parent) {
      CODEXMEM_ASSIGN(parent, reader_.find_symbol(*row.parent));
    }
    // Elsewhere a private method never replaces one of a supertype.
    const bool may_override = !is_private || language == "ruby" || language == "cpp";
    CODEXMEM_ASSIGN(const auto text, reader_.find_content(candidates_.row_of(definition.file).id));
    if (text && is_made_by_macro(*text, row)) {
      doubt(definition, UnusedCertainty::kPossible, "a macro makes it, and may use it");
    }
    if (text && row.type == SymbolType::kVariable && has_call(*text, row)) {
      doubt(definition, UnusedCertainty::kLikely, "its value comes from a call, which may do more");
    }
    if (text && language == "cpp" && row.type == SymbolType::kVariable &&
        row.name_byte > row.range.begin &&
        text_at(*text, {row.range.begin, row.name_byte}).find('}') != std::string_view::npos) {
      doubt(definition, UnusedCertainty::kLikely, "its constructor may do more");
    }
    // _repr_html_, _missing_
    if (row.name.size() > 2 && row.name.starts_with('_') && row.name.ends_with('_')) {
      doubt(definition, UnusedCertainty::kPossible, "a protocol may call it by its name");
    }
    const std::string& path = candidates_.row_of(definition.file).path;
    if (path.ends_with(".d.ts")) {
      doubt(definition, UnusedCertainty::kLikely, "declared for code outside of the repository");
    }
    if (text && (has_attribute(*text, row.range.begin) ||
                 (language == "csharp" && text_at(*text, row.range).starts_with('[')))) {
      doubt(definition, UnusedCertainty::kPossible, "an attribute may make it known to others");
    }
    if (text && row.type == SymbolType::kFunction && is_c &&
        begins_like_argument(*text, row.name)) {
      doubt(definition, UnusedCertainty::kPossible,
            "a macro of its file may put its name together");
    }
    if (text && language == "csharp" && is_type(row.type) &&
        has_extensions(text_at(*text, row.range))) {
      doubt(definition, UnusedCertainty::kLikely, "a member of it may be used without its name");
    }
    if (text && is_c && is_misread(text_at(*text, row.range), row.type)) {
      doubt(definition, UnusedCertainty::kPossible, "it may end before it seems to");
    }
    const auto has_type = [&](const NamedAlike* named) {
      return std::ranges::any_of(named->definitions, [&](std::uint32_t each) {
        return is_type(candidates_.all[each].row.type);
      });
    };
    if (row.type == SymbolType::kVariable && is_c &&
        std::ranges::any_of(definition.names,
                            has_type)) {  // static UNKNOWN_WORD name variable = 1;
      doubt(definition, UnusedCertainty::kPossible, "it may be the type of its name");
    }
    // The decorator of a getter makes it a getter.
    if (row.kind != "getter" && row.kind != "setter" && row.is(store::Modifier::kDecorated)) {
      doubt(definition, UnusedCertainty::kPossible,
            "what decorates or annotates it may make it known to others");
    }
    const bool is_in_header = is_header_path(path);
    if (is_in_header && (!parent || parent->kind == "namespace")) {
      doubt(definition, UnusedCertainty::kLikely, "code outside may include its header");
    }
    if (row.kind == "macro" && !is_in_header) {
      doubt(definition, UnusedCertainty::kPossible,
            "a header that is included behind it may ask for it");
    }
    const std::uint32_t scope = model->scope_at(row.range.begin);
    const bool is_ambient =
        row.is(store::Modifier::kDeclare) || (parent && parent->is(store::Modifier::kDeclare)) ||
        (scope != kNoIndex && model->facts.scopes[scope].kind == parse::ScopeKind::kGlobal);
    if (!row.parent && family_of(language) == Family::kEcmaScript && model->is_script()) {
      doubt(definition, UnusedCertainty::kLikely, "a script's names are global: a page may use it");
    }
    if (is_ambient) {
      doubt(definition, UnusedCertainty::kPossible, "declares what is elsewhere");
    }
    for (const std::string& prefix : candidates_.prefixes) {
      if (row.name.size() > prefix.size() && row.name.starts_with(prefix)) {
        doubt(definition, UnusedCertainty::kPossible,
              fmt::format("a string \"{}\" begins names that are put together", prefix));
        break;
      }
    }
    for (const std::string& suffix : candidates_.suffixes) {
      if (row.name.size() > suffix.size() && row.name.ends_with(suffix)) {
        doubt(definition, UnusedCertainty::kPossible,
              fmt::format("a string \"{}\" ends names that are put together", suffix));
        break;
      }
    }
    for (const parse::DynamicConstruct& dynamic : model->facts.dynamics) {
      if (dynamic.kind == parse::DynamicKind::kEval ||
          dynamic.kind == parse::DynamicKind::kReflection) {
        doubt(definition, UnusedCertainty::kLikely, "its file looks names up as it runs");
        break;
      }
    }
    if (is_type(row.type)) {
      if (definition.has_used_member) {
        doubt(definition, UnusedCertainty::kLikely, "a member of it may be used without its name");
      }
      const auto heritage = model->heritage_of(ordinal);
      if (row.type == SymbolType::kClass && !heritage.empty()) {
        doubt(definition, UnusedCertainty::kLikely,
              fmt::format("{} may find what extends it", base_name(*model, *heritage.front())));
      }
      return {};
    }
    if (row.type != SymbolType::kMethod) return {};
    if (text && language == "csharp" && parent) {
      CODEXMEM_TRY(doubt_by_reflection(definition, *parent, *model, *text));
    }
    if (!may_override) return {};
    for (const parse::Extension& each : model->facts.extensions) {
      if (each.trait == kNoIndex ||
          !model->facts.scopes[each.scope].range.contains(row.range.begin)) {
        continue;
      }
      doubt(definition, UnusedCertainty::kPossible,
            "implements " + model->name(model->facts.occurrences[each.trait].name));
    }
    if (!row.exported && !is_private && !row.name.starts_with('_')) {
      doubt(definition, UnusedCertainty::kLikely,
            "other code may call methods of its class by their names");
    }
    if (text && has_word(head_of(*text, row), "override")) {
      doubt(definition, UnusedCertainty::kPossible, "its declaration says that it overrides");
    }
    CODEXMEM_ASSIGN(const auto hierarchy, find_hierarchy({cache_, reader_}, row.id, 1));
    if (!hierarchy.overrides.empty()) {
      doubt(definition, UnusedCertainty::kPossible,
            "overrides or implements " + hierarchy.overrides.front().symbol.qualified_name());
    } else if (row.parent) {
      CODEXMEM_ASSIGN(const std::string base,
                      unknown_base(*model, store::ordinal_of(*row.parent), kMaxDoubtBases));
      if (!base.empty()) {
        doubt(definition, UnusedCertainty::kPossible,
              fmt::format("may override what {} has, which is not in the repository", base));
      }
    }
    return {};
  }

  // Frameworks of C# call private methods by their names: of classes with an attribute, and of
  // those that extend one of theirs.
  Result<void> doubt_by_reflection(UnusedCandidate& definition, const store::SymbolRow& parent,
                                   const FileModel& model, std::string_view text) {
    if (text_at(text, parent.range).starts_with('[')) {
      doubt(definition, UnusedCertainty::kLikely,
            "who reads the attributes of its class may call it by its name");
    }
    CODEXMEM_ASSIGN(const std::string base,
                    unknown_base(model, store::ordinal_of(parent.id), kMaxDoubtBases));
    if (!base.empty()) {
      doubt(definition, UnusedCertainty::kLikely,
            fmt::format("{}, which is not in the repository, may call it by its name", base));
    }
    return {};
  }

  static const std::string& base_name(const FileModel& model, const parse::Heritage& heritage) {
    return model.name(model.facts.occurrences[heritage.occurrence].name);
  }

  // A supertype of `symbol`, by its name, that is not in the repository; "" when all are. Any type
  // of a base's name may be the base: the first may only declare it.
  Result<std::string> unknown_base(const FileModel& model, std::uint32_t symbol,
                                   std::size_t steps) {
    for (const parse::Heritage* each : model.heritage_of(symbol)) {
      const std::string& name = base_name(model, *each);
      CODEXMEM_ASSIGN(const auto rows, reader_.list_symbols_named(name));
      bool is_known = false;
      for (const store::SymbolRow& row : rows) {
        const store::FileRow* const file = candidates_.files->find(store::file_of(row.id));
        if (!is_type(row.type) || file == nullptr) continue;
        is_known = true;
        CODEXMEM_ASSIGN(const auto other, cache_.impl().model(reader_, *file));
        if (other == nullptr || steps == 0) return name;
        CODEXMEM_ASSIGN(std::string above,
                        unknown_base(*other, store::ordinal_of(row.id), steps - 1));
        if (!above.empty()) return above;
      }
      if (!is_known) return name;
    }
    return std::string();
  }

  UnusedCandidates& candidates_;
  FactsCache& cache_;
  store::CodeReader& reader_;
  const std::stop_token& stop_;
};

}  // namespace

void doubt_by_users(UnusedCandidates& candidates) {
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> used_by;
  for (std::uint32_t i = 0; i < candidates.all.size(); ++i) {
    for (const std::uint32_t user : candidates.all[i].users) used_by[user].push_back(i);
  }
  for (const UnusedCertainty certainty : {UnusedCertainty::kPossible, UnusedCertainty::kLikely}) {
    std::vector<std::uint32_t> left;
    for (const auto& [user, uses] : used_by) {
      if (candidates.all[user].certainty == certainty) left.push_back(user);
    }
    while (!left.empty()) {
      const auto uses = used_by.find(left.back());
      left.pop_back();
      if (uses == used_by.end()) continue;
      for (const std::uint32_t each : uses->second) {
        if (candidates.all[each].certainty <= certainty) continue;
        candidates.all[each].certainty = certainty;
        left.push_back(each);
      }
    }
  }
}

Result<void> find_doubts(UnusedCandidates& candidates, FactsCache& cache, store::CodeReader& reader,
                         const std::stop_token& stop) {
  return Doubts(candidates, cache, reader, stop).doubt_all();
}

}  // namespace codexmem::graph
