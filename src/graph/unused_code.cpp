// All definitions are assumed unused, and those that something else names are taken off until
// nothing changes: a use inside of a definition that is still assumed unused counts for nothing, so
// that what only unused code uses, in circles too, is unused.
//
// Uses are matched by name, which is what makes it quick: resolving every use of every definition
// would take minutes. A name is looked up in the scopes of its file only, which tells locals and
// definitions of that file from others; where that leaves it open, all definitions of the name are
// used. So what shares its name with used code is missed, and what is listed can be trusted.
//
// One pass over the texts that hold a rare name, a look at the facts and one at the rest of the
// text: names in strings, templates and configuration are reasons to doubt.
//
// Tested by git/unused_test.py; precision is measured in bench/unused.md.
#include "graph/unused_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "base/path.h"
#include "graph/core/code_text.h"
#include "graph/core/file_model.h"
#include "graph/core/language_semantics.h"
#include "graph/facts_cache_impl.h"
#include "graph/neighbours.h"
#include "graph/repository_map.h"
#include "parse/languages.h"

namespace codexmem::graph {
namespace {

using parse::BindingKind;
using parse::kNoIndex;
using parse::ReceiverKind;
using parse::Role;

constexpr std::size_t kMostFiles = 20;  // a name in more of them is taken for used
constexpr std::size_t kMostUsers = 3, kMostReasons = 5;
constexpr std::size_t kMostBases = 8;    // steps of extending
constexpr std::size_t kLeastPrefix = 3;  // letters

// What code says of a definition where it names it.
enum class HitKind : std::uint8_t {
  kUse,
  kImport,    // and no more
  kQuoted,    // a string of its own, or a path
  kInString,  // among other words
  kElsewhere  // in configuration, a template, another language
};

struct Hit {
  std::uint32_t file = 0;  // in FileTable::rows()
  std::uint32_t offset = 0;
  HitKind kind = HitKind::kUse;
  std::uint32_t inside = kNoIndex;  // the innermost definition around it
  std::uint32_t meant = kNoIndex;   // a definition; kNoIndex: any of the name
};

struct Definition {
  store::SymbolRow row;
  std::uint32_t file = 0;
  std::uint32_t outer = kNoIndex;  // the innermost definition around it
  bool is_used = false;
  UnusedCertainty certainty = UnusedCertainty::kCertain;
  std::vector<std::pair<UnusedCertainty, std::string>> doubts;
  std::set<std::uint32_t> users;
};

struct NamedAlike {
  std::vector<std::uint32_t> definitions;
  std::vector<Hit> hits;
};

struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>()(text);
  }
};

bool is_quote(char c) { return c == '"' || c == '\'' || c == '`'; }

bool is_a_type(SymbolType type) {
  return type == SymbolType::kClass || type == SymbolType::kInterface || type == SymbolType::kType;
}

bool has_modifier(const store::SymbolRow& row, std::string_view quoted) {
  return row.modifiers.find(quoted) != std::string::npos;
}

// The line around `offset`, and where in it that is.
std::pair<std::string_view, std::size_t> line_around(std::string_view text, std::size_t offset) {
  const std::size_t before = offset == 0 ? std::string_view::npos : text.rfind('\n', offset - 1);
  const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
  return {text.substr(begin, text.find('\n', offset) - begin), offset - begin};
}

// #[name] before or at the beginning of a declaration.
bool has_attribute(std::string_view text, std::size_t begin) {
  if (begin >= text.size()) return false;
  if (text.substr(begin).starts_with("#[")) return true;
  const std::size_t end = text.substr(0, begin).find_last_not_of(" \t\r\n");
  if (end == std::string_view::npos) return false;
  return text[end] == ']' && without_blanks(line_around(text, end).first).starts_with("#[");
}

// What a name is that stands in the text of code and is not part of it; nothing for a comment.
std::optional<HitKind> kind_in_text(std::string_view text, std::size_t offset, std::size_t size) {
  const auto [line, at] = line_around(text, offset);
  const std::string_view start = without_blanks(line);
  for (const std::string_view mark : {"#", "//", "*", "/*", "--"}) {
    if (start.starts_with(mark) && !start.starts_with("#[")) return std::nullopt;
  }
  // The word around it, up to blanks.
  const std::size_t first = line.find_last_of(" \t", at) + 1;
  const std::size_t last = std::min(line.find_first_of(" \t\r", at + size), line.size());
  if (line.substr(first, at - first).find_first_of("\"'") != std::string_view::npos &&
      line.substr(at + size, last - at - size).find_first_of("\"'") != std::string_view::npos) {
    return HitKind::kQuoted;
  }
  if (std::ranges::count(line.substr(0, at), '"') % 2 == 1) return HitKind::kInString;
  return std::nullopt;
}

bool is_plain_assignment(std::string_view text, std::size_t offset) {
  const std::string_view rest = text.substr(std::min(offset, text.size()));
  const std::string_view behind = without_blanks(rest.substr(first_word(rest).size()));
  return behind.starts_with('=') && !behind.starts_with("==");
}

class UnusedSearch {
 public:
  UnusedSearch(FactsCache& cache, store::CodeReader& reader,
               std::chrono::steady_clock::time_point deadline, const std::stop_token& stop)
      : cache_(cache), reader_(reader), deadline_(deadline), stop_(stop) {}

  Result<UnusedCode> run() {
    CODEXMEM_ASSIGN(files_, cache_.files(reader_));
    CODEXMEM_TRY(list_definitions());
    CODEXMEM_TRY(read_files());
    CODEXMEM_TRY(find_star_exports());
    drop_used();
    CODEXMEM_TRY(doubt_all());
    doubt_by_users();
    report();
    return std::move(found_);
  }

 private:
  const store::FileRow& row_of(std::uint32_t file) const { return files_->rows()[file]; }

  // ---- What is looked at.

  static bool is_wanted(const LanguageTraits& traits, std::string_view name, SymbolType type,
                        std::string_view kind) {
    if (name.size() < 2 || (name.starts_with("__") && name.ends_with("__"))) return false;
    if (type == SymbolType::kProperty || kind == "constructor" || kind == "namespace" ||
        kind == "enum_member") {
      return false;
    }
    return name != traits.main_function &&
           std::ranges::find(traits.called_unseen, name) == traits.called_unseen.end();
  }

  Result<void> list_definitions() {
    std::unordered_map<store::FileId, std::uint32_t> places;
    for (std::uint32_t i = 0; i < files_->rows().size(); ++i) {
      const store::FileRow& row = row_of(i);
      places.emplace(row.id, i);
      is_main_.push_back(is_main_file(row) && resolves_names(family_of(row.language)) &&
                         (row.flags & store::kFileTruncated) == 0);
    }
    CODEXMEM_TRY(reader_.visit_definitions(std::nullopt, [&](const store::DefinitionName& each) {
      const auto place = places.find(store::file_of(each.id));
      if (place == places.end() || !is_main_[place->second]) return;
      const LanguageTraits& traits =
          semantics_of(family_of(row_of(place->second).language)).traits();
      if (is_wanted(traits, each.name, each.type, each.kind)) {
        names_.try_emplace(std::string(each.name));
      }
    }));
    // The files of each name, of which those of common ones are forgotten.
    std::vector<std::uint32_t> holders;
    std::string last;
    const auto close = [&] {
      const auto named = names_.find(last);
      if (named == names_.end()) return;
      if (holders.size() > kMostFiles) {
        names_.erase(named);
      } else {
        for (const std::uint32_t file : holders) holds_[file].push_back(&named->first);
      }
    };
    CODEXMEM_TRY(reader_.visit_identifiers([&](std::string_view name, store::FileId id) {
      if (name != last) {
        close();
        holders.clear();
        last = name;
      }
      const auto place = places.find(id);
      if (place != places.end()) holders.push_back(place->second);
    }));
    close();
    for (std::uint32_t i = 0; i < files_->rows().size(); ++i) {
      if (is_main_[i]) CODEXMEM_TRY(add_definitions(i));
    }
    for (auto& [file, names] : holds_) {
      std::erase_if(names, [&](const std::string* name) {
        return names_.find(*name)->second.definitions.empty();
      });
    }
    std::erase_if(holds_, [&](const auto& held) {
      return held.second.empty() && !by_file_.contains(held.first);
    });
    // Configuration is not in the index of identifiers.
    for (std::uint32_t i = 0; i < files_->rows().size(); ++i) {
      const parse::Language* const language = parse::find_language(row_of(i).language);
      if (language != nullptr && language->is_configuration) holds_.try_emplace(i);
    }
    found_.definitions = definitions_.size();
    return {};
  }

  Result<void> add_definitions(std::uint32_t file) {
    CODEXMEM_ASSIGN(std::vector<store::SymbolRow> rows, reader_.list_symbols(row_of(file).id));
    const LanguageTraits& traits = semantics_of(family_of(row_of(file).language)).traits();
    std::map<store::SymbolId, SymbolType> types;
    std::vector<std::uint32_t> own;
    for (store::SymbolRow& row : rows) {
      types.emplace(row.id, row.type);
      if (!is_wanted(traits, row.name, row.type, row.kind)) continue;
      const auto named = names_.find(row.name);
      if (named == names_.end()) continue;
      // Of members the methods of classes; what is in objects and interfaces is for others to call.
      if (row.parent) {
        const auto parent = types.find(*row.parent);
        const bool is_in_class = parent != types.end() && parent->second == SymbolType::kClass;
        if (parent != types.end() && !is_in_class && parent->second != SymbolType::kType) continue;
        if (row.type == SymbolType::kVariable) continue;
      }
      Definition& added = definitions_.emplace_back();
      const auto index = static_cast<std::uint32_t>(definitions_.size() - 1);
      added.file = file;
      for (auto outer = own.rbegin(); outer != own.rend(); ++outer) {
        if (!definitions_[*outer].row.range.contains(row.range)) continue;
        added.outer = *outer;
        break;
      }
      added.row = std::move(row);
      by_symbol_.emplace(added.row.id, index);
      named->second.definitions.push_back(index);
      own.push_back(index);
    }
    if (own.empty()) return {};
    holds_.try_emplace(file);  // which it may not be by names such as #x
    by_file_.emplace(file, std::move(own));
    return {};
  }

  // ---- What files name.

  Result<void> read_files() {
    for (const auto& [file, names] : holds_) {
      if (stop_.stop_requested()) return Error{ErrorCode::kCancelled, "cancelled"};
      if (std::chrono::steady_clock::now() < deadline_) {
        CODEXMEM_TRY(read_file(file));
        continue;
      }
      ++found_.files_not_read;
      for (const std::string* name : names) use_all(*name);
    }
    return {};
  }

  void use_all(std::string_view name) {
    const auto named = names_.find(name);
    if (named == names_.end()) return;
    for (const std::uint32_t each : named->second.definitions) definitions_[each].is_used = true;
  }

  std::uint32_t innermost(std::uint32_t file, std::uint32_t offset) const {
    const auto own = by_file_.find(file);
    if (own == by_file_.end()) return kNoIndex;
    for (auto each = own->second.rbegin(); each != own->second.rend(); ++each) {
      if (definitions_[*each].row.range.contains(offset)) return *each;
    }
    return kNoIndex;
  }

  void add(NamedAlike& named, std::uint32_t file, std::uint32_t offset, HitKind kind,
           std::uint32_t meant = kNoIndex) {
    if (named.definitions.empty()) return;
    const std::uint32_t inside = innermost(file, offset);
    if (kind == HitKind::kUse && inside == kNoIndex) {
      if (meant != kNoIndex) {
        definitions_[meant].is_used = true;
      } else {
        for (const std::uint32_t each : named.definitions) definitions_[each].is_used = true;
      }
    } else {
      named.hits.push_back({file, offset, kind, inside, meant});
    }
  }

  Result<void> read_file(std::uint32_t file) {
    const store::FileRow& row = row_of(file);
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
      for (const std::string* name : holds_.at(file)) use_all(*name);
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
    for (const std::string* name : holds_.at(file)) {
      const auto named = names_.find(*name);
      const auto id = model->find_name(*name);
      if (named == names_.end() || !id) continue;
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
    const auto own = by_file_.find(file);
    if (own == by_file_.end()) return;
    for (const std::uint32_t each : own->second) {
      const std::string& name = definitions_[each].row.name;
      const auto id = model.find_name(name);
      if (!name.starts_with('#') || !id) continue;
      for (const std::uint32_t occurrence : model.occurrences_of(*id)) {
        add_occurrence(model, text, file, occurrence, names_.find(name)->second);
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
      if (exported == *local && !is_elsewhere && !stands_for_folder(row_of(file)) &&
          !model.facts.has_all) {
        continue;
      }
      if (exported == "default" && !is_elsewhere) {
        CODEXMEM_ASSIGN(const auto importers, reader_.list_dependents(row_of(file).id));
        if (importers.empty()) continue;
      }
      if (!is_main_[file] || is_elsewhere) {
        use_all(*local);
        continue;
      }
      const auto named = names_.find(*local);
      if (named == names_.end()) continue;
      bool is_own = false;
      for (const std::uint32_t each_own : named->second.definitions) {
        if (definitions_[each_own].file != file) continue;
        definitions_[each_own].is_used = is_own = true;
      }
      if (!is_own) use_all(*local);
    }
    return {};
  }

  // Which definition of this file a bare name means: kNoIndex when it may be another file's;
  // nothing for a local and for what is not looked at.
  std::optional<std::uint32_t> meant_here(const FileModel& model,
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
        if (binding.kind == BindingKind::kImport) return kNoIndex;
        is_bound = true;
        if (binding.kind != BindingKind::kSymbol && binding.kind != BindingKind::kAlias) continue;
        if (symbol) return kNoIndex;  // declared twice: merged, overloaded, or by conditions
        symbol = binding.target;
      }
      if (!is_bound) continue;
      if (!symbol) {
        if (kind == parse::ScopeKind::kModule) return kNoIndex;
        return std::nullopt;
      }
      if (traits.alternatives_are_likely || traits.containers_are_apart) return kNoIndex;
      const auto found = by_symbol_.find(store::symbol_id(model.id, *symbol));
      if (found == by_symbol_.end()) return std::nullopt;
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
                                   stands_for_folder(row_of(file)));
        const bool is_renamed = name.local != kNoIndex && model.name(name.local) != imported_name;
        add(named, file, each.offset,
            is_passed_on || is_renamed || !is_main_[file] ? HitKind::kUse : HitKind::kImport);
        return;
      }
      default:
        break;
    }
    std::optional<std::uint32_t> meant = kNoIndex;
    if (is_bare) meant = meant_here(model, each);
    if (meant) add(named, file, each.offset, HitKind::kUse, *meant);
  }

  // The names in a text that are no part of its code.
  void read_text(std::uint32_t file, std::string_view text, const FileModel* model,
                 const std::set<std::uint32_t>& seen) {
    const bool is_cut =
        (row_of(file).flags & (store::kFileTruncated | store::kFileRepaired)) != 0 ||
        (model != nullptr && model->facts.truncated);
    for (std::size_t at = 0; at < text.size();) {
      if (!is_identifier_byte(text[at])) {
        ++at;
        continue;
      }
      const std::string_view word = first_word(text.substr(at));
      const std::size_t begin = at;
      at += word.size();
      if (model != nullptr) note_part(text, begin, word);
      const auto named = names_.find(word);
      const auto offset = static_cast<std::uint32_t>(begin);
      if (named == names_.end() || seen.contains(offset)) continue;
      if (model == nullptr) {
        add(named->second, file, offset, HitKind::kElsewhere);
      } else if (is_cut || std::ranges::any_of(model->facts.unparsed, [&](const ByteRange& range) {
                   return range.contains(offset);
                 })) {
        add(named->second, file, offset, HitKind::kUse);
      } else if (model->symbol_named_at(offset) == kNoIndex && !model->is_documentation(offset)) {
        const auto kind = kind_in_text(text, begin, word.size());
        if (kind) add(named->second, file, offset, *kind);
      }
    }
  }

  // "visit_" + name, `on${name}`, f"{name}_handler": names that are put together.
  void note_part(std::string_view text, std::size_t begin, std::string_view word) {
    const std::size_t end = begin + word.size();
    const char next = end < text.size() ? text[end] : '\n';
    const char before = begin == 0 ? '\n' : text[begin - 1];
    if (word.size() >= kLeastPrefix && word.ends_with('$') && next == '{' && is_quote(before)) {
      prefixes_.emplace(word.substr(0, word.size() - 1));
    } else if (word.size() >= kLeastPrefix && word.ends_with('_') && is_quote(before) &&
               (is_quote(next) || next == '{' || next == '%')) {
      prefixes_.emplace(word);
    } else if (word.size() >= kLeastPrefix && word.starts_with('_') && before == '}' &&
               is_quote(next)) {
      suffixes_.emplace(word);
    }
  }

  // What another module exports as a whole is its package's.
  Result<void> find_star_exports() {
    std::map<std::uint32_t, bool> known;
    for (Definition& each : definitions_) {
      if (each.is_used || !each.row.exported || each.row.parent) continue;
      const auto [place, is_new] = known.emplace(each.file, false);
      if (is_new) {
        CODEXMEM_ASSIGN(place->second, is_exported_whole(each.file));
      }
      each.is_used = place->second;
    }
    return {};
  }

  Result<bool> is_exported_whole(std::uint32_t file) {
    if (stands_for_folder(row_of(file))) return true;
    CODEXMEM_ASSIGN(const auto imports, reader_.list_dependents(row_of(file).id));
    for (const store::DependencyRow& each : imports) {
      if (std::ranges::find(each.symbols, "*") == each.symbols.end()) continue;
      const store::FileRow* const source = files_->find(each.source);
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

  // ---- What is left.

  // The outermost unused definition around a hit; kNoIndex when all code around it is used.
  std::uint32_t unused_around(const Hit& hit) const {
    std::uint32_t found = kNoIndex;
    for (std::uint32_t at = hit.inside; at != kNoIndex; at = definitions_[at].outer) {
      if (!definitions_[at].is_used) found = at;
    }
    return found;
  }

  bool is_within(const Hit& hit, std::uint32_t definition) const {
    for (std::uint32_t at = hit.inside; at != kNoIndex; at = definitions_[at].outer) {
      if (at == definition) return true;
    }
    return false;
  }

  void drop_used() {
    for (bool is_changed = true; is_changed;) {
      is_changed = false;
      for (auto& [name, named] : names_) {
        for (const Hit& hit : named.hits) {
          if (hit.kind != HitKind::kUse || unused_around(hit) != kNoIndex) continue;
          for (const std::uint32_t each : named.definitions) {
            if (hit.meant != kNoIndex && hit.meant != each) continue;
            is_changed = is_changed || !definitions_[each].is_used;
            definitions_[each].is_used = true;
          }
        }
      }
    }
  }

  // ---- Doubts.

  static void doubt(Definition& definition, UnusedCertainty most, std::string reason) {
    definition.certainty = std::min(definition.certainty, most);
    definition.doubts.emplace_back(most, std::move(reason));
  }

  bool is_listed(const Definition& definition) const {
    if (definition.is_used) return false;
    for (std::uint32_t at = definition.outer; at != kNoIndex; at = definitions_[at].outer) {
      if (!definitions_[at].is_used) return false;
    }
    return true;
  }

  Result<void> doubt_all() {
    for (auto& [name, named] : names_) {
      for (const std::uint32_t each : named.definitions) {
        if (definitions_[each].is_used) continue;
        if (stop_.stop_requested()) return Error{ErrorCode::kCancelled, "cancelled"};
        CODEXMEM_TRY(doubt_by_hits(each, named));
        CODEXMEM_TRY(doubt_by_itself(definitions_[each]));
      }
    }
    return {};
  }

  Result<std::string> place_of(const Hit& hit) {
    CODEXMEM_ASSIGN(const auto text, reader_.find_content(row_of(hit.file).id));
    const std::string_view before =
        std::string_view(*text).substr(0, std::min<std::size_t>(hit.offset, text->size()));
    return fmt::format("{}:{}", row_of(hit.file).path, std::ranges::count(before, '\n') + 1);
  }

  Result<void> doubt_by_hits(std::uint32_t index, const NamedAlike& named) {
    Definition& definition = definitions_[index];
    std::set<HitKind> known;
    for (const Hit& hit : named.hits) {
      if (is_within(hit, index)) continue;
      if (hit.kind == HitKind::kUse) {
        if (hit.meant == kNoIndex || hit.meant == index) {
          definition.users.insert(unused_around(hit));
        }
        continue;
      }
      if (!known.insert(hit.kind).second) continue;
      CODEXMEM_ASSIGN(const std::string place, place_of(hit));
      switch (hit.kind) {
        case HitKind::kImport:
          doubt(definition, UnusedCertainty::kLikely, "imported, and not used, at " + place);
          break;
        case HitKind::kInString:
          doubt(definition, UnusedCertainty::kLikely, "a string names it at " + place);
          break;
        default:
          doubt(definition, UnusedCertainty::kPossible,
                (hit.kind == HitKind::kQuoted ? "a string names it at " : "named at ") + place);
      }
    }
    return {};
  }

  Result<void> doubt_by_itself(Definition& definition) {
    const store::SymbolRow& row = definition.row;
    if (row.exported) {
      doubt(definition, UnusedCertainty::kLikely,
            "exported: code outside of the repository may use it");
    }
    CODEXMEM_ASSIGN(const auto model, cache_.impl().model(reader_, row_of(definition.file)));
    if (model == nullptr) return {};
    const std::uint32_t ordinal = store::ordinal_of(row.id);
    if (ordinal >= model->facts.symbols.size()) return {};
    const bool is_private = row.name.starts_with('#') || has_modifier(row, "\"private\"");
    CODEXMEM_ASSIGN(const auto text, reader_.find_content(row_of(definition.file).id));
    if (text && has_attribute(*text, row.range.begin)) {
      doubt(definition, UnusedCertainty::kPossible, "an attribute may make it known to others");
    }
    // That of a getter makes it one.
    if (row.kind != "getter" && row.kind != "setter" && has_modifier(row, "\"@")) {
      doubt(definition, UnusedCertainty::kPossible,
            "what decorates or annotates it may make it known to others");
    }
    bool is_ambient = has_modifier(row, "\"declare\"");
    if (row.parent && !is_ambient) {
      CODEXMEM_ASSIGN(const auto parent, reader_.find_symbol(*row.parent));
      is_ambient = parent && has_modifier(*parent, "\"declare\"");
    }
    if (is_ambient) {
      doubt(definition, UnusedCertainty::kPossible, "declares what is elsewhere");
    }
    for (const std::string& prefix : prefixes_) {
      if (row.name.size() > prefix.size() && row.name.starts_with(prefix)) {
        doubt(definition, UnusedCertainty::kPossible,
              fmt::format("a string \"{}\" begins names that are put together", prefix));
        break;
      }
    }
    for (const std::string& suffix : suffixes_) {
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
    if (is_a_type(row.type)) {
      const auto heritage = model->heritage_of(ordinal);
      if (row.type == SymbolType::kClass && !heritage.empty()) {
        doubt(definition, UnusedCertainty::kLikely,
              fmt::format("{} may find what extends it", base_name(*model, *heritage.front())));
      }
      return {};
    }
    if (row.type != SymbolType::kMethod || is_private) return {};
    if (!row.exported && !row.name.starts_with('_')) {
      doubt(definition, UnusedCertainty::kLikely,
            "other code may call methods of its class by their names");
    }
    CODEXMEM_ASSIGN(const auto hierarchy, find_hierarchy(cache_, reader_, row.id, 1));
    if (!hierarchy.overrides.empty()) {
      doubt(definition, UnusedCertainty::kPossible,
            "overrides or implements " + hierarchy.overrides.front().symbol.qualified_name());
    } else if (row.parent) {
      CODEXMEM_ASSIGN(const std::string base,
                      unknown_base(*model, store::ordinal_of(*row.parent), kMostBases));
      if (!base.empty()) {
        doubt(definition, UnusedCertainty::kPossible,
              fmt::format("may override what {} has, which is not in the repository", base));
      }
    }
    return {};
  }

  static const std::string& base_name(const FileModel& model, const parse::Heritage& heritage) {
    return model.name(model.facts.occurrences[heritage.occurrence].name);
  }

  // A supertype of `symbol`, by its name, that is not in the repository; "" when all are.
  Result<std::string> unknown_base(const FileModel& model, std::uint32_t symbol,
                                   std::size_t steps) {
    for (const parse::Heritage* each : model.heritage_of(symbol)) {
      const std::string& name = base_name(model, *each);
      CODEXMEM_ASSIGN(const auto rows, reader_.list_symbols_named(name));
      const store::SymbolRow* base = nullptr;
      for (const store::SymbolRow& row : rows) {
        if (is_a_type(row.type)) base = &row;
      }
      if (base == nullptr || steps == 0) return name;
      const store::FileRow* const file = files_->find(store::file_of(base->id));
      if (file == nullptr) continue;
      CODEXMEM_ASSIGN(const auto other, cache_.impl().model(reader_, *file));
      if (other == nullptr) return name;
      CODEXMEM_ASSIGN(std::string above,
                      unknown_base(*other, store::ordinal_of(base->id), steps - 1));
      if (!above.empty()) return above;
    }
    return std::string();
  }

  // What unused code uses is as unused as that is.
  void doubt_by_users() {
    for (bool is_changed = true; is_changed;) {
      is_changed = false;
      for (Definition& each : definitions_) {
        for (const std::uint32_t user : each.users) {
          if (definitions_[user].certainty >= each.certainty) continue;
          each.certainty = definitions_[user].certainty;
          is_changed = true;
        }
      }
    }
  }

  void report() {
    for (Definition& each : definitions_) {
      if (!is_listed(each)) continue;
      UnusedSymbol symbol;
      symbol.path = row_of(each.file).path;
      symbol.lines = each.row.end.line - each.row.start.line + 1;
      symbol.certainty = each.certainty;
      for (const std::uint32_t user : each.users) {
        if (symbol.users.size() < kMostUsers) {
          symbol.users.push_back(definitions_[user].row.qualified_name());
        }
        if (definitions_[user].certainty == each.certainty &&
            each.certainty != UnusedCertainty::kCertain) {
          each.doubts.emplace_back(each.certainty,
                                   fmt::format("{}, which uses it, is {} to be unused",
                                               definitions_[user].row.qualified_name(),
                                               unused_certainty_name(each.certainty)));
        }
      }
      std::ranges::stable_sort(each.doubts, {}, [](const auto& one) { return one.first; });
      each.doubts.resize(std::min(each.doubts.size(), kMostReasons));
      for (auto& [certainty, reason] : each.doubts) symbol.reasons.push_back(std::move(reason));
      symbol.symbol = each.row;
      found_.symbols.push_back(std::move(symbol));
    }
    std::ranges::sort(found_.symbols, [](const UnusedSymbol& a, const UnusedSymbol& b) {
      return std::tie(b.certainty, b.lines, a.path, a.symbol.start) <
             std::tie(a.certainty, a.lines, b.path, b.symbol.start);
    });
  }

  FactsCache& cache_;
  store::CodeReader& reader_;
  const std::chrono::steady_clock::time_point deadline_;
  const std::stop_token& stop_;
  std::shared_ptr<const FileTable> files_;
  std::vector<bool> is_main_;  // by the places of files, as all that are called `file`
  std::vector<Definition> definitions_;
  std::unordered_map<store::SymbolId, std::uint32_t> by_symbol_;
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> by_file_;  // in source order
  std::unordered_map<std::string, NamedAlike, TextHash, std::equal_to<>> names_;
  std::map<std::uint32_t, std::vector<const std::string*>> holds_;  // files to names in them
  std::set<std::string> prefixes_, suffixes_;
  UnusedCode found_;
};

}  // namespace

std::string_view unused_certainty_name(UnusedCertainty certainty) {
  constexpr std::array<std::string_view, 3> kNames = {"possible", "likely", "certain"};
  return kNames[static_cast<std::size_t>(certainty)];
}

Result<UnusedCode> find_unused_code(FactsCache& cache, store::CodeReader& reader,
                                    std::chrono::steady_clock::time_point deadline,
                                    const std::stop_token& stop) {
  return UnusedSearch(cache, reader, deadline, stop).run();
}

}  // namespace codexmem::graph
