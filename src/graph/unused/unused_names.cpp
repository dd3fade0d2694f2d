// Tested by git/unused_test.py.
#include "graph/unused/unused_names.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/ascii.h"
#include "base/text.h"
#include "graph/core/code_text.h"
#include "graph/core/file_model.h"
#include "graph/core/language_semantics.h"
#include "graph/stored/facts_cache_impl.h"
#include "graph/stored/repository_map.h"
#include "parse/rules/languages.h"

namespace codexmem::graph {
namespace {

using parse::BindingKind;
using parse::kNoIndex;
using parse::ReceiverKind;
using parse::Role;

constexpr std::size_t kMinPrefix = 3;  // letters

// The kind of a name that is in the text of code but not in its facts; nothing for a comment. With
// `has_macros` some names are unknown to the grammar: it does not read macros.
std::optional<NameHitKind> kind_in_text(std::string_view text, std::size_t offset, std::size_t size,
                                        bool has_macros) {
  const auto [line, at] = line_around(text, offset);
  const std::string_view start = without_blanks(line);
  for (const std::string_view mark : {"#", "//", "*", "/*", "--"}) {
    if (start.starts_with(mark) && !start.starts_with("#[") && !start.starts_with("#{")) {
      return std::nullopt;
    }
  }
  // The word around it, up to blanks.
  const std::size_t first = line.find_last_of(" \t", at) + 1;
  const std::size_t last = std::min(line.find_first_of(" \t\r", at + size), line.size());
  if (line.substr(first, at - first).find_first_of("\"'") != std::string_view::npos &&
      line.substr(at + size, last - at - size).find_first_of("\"'") != std::string_view::npos) {
    return NameHitKind::kQuoted;
  }
  if (std::ranges::count(line.substr(0, at), '"') % 2 == 1) return NameHitKind::kInString;
  const std::string_view before = line.substr(0, at);
  for (const std::string_view mark : {"//", "/*", "# "}) {
    if (before.find(mark) != std::string_view::npos) return std::nullopt;
  }
  return has_macros ? NameHitKind::kUse : NameHitKind::kInString;
}

// Where a macro pastes a part of a name, that is no parameter of the macro, to another.
enum class Pasted { kNot, kBefore, kBehind };

Pasted how_pasted(std::string_view text, std::size_t begin, std::string_view word) {
  const std::string_view before = trim(text.substr(0, begin));
  const std::string_view behind = without_blanks(text.substr(begin + word.size()));
  if (!before.ends_with("##") && !behind.starts_with("##")) return Pasted::kNot;
  const std::size_t define = text.rfind("#define", begin);
  if (define == std::string_view::npos) return Pasted::kNot;
  const std::string_view head = text.substr(define, text.find(')', define) - define);
  if (has_word(head, word)) return Pasted::kNot;
  return before.ends_with("##") ? Pasted::kBehind : Pasted::kBefore;
}

bool is_plain_assignment(std::string_view text, std::size_t offset) {
  const std::string_view rest = text.substr(std::min(offset, text.size()));
  const std::string_view behind = without_blanks(rest.substr(first_word(rest).size()));
  return behind.starts_with('=') && !behind.starts_with("==");
}

class NameReader {
 public:
  NameReader(UnusedCandidates& candidates, FactsCache& cache, store::CodeReader& reader,
             std::chrono::steady_clock::time_point deadline, const std::stop_token& stop)
      : candidates_(candidates), cache_(cache), reader_(reader), deadline_(deadline), stop_(stop) {}

  /// The number of files for which there was no time.
  Result<std::size_t> read_files() {
    std::size_t files_not_read = 0;
    for (const auto& [file, names] : candidates_.holds) {
      if (stop_.stop_requested()) return Error{ErrorCode::kCancelled, "cancelled"};
      if (std::chrono::steady_clock::now() < deadline_) {
        CODEXMEM_TRY(read_file(file));
        continue;
      }
      ++files_not_read;
      for (const std::string* name : names) candidates_.use_all(*name);
    }
    return files_not_read;
  }

  // What another module exports as a whole is its package's.
  Result<void> find_star_exports() {
    std::map<std::uint32_t, bool> known;
    for (UnusedCandidate& each : candidates_.all) {
      if (each.is_used || !each.row.exported || each.row.parent) continue;
      const auto [place, is_new] = known.emplace(each.file, false);
      if (is_new) {
        CODEXMEM_ASSIGN(place->second, is_exported_whole(each.file));
      }
      each.is_used = place->second;
    }
    return {};
  }

 private:
  Result<void> read_file(std::uint32_t file) {
    const store::FileRow& row = candidates_.row_of(file);
    CODEXMEM_ASSIGN(const auto text, reader_.find_content(row.id));
    if (!text) return {};
    if (!resolves_names(family_of(row.language))) {
      const parse::Language* const language = parse::find_language(row.language);
      if (language != nullptr && language->is_prose) return {};
      read_text(file, *text, nullptr, {});
      return {};
    }
    CODEXMEM_ASSIGN(const auto model, cache_.impl().model(reader_, row));
    if (model == nullptr) {
      for (const std::string* name : candidates_.holds.at(file)) candidates_.use_all(*name);
      return {};
    }
    std::set<std::uint32_t> seen;  // offsets
    // A method that is written apart from its type does not use it.
    std::set<std::uint32_t> of_owners;
    for (const parse::Heritage& each : model->facts.heritage) {
      if (model->facts.symbols[each.symbol].type == SymbolType::kMethod) {
        of_owners.insert(each.occurrence);
      }
    }
    for (const parse::Extension& each : model->facts.extensions) of_owners.insert(each.type);
    for (const std::string* name : candidates_.holds.at(file)) {
      const auto named = candidates_.names.find(*name);
      const auto id = model->find_name(*name);
      if (named == candidates_.names.end() || !id) continue;
      for (const std::uint32_t occurrence : model->occurrences_of(*id)) {
        seen.insert(model->facts.occurrences[occurrence].offset);
        if (!of_owners.contains(occurrence))
          add_occurrence(*model, *text, file, occurrence, named->second);
      }
    }
    read_private_names(*model, *text, file);
    CODEXMEM_TRY(read_exports(*model, file));
    read_text(file, *text, model.get(), seen);
    return {};
  }

  // #x, which the index of identifiers has without its sign.
  void read_private_names(const FileModel& model, std::string_view text, std::uint32_t file) {
    const auto own = candidates_.by_file.find(file);
    if (own == candidates_.by_file.end()) return;
    for (const std::uint32_t each : own->second) {
      const std::string& name = candidates_.all[each].row.name;
      const auto id = model.find_name(name);
      if (!name.starts_with('#') || !id) continue;
      for (const std::uint32_t occurrence : model.occurrences_of(*id)) {
        add_occurrence(model, text, file, occurrence, candidates_.names.find(name)->second);
      }
    }
  }

  // Exports under another name are used by that, and a module's default by any.
  Result<void> read_exports(const FileModel& model, std::uint32_t file) {
    for (const parse::Export& each : model.facts.exports) {
      const std::string* const local = each.local != kNoIndex ? &model.name(each.local)
                                       : each.symbol != kNoIndex
                                           ? &model.facts.symbols[each.symbol].name
                                           : nullptr;
      if (local == nullptr) continue;
      const std::string& exported = model.name(each.exported);
      const bool is_elsewhere = each.import != kNoIndex;
      if (exported == *local && !is_elsewhere && !stands_for_folder(candidates_.row_of(file)) &&
          !model.facts.has_all) {
        continue;
      }
      if (exported == "default" && !is_elsewhere) {
        CODEXMEM_ASSIGN(const auto importers, reader_.list_dependents(candidates_.row_of(file).id));
        if (importers.empty()) continue;
      }
      if (!candidates_.is_main[file] || is_elsewhere) {
        candidates_.use_all(*local);
        continue;
      }
      const auto named = candidates_.names.find(*local);
      if (named == candidates_.names.end()) continue;
      bool is_own = false;
      for (const std::uint32_t each_own : named->second.definitions) {
        if (candidates_.all[each_own].file != file) continue;
        candidates_.all[each_own].is_used = is_own = true;
      }
      if (!is_own) candidates_.use_all(*local);
    }
    return {};
  }

  // The definition of this file that a bare name means: kNoIndex when it may be another file's;
  // nothing for a local and for a symbol that is not checked.
  std::optional<std::uint32_t> meant_here(const FileModel& model, std::uint32_t file,
                                          const parse::Occurrence& occurrence) const {
    const LanguageTraits& traits = model.semantics.traits();
    const std::uint32_t first = model.scope_at(occurrence.offset);
    for (std::uint32_t scope = first; scope != kNoIndex; scope = model.facts.scopes[scope].parent) {
      const parse::ScopeKind kind = model.facts.scopes[scope].kind;
      if (kind == parse::ScopeKind::kClass && scope != first) continue;
      std::optional<std::uint32_t> symbol;
      bool is_bound = false;
      for (const std::uint32_t index : model.bindings_in(scope, occurrence.name)) {
        const parse::Binding& binding = model.facts.bindings[index];
        if (binding.kind == BindingKind::kGlobal || binding.kind == BindingKind::kNonlocal)
          continue;
        if (binding.seen_from > occurrence.offset) continue;  // let x = x()
        if (binding.kind == BindingKind::kImport) return kNoIndex;
        is_bound = true;
        if (binding.kind != BindingKind::kSymbol && binding.kind != BindingKind::kAlias) continue;
        if (symbol) return kNoIndex;  // declared twice: merged, overloaded, or by conditions
        symbol = binding.target;
      }
      if (!is_bound) continue;
      if (!symbol) {
        // In Ruby x(1) calls a method, whatever x is.
        if (occurrence.role == Role::kCall && candidates_.row_of(file).language == "ruby") {
          return kNoIndex;
        }
        if (kind == parse::ScopeKind::kModule) return kNoIndex;
        return std::nullopt;
      }
      if (traits.alternatives_are_likely || traits.containers_are_apart) return kNoIndex;
      const auto found = candidates_.by_symbol.find(store::symbol_id(model.id, *symbol));
      if (found == candidates_.by_symbol.end()) return std::nullopt;
      return found->second;
    }
    return kNoIndex;
  }

  void add_occurrence(const FileModel& model, std::string_view text, std::uint32_t file,
                      std::uint32_t index, NamedAlike& named) {
    const parse::Occurrence& each = model.facts.occurrences[index];
    const LanguageTraits& traits = model.semantics.traits();
    const bool is_bare = each.receiver_kind == ReceiverKind::kNone;
    const bool is_key = each.receiver_kind == ReceiverKind::kKey;
    if (model.is_documentation(each.offset) && each.role != Role::kType) return;
    switch (each.role) {
      case Role::kDefinition:
        return;
      case Role::kExport:
        return;  // read_exports()
      case Role::kWrite:
        // x = 1 reads nothing; x++ and x += 1 may be read as they are written.
        if (is_bare && is_plain_assignment(text, each.offset)) return;
        if (is_key && !traits.map_keys_are_names && !traits.keys_may_be_names) return;
        break;
      case Role::kImport: {
        const auto imported = model.imported_name_at(each.offset);
        if (!imported) return;  // a module
        const parse::Import& import = model.facts.imports[imported->first];
        const parse::ImportedName& name = import.names[imported->second];
        const std::string& imported_name = model.name(name.imported);
        const bool is_passed_on = import.kind == parse::ImportKind::kReexport ||
                                  (traits.imports_are_exports && !imported_name.starts_with('_') &&
                                   stands_for_folder(candidates_.row_of(file)));
        const bool is_renamed = name.local != kNoIndex && model.name(name.local) != imported_name;
        candidates_.add(named, file, each.offset,
                        is_passed_on || is_renamed || !candidates_.is_main[file]
                            ? NameHitKind::kUse
                            : NameHitKind::kImport);
        return;
      }
      default:
        break;
    }
    std::optional<std::uint32_t> meant = kNoIndex;
    if (is_bare) meant = meant_here(model, file, each);
    if (meant) candidates_.add(named, file, each.offset, NameHitKind::kUse, *meant);
  }

  // The names in a text outside its code.
  void read_text(std::uint32_t file, std::string_view text, const FileModel* model,
                 const std::set<std::uint32_t>& seen) {
    const bool is_cut =
        (candidates_.row_of(file).flags & (store::kFileTruncated | store::kFileRepaired)) != 0 ||
        (model != nullptr && model->facts.truncated);
    const parse::Language* const language = parse::find_language(candidates_.row_of(file).language);
    const bool has_macros = language != nullptr && language->repair == parse::Repair::kMacros;
    std::string_view open;  // the mark of a string of several lines that is open
    for (std::size_t at = 0; at < text.size();) {
      if (!is_identifier_byte(text[at])) {
        for (const std::string_view mark : {R"(""")", "'''", "`"}) {
          if ((!open.empty() && open != mark) || text.substr(at, mark.size()) != mark) continue;
          open = open.empty() ? mark : std::string_view();
          at += mark.size() - 1;
          break;
        }
        ++at;
        continue;
      }
      const std::string_view word = first_word(text.substr(at));
      const std::size_t begin = at;
      at += word.size();
      if (model != nullptr) note_part(text, begin, word);
      const auto named = candidates_.names.find(word);
      const auto offset = static_cast<std::uint32_t>(begin);
      if (named == candidates_.names.end() || seen.contains(offset)) continue;
      if (model == nullptr) {
        candidates_.add(named->second, file, offset, NameHitKind::kElsewhere);
      } else if (is_cut || std::ranges::any_of(model->facts.unparsed, [&](const ByteRange& range) {
                   return range.contains(offset);
                 })) {
        candidates_.add(named->second, file, offset, NameHitKind::kUse);
      } else if (model->symbol_named_at(offset) == kNoIndex && !model->is_documentation(offset)) {
        auto kind = kind_in_text(text, begin, word.size(), has_macros);
        if (!kind && !open.empty()) kind = NameHitKind::kInString;
        if (kind) candidates_.add(named->second, file, offset, *kind);
      }
    }
  }

  // "visit_" + name, `on${name}`, f"{name}_handler", :"copy_#{name}": names that are put together.
  void note_part(std::string_view text, std::size_t begin, std::string_view word) {
    const std::size_t end = begin + word.size();
    const char next = end < text.size() ? text[end] : '\n';
    const char before = begin == 0 ? '\n' : text[begin - 1];
    if (word.size() < kMinPrefix) return;
    // BM_##name, name ## _handler
    const Pasted pasted = how_pasted(text, begin, word);
    if (pasted == Pasted::kBehind) candidates_.suffixes.emplace(word);
    if (pasted == Pasted::kBefore) candidates_.prefixes.emplace(word);
    if (word.ends_with('_') && before == '(' && (next == ')' || next == ',') &&
        is_upper_name(last_word(text.substr(0, begin - 1)))) {
      candidates_.prefixes.emplace(word);  // #define name SUFFIX(name_)
    }
    if (word.ends_with('$') && next == '{' && is_quote(before)) {
      candidates_.prefixes.emplace(word.substr(0, word.size() - 1));
    } else if (word.ends_with('_') && is_quote(before) &&
               (is_quote(next) || next == '{' || next == '%' || next == '#')) {
      candidates_.prefixes.emplace(word);
    } else if (word.starts_with('_') && before == '}' && is_quote(next)) {
      candidates_.suffixes.emplace(word);
    }
  }

  Result<bool> is_exported_whole(std::uint32_t file) {
    if (stands_for_folder(candidates_.row_of(file))) return true;
    CODEXMEM_ASSIGN(const auto imports, reader_.list_dependents(candidates_.row_of(file).id));
    for (const store::DependencyRow& each : imports) {
      if (std::ranges::find(each.symbols, "*") == each.symbols.end()) continue;
      const store::FileRow* const source = candidates_.files->find(each.source);
      if (source == nullptr) continue;
      CODEXMEM_ASSIGN(const auto model, cache_.impl().model(reader_, *source));
      if (model == nullptr || each.import_index >= model->facts.imports.size()) return true;
      const parse::Import& import = model->facts.imports[each.import_index];
      if (import.kind == parse::ImportKind::kReexport) return true;
      for (const parse::ImportedName& name : import.names) {
        if (model->name(name.imported) != "*") continue;
        if (name.local == kNoIndex && import.from_import) return true;
        if (std::ranges::any_of(model->facts.exports, [&](const parse::Export& exported) {
              return exported.local == name.local && exported.local != kNoIndex;
            })) {
          return true;
        }
      }
    }
    return false;
  }

  UnusedCandidates& candidates_;
  FactsCache& cache_;
  store::CodeReader& reader_;
  const std::chrono::steady_clock::time_point deadline_;
  const std::stop_token& stop_;
};

}  // namespace

Result<std::size_t> read_names(UnusedCandidates& candidates, FactsCache& cache,
                               store::CodeReader& reader,
                               std::chrono::steady_clock::time_point deadline,
                               const std::stop_token& stop) {
  NameReader names(candidates, cache, reader, deadline, stop);
  CODEXMEM_ASSIGN(const std::size_t not_read, names.read_files());
  CODEXMEM_TRY(names.find_star_exports());
  return not_read;
}

}  // namespace codexmem::graph
