// Where a change can leave something behind: imports of the changed files, and of all files when a
// file is gone; imported names of the changed files; and, in every file that has the identifier,
// what a definition that is gone was called. Each is resolved in the state after the change; an
// empty answer of the resolver is knowledge (graph/resolver.h).
//
// Tested by graph/broken_uses_test.cpp and, case by case, git/check_test.py.
#include "graph/broken_uses.h"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "graph/facts_cache_impl.h"
#include "graph/global_names.h"
#include "graph/resolver.h"
#include "graph/source_texts.h"

namespace codexmem::graph {
namespace {

using parse::kNoIndex;
using parse::ReceiverKind;
using parse::Role;

// With more occurrences than this of names that are gone, a look at all of them takes seconds.
constexpr std::size_t kMaxOccurrences = 200'000;

// True if a file may say more than what was understood of it.
bool is_half_read(const FileModel& file) {
  return file.facts.truncated || !file.facts.unparsed.empty();
}

// True for an import that can only be of a file: "./x", "@/x", "#x", "..pkg".
bool names_a_file(const FileModel& file, std::string_view path) {
  return file.family == Family::kPython || path.starts_with('.') || path.starts_with("@/") ||
         path.starts_with('#') || path.starts_with('~');
}

// A state of the files, with what a question of it needs.
class State {
 public:
  State(FactsCache& cache, store::CodeReader& reader)
      : cache_(cache.impl()), reader_(reader), texts_(reader) {}

  Result<void> open() {
    CODEXMEM_ASSIGN(auto moment, store::Transaction::begin_read(reader_.database()));
    moment_.emplace(std::move(moment));
    CODEXMEM_ASSIGN(auto files, cache_.files(reader_));
    files_ = std::move(files);
    resolver_.emplace(cache_, reader_, files_);
    return {};
  }

  const FileTable& files() const { return *files_; }
  Resolver& resolver() { return *resolver_; }
  store::CodeReader& reader() { return reader_; }

  const FileModel* model(std::string_view path) {
    const store::FileRow* row = files_->find(path);
    return row == nullptr ? nullptr : resolver_->model(row->id);
  }

  // What module import `import` of `file` leads to, if that is a file whose names are known.
  const FileModel* module(const FileModel& file, std::uint32_t import) {
    const parse::Import& statement = file.facts.imports[import];
    for (const store::DependencyRow& row : resolver_->dependencies(file.id)) {
      if (row.import_index != import || row.is_external || !row.target) continue;
      if (file.family == Family::kPython && statement.from_import &&
          row.package != statement.path) {
        continue;  // a submodule that one of the names means
      }
      return resolver_->model(*row.target);
    }
    return nullptr;
  }

  // True if name `name` of import `import` is known to be none of the module's.
  bool lacks(const FileModel& file, std::uint32_t import, std::uint32_t name) {
    const parse::Import& statement = file.facts.imports[import];
    const std::string& wanted = file.name(statement.names[name].imported);
    if (wanted == "*" || wanted.empty()) return false;
    const FileModel* target = module(file, import);
    if (target == nullptr || target == &file || hides_names(*target) ||
        sets_global(*target, wanted)) {
      return false;
    }
    if (!resolver_->exported(*target, wanted).empty()) return false;
    if (file.family == Family::kPython) {
      for (const store::DependencyRow& row : resolver_->dependencies(file.id)) {
        if (row.import_index == import && row.target && row.package != statement.path) {
          std::string joined = statement.path;
          if (!joined.ends_with('.')) joined += '.';
          if (row.package == joined + wanted) return false;
        }
      }
      return true;
    }
    if (target->facts.exports.empty()) return false;  // a script, or exports of an unknown make
    const bool is_commonjs = std::ranges::any_of(target->facts.exports, &parse::Export::commonjs);
    if (!is_commonjs) return true;
    if (wanted == "default") return false;
    return resolver_->members(resolver_->resolve_import(file, import, kNoIndex), wanted).empty();
  }

  // True if a module may have names that are not seen, its own or those of a star import.
  bool hides_names(const FileModel& file) {
    if (const auto known = hides_.find(&file); known != hides_.end()) return known->second;
    std::vector<const FileModel*> modules = {&file};
    std::unordered_set<const FileModel*> seen = {&file};
    bool hides = false;
    for (std::size_t i = 0; i < modules.size() && !hides; ++i) {
      hides = hides_own_names(*modules[i]);
      if (hides || modules[i]->family != Family::kPython) continue;
      for (const std::uint32_t import : modules[i]->star_imports()) {
        const FileModel* target = module(*modules[i], import);
        hides = hides || target == nullptr;
        if (target != nullptr && seen.insert(target).second) modules.push_back(target);
      }
    }
    hides_.emplace(&file, hides);
    return hides;
  }

  // True if what stands before the dot may have a member `name` that no declaration shows.
  bool may_have(const Entity& receiver, const std::string& name) {
    if (receiver.file == nullptr) return false;
    if (is_half_read(*receiver.file)) return true;
    if (receiver.kind == EntityKind::kModule) {
      return hides_names(*receiver.file) || sets_global(*receiver.file, name);
    }
    if (receiver.kind != EntityKind::kSymbol && receiver.kind != EntityKind::kInstance &&
        receiver.kind != EntityKind::kSelf) {
      return false;
    }
    Entities types = {receiver};
    for (std::size_t i = 0; i < types.size(); ++i) {
      const FileModel* file = types[i].file;
      if (file == nullptr || types[i].index >= file->facts.symbols.size()) continue;
      if (is_half_read(*file) || is_open_class(*file, types[i].index)) return true;
      for (const Entity& super : resolver_->supertypes(*file, types[i].index)) {
        if (super.kind != EntityKind::kSymbol && super.kind != EntityKind::kInstance) continue;
        if (std::ranges::none_of(types, [&](const Entity& known) {
              return known.file == super.file && known.index == super.index;
            })) {
          types.push_back(super);
        }
      }
    }
    return false;
  }

  // True if no scope binds the bare name of an occurrence, nor anything else that is known.
  bool is_unbound(const FileModel& file, std::uint32_t index) {
    const parse::Occurrence& at = file.facts.occurrences[index];
    if (file.is_script() || hides_names(file)) return false;
    if (is_global_name(file.language, file.name(at.name))) return false;
    for (std::uint32_t scope = file.scope_at(at.offset); scope != kNoIndex;
         scope = file.facts.scopes[scope].parent) {
      if (!file.bindings_in(scope, at.name).empty()) return false;
    }
    const Entities& meant = resolver_->resolve(file, index);
    return std::ranges::all_of(
        meant, [](const Entity& entity) { return entity.kind == EntityKind::kUnknown; });
  }

 private:
  static bool hides_own_names(const FileModel& file) {
    if (is_half_read(file)) return true;
    if (file.family != Family::kPython) return false;
    return std::ranges::any_of(
        std::initializer_list<std::string_view>{"__getattr__", "globals", "__path__", "modules"},
        [&](std::string_view name) { return file.find_name(name).has_value(); });
  }

  // The text of a file; empty if it cannot be read.
  std::string_view text_of(const FileModel& file) {
    const auto text = texts_.get(file.id);
    return text.ok() ? std::string_view((*text)->content) : std::string_view();
  }

  // True if a function of a Python module may bind `name` in the module: `global name`.
  bool sets_global(const FileModel& file, const std::string& name) {
    if (file.family != Family::kPython || !file.find_name(name)) return false;
    const std::string_view text = text_of(file);
    for (std::size_t at = text.find("global "); at != text.npos;
         at = text.find("global ", at + 1)) {
      if (text.substr(at, text.find('\n', at) - at).find(name) != text.npos) return true;
    }
    return false;
  }

  // True for a class that gets members from elsewhere: of a decorator, by an index signature, or
  // copied to its prototype, by a name that is computed perhaps.
  bool is_open_class(const FileModel& file, std::uint32_t symbol) {
    const parse::Symbol& type = file.facts.symbols[symbol];
    const std::string_view text = text_of(file);
    if (type.range.begin > type.range.end || type.range.end > text.size()) return true;
    std::string_view code = text.substr(type.range.begin, type.range.end - type.range.begin);
    if (file.family == Family::kPython) {
      while (code.starts_with('@')) {
        const std::string_view line = code.substr(0, code.find('\n'));
        const bool keeps = line.find("dataclass") != line.npos || line.starts_with("@final") ||
                           line.find("total_ordering") != line.npos ||
                           line.find("runtime_checkable") != line.npos;
        if (!keeps) return true;
        const std::size_t next = code.find_first_not_of(" \t\r\n", line.size());
        code.remove_prefix(std::min(next, code.size()));
      }
      return false;
    }
    for (std::size_t at = code.find('['); at != code.npos; at = code.find('[', at + 1)) {
      std::size_t end = code.find_first_not_of(" \t\r\n", at + 1);
      const std::size_t begin = end;
      while (end < code.size() && is_identifier_byte(code[end])) ++end;
      if (end == begin || end >= code.size()) continue;
      end = code.find_first_not_of(" \t\r\n", end);
      if (end != code.npos && code[end] == ':') return true;
    }
    if (!file.find_name("prototype")) return false;
    if (text.find("prototype[") != text.npos) return true;
    return std::ranges::any_of(
        std::initializer_list<std::string_view>{"assign", "defineProperty", "defineProperties"},
        [&](std::string_view name) { return file.find_name(name).has_value(); });
  }

  static bool is_identifier_byte(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || static_cast<unsigned char>(c) >= 0x80;
  }

  FactsCache::Impl& cache_;
  store::CodeReader& reader_;
  std::optional<store::Transaction> moment_;
  std::shared_ptr<const FileTable> files_;
  std::optional<Resolver> resolver_;
  SourceTexts texts_;
  std::unordered_map<const FileModel*, bool> hides_;  // what hides_names() has answered
};

bool is_use(const FileModel& file, std::uint32_t index) {
  const parse::Occurrence& at = file.facts.occurrences[index];
  if (at.role == Role::kDefinition || at.role == Role::kImport) return false;
  if (at.receiver_kind == ReceiverKind::kKey || at.receiver_kind == ReceiverKind::kOther) {
    return false;
  }
  // What a re-export names is looked for in the other module, with the imports.
  if (const std::uint32_t entry = file.export_at(at.offset);
      entry != kNoIndex && file.facts.exports[entry].import != kNoIndex) {
    return false;
  }
  // x.a = 1 makes an a.
  if (at.role == Role::kWrite && at.receiver_kind != ReceiverKind::kNone) return false;
  return !file.is_documentation(at.offset) && file.symbol_named_at(at.offset) == kNoIndex;
}

bool is_member_use(const parse::Occurrence& occurrence) {
  return occurrence.receiver_kind != ReceiverKind::kNone;
}

class SuspectSearch {
 public:
  SuspectSearch(FactsCache& cache, store::CodeReader& after, const ChangeScope& scope,
                std::stop_token stop)
      : state_(cache, after), scope_(scope), texts_(after), stop_(std::move(stop)) {}

  Result<std::vector<BrokenUse>> run(bool& is_complete) {
    CODEXMEM_TRY(state_.open());
    CODEXMEM_TRY(search_imports());
    CODEXMEM_TRY(search_names());
    CODEXMEM_TRY(state_.resolver().status());
    is_complete = is_complete_;
    const auto place = [](const BrokenUse& use) {
      return std::tie(use.path, use.position.line, use.position.column, use.kind, use.name);
    };
    std::ranges::sort(found_,
                      [&](const BrokenUse& a, const BrokenUse& b) { return place(a) < place(b); });
    const auto same =
        std::unique(found_.begin(), found_.end(),
                    [&](const BrokenUse& a, const BrokenUse& b) { return place(a) == place(b); });
    found_.erase(same, found_.end());
    return std::move(found_);
  }

 private:
  Result<void> search_imports() {
    std::vector<store::DependencyRow> rows;
    if (!scope_.deleted.empty()) {
      CODEXMEM_ASSIGN(rows, state_.reader().list_all_dependencies());
    } else {
      for (const std::string& path : scope_.changed) {
        const store::FileRow* file = state_.files().find(path);
        if (file == nullptr) continue;
        CODEXMEM_ASSIGN(auto more, state_.reader().list_dependencies(file->id));
        rows.insert(rows.end(), more.begin(), more.end());
      }
    }
    for (const store::DependencyRow& row : rows) {
      if (row.target || row.import_type == store::kDocumentedImport) continue;
      const store::FileRow* file = state_.files().find(row.source);
      if (file == nullptr) continue;
      const bool is_changed = scope_.changed.contains(file->path);
      if (row.is_external || !is_changed) {
        // It may have led to a file that is gone, and to no other.
        if (!names_deleted(row.import_path)) continue;
      }
      const FileModel* model = state_.resolver().model(file->id);
      if (model == nullptr || row.import_index >= model->facts.imports.size()) continue;
      const parse::Import& import = model->facts.imports[row.import_index];
      BrokenUse use;
      use.kind = BrokenUse::Kind::kImport;
      use.name = row.import_path;
      // What has the name of a package may be one: it counts if it was found before.
      use.is_conditional =
          import.conditional || row.is_external || !names_a_file(*model, row.import_path);
      CODEXMEM_TRY(add(*model, import.range.begin, std::move(use)));
    }
    return {};
  }

  // True if the last part of an import's path is part of the path of a file that is gone.
  bool names_deleted(std::string_view import_path) const {
    while (!import_path.empty() && (import_path.back() == '.' || import_path.back() == '/')) {
      import_path.remove_suffix(1);
    }
    const std::size_t cut = import_path.find_last_of("./", import_path.size() - 1);
    std::string_view last = import_path;
    // "./a.b.js" and "a.b": the last part of the one is a.b.js, of the other b.
    const std::size_t slash = import_path.rfind('/');
    if (slash != import_path.npos) {
      last = import_path.substr(slash + 1);
      last = last.substr(0, last.find('.'));
    } else if (cut != import_path.npos) {
      last = import_path.substr(cut + 1);
    }
    if (last.empty()) return !scope_.deleted.empty();
    return std::ranges::any_of(
        scope_.deleted, [&](const std::string& path) { return path.find(last) != path.npos; });
  }

  Result<void> search_names() {
    // Imports of the changed files.
    for (const std::string& path : scope_.changed) {
      if (stop_.stop_requested()) return Error{ErrorCode::kCancelled, "the check was cancelled"};
      const FileModel* file = state_.model(path);
      if (file == nullptr || !resolves_names(file->family)) continue;
      for (std::uint32_t i = 0; i < file->facts.imports.size(); ++i) {
        CODEXMEM_TRY(search_import(*file, i, std::nullopt));
      }
    }
    std::map<std::string, std::set<Family>> names;
    for (const GoneSymbol& gone : scope_.gone) names[gone.name];
    std::size_t occurrences = 0;
    for (const auto& [name, families] : names) {
      if (stop_.stop_requested()) return Error{ErrorCode::kCancelled, "the check was cancelled"};
      CODEXMEM_ASSIGN(const auto holders, state_.reader().list_files_with_identifier(name));
      for (const store::FileId id : holders) {
        const store::FileRow* row = state_.files().find(id);
        if (row == nullptr || !resolves_names(family_of(row->language))) continue;
        const FileModel* file = state_.resolver().model(id);
        const auto name_id = file == nullptr ? std::nullopt : file->find_name(name);
        if (!name_id) continue;
        for (std::uint32_t i = 0; i < file->facts.imports.size(); ++i) {
          CODEXMEM_TRY(search_import(*file, i, *name_id));
        }
        for (const std::uint32_t occurrence : file->occurrences_of(*name_id)) {
          if (++occurrences > kMaxOccurrences) {
            is_complete_ = false;
            return {};
          }
          CODEXMEM_TRY(search_use(*file, occurrence));
        }
      }
    }
    return {};
  }

  Result<void> search_import(const FileModel& file, std::uint32_t index,
                             std::optional<parse::NameId> name) {
    const parse::Import& import = file.facts.imports[index];
    if (import.kind == parse::ImportKind::kDocumented) return {};
    for (std::uint32_t n = 0; n < import.names.size(); ++n) {
      if (name && import.names[n].imported != *name) continue;
      if (!state_.lacks(file, index, n)) continue;
      BrokenUse use;
      use.kind = BrokenUse::Kind::kName;
      use.name = file.name(import.names[n].imported);
      use.module = import.path;
      use.target = state_.module(file, index)->path;
      use.is_conditional = import.conditional;
      CODEXMEM_TRY(add(file, import.names[n].offset, std::move(use)));
    }
    return {};
  }

  Result<void> search_use(const FileModel& file, std::uint32_t index) {
    if (!is_use(file, index)) return {};
    const parse::Occurrence& at = file.facts.occurrences[index];
    const bool is_member = is_member_use(at);
    if (is_member ? !state_.resolver().resolve(file, index).empty()
                  : !state_.is_unbound(file, index)) {
      return {};
    }
    if (is_member) {
      for (const Entity& receiver : state_.resolver().receivers(file, index)) {
        if (state_.may_have(receiver, file.name(at.name))) return {};
      }
    }
    BrokenUse use;
    use.kind = BrokenUse::Kind::kUse;
    use.name = file.name(at.name);
    use.is_member = is_member;
    return add(file, at.offset, std::move(use));
  }

  Result<void> add(const FileModel& file, std::uint32_t offset, BrokenUse use) {
    CODEXMEM_ASSIGN(const auto* text, texts_.get(file.id));
    use.path = file.path;
    use.position = text->lines.position_of(offset);
    use.context = quoted_line(text->lines, use.position.line);
    found_.push_back(std::move(use));
    return {};
  }

  State state_;
  const ChangeScope& scope_;
  SourceTexts texts_;
  std::stop_token stop_;
  std::vector<BrokenUse> found_;
  bool is_complete_ = true;
};

class BeforeFilter {
 public:
  BeforeFilter(FactsCache& cache, store::CodeReader& before, const ChangeScope& scope)
      : state_(cache, before) {
    for (const GoneSymbol& gone : scope.gone) gone_.emplace(gone.path, gone.qualified_name);
  }

  Result<std::vector<BrokenUse>> run(std::vector<BrokenUse> suspects, const std::stop_token& stop) {
    CODEXMEM_TRY(state_.open());
    std::vector<BrokenUse> kept;
    for (BrokenUse& use : suspects) {
      if (stop.stop_requested()) return Error{ErrorCode::kCancelled, "the check was cancelled"};
      const FileModel* file = state_.model(use.path);
      if (is_news(file, use)) kept.push_back(std::move(use));
    }
    CODEXMEM_TRY(state_.resolver().status());
    return kept;
  }

 private:
  // True unless what `use` says was so before.
  bool is_news(const FileModel* file, BrokenUse& use) {
    switch (use.kind) {
      case BrokenUse::Kind::kImport:
        return is_new_import(file, use);
      case BrokenUse::Kind::kName:
        return is_new_name(file, use);
      case BrokenUse::Kind::kUse:
        return file != nullptr && meant_gone(*file, use);
    }
    return false;
  }

  // An import that was resolved before or, if it is no attempt, one that was not there.
  bool is_new_import(const FileModel* file, const BrokenUse& use) {
    bool was_there = false, was_found = false;
    if (file != nullptr) {
      for (const store::DependencyRow& row : state_.resolver().dependencies(file->id)) {
        if (row.import_path != use.name) continue;
        was_there = true;
        was_found = was_found || row.target;
      }
    }
    return was_there ? was_found : !use.is_conditional;
  }

  bool is_new_name(const FileModel* file, const BrokenUse& use) {
    bool was_there = false, was_found = false;
    if (file != nullptr) {
      for (std::uint32_t i = 0; i < file->facts.imports.size(); ++i) {
        const parse::Import& import = file->facts.imports[i];
        if (import.path != use.module) continue;
        for (std::uint32_t n = 0; n < import.names.size(); ++n) {
          if (file->name(import.names[n].imported) != use.name) continue;
          was_there = true;
          was_found = was_found || !state_.lacks(*file, i, n);
        }
      }
    }
    return was_there ? was_found : !use.is_conditional;
  }

  // True if the file used something that is gone by that name, in the same way.
  bool meant_gone(const FileModel& file, BrokenUse& use) {
    const auto name = file.find_name(use.name);
    if (!name) return false;
    for (const std::uint32_t index : file.occurrences_of(*name)) {
      const parse::Occurrence& at = file.facts.occurrences[index];
      if (!is_use(file, index) || is_member_use(at) != use.is_member) continue;
      for (const Entity& entity : Entities(state_.resolver().resolve(file, index))) {
        if (entity.kind != EntityKind::kSymbol) continue;
        if (!gone_.contains({entity.file->path, entity.file->qualified_name(entity.index)}))
          continue;
        use.target = entity.file->path;
        return true;
      }
    }
    return false;
  }

  State state_;
  std::set<std::pair<std::string, std::string>> gone_;
};

}  // namespace

Result<std::vector<BrokenUse>> find_suspects(FactsCache& cache, store::CodeReader& after,
                                             const ChangeScope& scope, bool& is_complete,
                                             std::stop_token stop) {
  return SuspectSearch(cache, after, scope, std::move(stop)).run(is_complete);
}

Result<std::vector<BrokenUse>> keep_broken(FactsCache& cache, store::CodeReader& before,
                                           const ChangeScope& scope,
                                           std::vector<BrokenUse> suspects, std::stop_token stop) {
  return BeforeFilter(cache, before, scope).run(std::move(suspects), stop);
}

}  // namespace codexmem::graph
