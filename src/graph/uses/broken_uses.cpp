// The places that a change can break: imports of the changed files, and of all files when a file
// was removed; imported names of the changed files; and the names of removed definitions, in every
// file that contains the identifier. Each is resolved in the state after the change; an empty
// answer of the resolver is certain (graph/core/resolver.h).
//
// Tested by graph/broken_uses_test.cpp and, case by case, git/check_test.py.
#include "graph/uses/broken_uses.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/path.h"
#include "graph/unused/name_state.h"

namespace codexmem::graph {
namespace {

using parse::ReceiverKind;
using parse::Role;

// With more occurrences of removed names than this, checking all of them takes seconds.
constexpr std::size_t kMaxOccurrences = 200'000;

bool is_member_use(const parse::Occurrence& occurrence) {
  return occurrence.receiver_kind != ReceiverKind::kNone;
}

class SuspectSearch {
 public:
  SuspectSearch(FactsCache& cache, store::CodeReader& after, const ChangeScope& scope,
                std::stop_token stop)
      : scope_(scope),
        gone_(names_of(scope.gone)),
        state_(cache, after, gone_),
        stop_(std::move(stop)) {}

  Result<Suspects> run() {
    CODEXMEM_TRY(state_.open());
    CODEXMEM_TRY(search_imports());
    CODEXMEM_TRY(search_names());
    CODEXMEM_TRY(search_calls());
    CODEXMEM_TRY(state_.resolver().status());
    sort(found_.broken);
    sort(found_.unchecked);
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
        // Only an import that may have led to a removed file counts.
        if (!names_deleted(row.import_path)) continue;
      }
      const FileModel* model = state_.resolver().model(file->id);
      if (model == nullptr || row.import_index >= model->facts.imports.size()) continue;
      const parse::Import& import = model->facts.imports[row.import_index];
      BrokenUse use;
      use.kind = BrokenUse::Kind::kImport;
      use.name = row.import_path;
      // An import with the name of a package may mean a package: it counts if it was found before.
      use.is_conditional =
          import.conditional || row.is_external || !model->semantics.names_a_file(row.import_path);
      CODEXMEM_ASSIGN(use.unchecked,
                      model->semantics.hidden_module(state_.hidden(), state_.reader(), *model,
                                                     row.import_path));
      if (!use.unchecked.empty() && (use.is_conditional || was_there(file->path, use.name, ""))) {
        continue;
      }
      CODEXMEM_TRY(add(*model, import.range.begin, std::move(use)));
    }
    return {};
  }

  // True if the last part of an import's path is part of the path of a removed file.
  bool names_deleted(std::string_view import_path) const {
    while (!import_path.empty() && (import_path.back() == '.' || import_path.back() == '/')) {
      import_path.remove_suffix(1);
    }
    const std::size_t cut = import_path.find_last_of("./", import_path.size() - 1);
    std::string_view last = import_path;
    // The last part of "./a.b.js" is a.b.js, of "a.b" it is b.
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
    std::set<std::string> names;
    for (const GoneSymbol& gone : scope_.gone) {
      if (!gone.is_handed_on) names.insert(gone.name);
    }
    for (const std::string& name : names) {
      CODEXMEM_ASSIGN(const auto holders, state_.reader().list_files_with_identifier(name));
      for (const store::FileId id : holders) CODEXMEM_TRY(search_file(id, name));
    }
    // A re-exported name was visible to importers of the file.
    for (const GoneSymbol& gone : scope_.gone) {
      const store::FileRow* row = gone.is_handed_on ? state_.files().find(gone.path) : nullptr;
      if (row == nullptr || names.contains(gone.name)) continue;
      CODEXMEM_ASSIGN(const auto dependents, state_.reader().list_dependents(row->id));
      std::set<store::FileId> importers;
      for (const store::DependencyRow& dependent : dependents) {
        const store::FileRow* importer = state_.files().find(dependent.source);
        if (importer != nullptr) importers.insert(importer->id);
      }
      for (const store::FileId id : importers) CODEXMEM_TRY(search_file(id, gone.name));
    }
    // A removed file may be what an import of its folder names: from folder import file.
    for (const std::string& path : scope_.deleted) {
      const std::string name(file_stem(path));
      if (!names.insert(name).second) continue;
      CODEXMEM_ASSIGN(const auto holders, state_.reader().list_files_with_identifier(name));
      for (const store::FileId id : holders) CODEXMEM_TRY(search_file(id, name, false));
    }
    return {};
  }

  // Checks the imports and, with `has_uses`, the uses of a removed name in a file.
  Result<void> search_file(store::FileId id, const std::string& name, bool has_uses = true) {
    if (stop_.stop_requested()) return Error{ErrorCode::kCancelled, "the check was cancelled"};
    const store::FileRow* row = state_.files().find(id);
    if (row == nullptr || !resolves_names(family_of(row->language))) return {};
    const FileModel* file = state_.resolver().model(id);
    const auto name_id = file == nullptr ? std::nullopt : file->find_name(name);
    if (!name_id) return {};
    for (std::uint32_t i = 0; i < file->facts.imports.size(); ++i) {
      CODEXMEM_TRY(search_import(*file, i, *name_id));
    }
    if (!has_uses) return {};
    for (const std::uint32_t occurrence : file->occurrences_of(*name_id)) {
      if (++occurrences_ > kMaxOccurrences) {
        found_.is_complete = false;
        return {};
      }
      CODEXMEM_TRY(search_use(*file, occurrence));
    }
    return {};
  }

  Result<void> search_import(const FileModel& file, std::uint32_t index,
                             std::optional<parse::NameId> name) {
    const parse::Import& import = file.facts.imports[index];
    if (import.kind == parse::ImportKind::kDocumented) return {};
    for (std::uint32_t n = 0; n < import.names.size(); ++n) {
      if (name && import.names[n].imported != *name) continue;
      Verdict verdict = state_.judge_import(file, index, n);
      if (verdict.is_found) continue;
      BrokenUse use;
      use.kind = BrokenUse::Kind::kName;
      use.name = file.name(import.names[n].imported);
      use.module = import.path;
      const FileModel* module = state_.module(file, index);
      use.target = module->path;
      use.is_conditional = import.conditional;
      if (!verdict.hidden.empty()) {
        const bool is_new = scope_.changed.contains(file.path) && !import.conditional &&
                            !was_there(file.path, import.path, use.name);
        if (!is_new && !state_.was_in(*module, use.name)) continue;
        use.unchecked = std::move(verdict.hidden);
      }
      CODEXMEM_TRY(add(file, import.names[n].offset, std::move(use)));
    }
    return {};
  }

  // True if a file that differs imported `name` from `module` before.
  bool was_there(const std::string& path, const std::string& module,
                 const std::string& name) const {
    const auto imports = scope_.imports.find(path);
    return imports != scope_.imports.end() && imports->second.contains({module, name});
  }

  Result<void> search_use(const FileModel& file, std::uint32_t index) {
    if (!is_use(file, index)) return {};
    const parse::Occurrence& at = file.facts.occurrences[index];
    BrokenUse use;
    use.kind = BrokenUse::Kind::kUse;
    use.name = file.name(at.name);
    use.is_member = is_member_use(at);
    Verdict verdict;
    bool was_meant = false;
    if (use.is_member) {
      CODEXMEM_ASSIGN(verdict, state_.judge_member(file, index));
      if (verdict.is_of_unknown) {
        CODEXMEM_ASSIGN(was_meant, was_likely(file, at));
        if (!was_meant) {
          if (is_member_gone(file.family, use.name)) ++found_.possible[use.name];
          return {};
        }
        verdict.hidden = "the type before the dot is not known";
      } else if (!verdict.hidden.empty()) {
        was_meant = std::ranges::any_of(
            state_.resolver().receivers(file, index),
            [&](const Entity& receiver) { return state_.was_in(receiver, use.name); });
      }
    } else {
      verdict = state_.judge_name(file, index);
      was_meant = !verdict.hidden.empty() && state_.was_in(file, use.name);
    }
    if (verdict.is_found || (!verdict.hidden.empty() && !was_meant)) return {};
    use.unchecked = std::move(verdict.hidden);
    return add(file, at.offset, std::move(use));
  }

  // The calls that certainly mean functions of other parameters, and no longer fit.
  Result<void> search_calls() {
    std::map<std::pair<std::string_view, std::string_view>, const ChangedCall*> changed;
    std::map<store::FileId, std::set<std::string>> files;
    for (const ChangedCall& each : scope_.calls) {
      changed.try_emplace({each.path, each.qualified_name}, &each);
      CODEXMEM_ASSIGN(const auto holders, state_.reader().list_files_with_identifier(each.name));
      for (const store::FileId id : holders) files[id].insert(each.name);
    }
    for (const auto& [id, names] : files) {
      if (stop_.stop_requested()) return Error{ErrorCode::kCancelled, "the check was cancelled"};
      const store::FileRow* row = state_.files().find(id);
      if (row == nullptr || !resolves_names(family_of(row->language))) continue;
      const FileModel* file = state_.resolver().model(id);
      if (file == nullptr) continue;
      std::optional<parse::WrittenLists> lists;
      for (const std::string& name : names) {
        const auto known = file->find_name(name);
        for (const std::uint32_t index :
             known ? file->occurrences_of(*known) : std::span<const std::uint32_t>()) {
          const parse::Occurrence& at = file->facts.occurrences[index];
          if (at.role != Role::kCall || !is_use(*file, index)) continue;
          std::vector<const ChangedCall*> meant;
          for (const Entity& entity : Entities(state_.resolver().resolve(*file, index))) {
            const auto found =
                entity.kind != EntityKind::kSymbol
                    ? changed.end()
                    : changed.find({entity.file->path, entity.file->qualified_name(entity.index)});
            meant.push_back(found == changed.end() ? nullptr : found->second);
          }
          if (meant.empty() || std::ranges::count(meant, nullptr) > 0) continue;
          CODEXMEM_ASSIGN(const auto* text, state_.texts().get(id));
          if (!lists) lists.emplace(*parse::find_language(file->language), text->content);
          const auto list = lists->arguments_of(at.offset);
          const auto given = list ? given_arguments(*list, text->content, at.offset, file->language)
                                  : std::nullopt;
          if (given) CODEXMEM_TRY(judge_call(*file, index, *given, meant));
        }
      }
    }
    return {};
  }

  // `meant` are declarations of one function: in C++ only one of them has the defaults.
  Result<void> judge_call(const FileModel& file, std::uint32_t index, const GivenArguments& given,
                          const std::vector<const ChangedCall*>& meant) {
    // Base.f(self, 1): the class is before the dot.
    const bool is_of_class =
        std::ranges::any_of(state_.resolver().receivers(file, index), is_class);
    const auto why = [&](const CallShape& shape) {
      GivenArguments own = given;
      if (shape.has_receiver && is_of_class && own.positional > 0) --own.positional;
      return why_unfit(shape, own);
    };
    const auto fits = [&](const CallShape ChangedCall::*shape) {
      return std::ranges::any_of(
          meant, [&](const ChangedCall* each) { return why(each->*shape).empty(); });
    };
    if (!fits(&ChangedCall::before) || fits(&ChangedCall::after)) return {};
    BrokenUse use;
    use.kind = BrokenUse::Kind::kCall;
    use.name = meant.front()->name;
    use.target = meant.front()->path;
    use.reason = why(meant.front()->after);
    return add(file, file.facts.occurrences[index].offset, std::move(use));
  }

  bool is_member_gone(Family family, const std::string& name) const {
    return std::ranges::any_of(scope_.gone, [&](const GoneSymbol& gone) {
      return gone.name == name && gone.qualified_name.size() > name.size() && gone.family == family;
    });
  }

  // True if a member of a receiver of unknown type was likely a removed one: no other known symbol
  // has the name (the rule of graph/core/usage_search.h for rare names).
  Result<bool> was_likely(const FileModel& file, const parse::Occurrence& at) {
    if (at.receiver_kind == ReceiverKind::kKey) return false;
    const std::string& name = file.name(at.name);
    if (const auto known = likely_.find({file.family, name}); known != likely_.end()) {
      return known->second;
    }
    bool& is_likely = likely_[{file.family, name}];
    if (file.semantics.library().has("members", name) || name.starts_with("__")) return false;
    if (!is_member_gone(file.family, name)) return false;
    CODEXMEM_ASSIGN(const auto symbols, state_.reader().list_symbols_named(name));
    is_likely = std::ranges::none_of(symbols, [&](const store::SymbolRow& symbol) {
      const store::FileRow* owner = state_.files().find(store::file_of(symbol.id));
      return owner != nullptr && family_of(owner->language) == file.family;
    });
    return is_likely;
  }

  Result<void> add(const FileModel& file, std::uint32_t offset, BrokenUse use) {
    CODEXMEM_ASSIGN(const auto* text, state_.texts().get(file.id));
    use.path = file.path;
    use.position = text->lines.position_of(offset);
    use.context = quoted_line(*text, use.position.line);
    (use.unchecked.empty() ? found_.broken : found_.unchecked).push_back(std::move(use));
    return {};
  }

  // By path and position, each once.
  static void sort(std::vector<BrokenUse>& uses) {
    const auto place = [](const BrokenUse& use) {
      return std::tie(use.path, use.position.line, use.position.column, use.kind, use.name);
    };
    std::ranges::sort(uses,
                      [&](const BrokenUse& a, const BrokenUse& b) { return place(a) < place(b); });
    const auto same =
        std::unique(uses.begin(), uses.end(),
                    [&](const BrokenUse& a, const BrokenUse& b) { return place(a) == place(b); });
    uses.erase(same, uses.end());
  }

  const ChangeScope& scope_;
  const GoneNames gone_;
  NameState state_;
  std::stop_token stop_;
  Suspects found_;
  std::size_t occurrences_ = 0;                            // checked so far
  std::map<std::pair<Family, std::string>, bool> likely_;  // answers of was_likely()
};

class BeforeFilter {
 public:
  BeforeFilter(FactsCache& cache, store::CodeReader& before, const ChangeScope& scope)
      : gone_(names_of(scope.gone)), state_(cache, before, gone_) {}

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
  // True unless `use` was broken before.
  bool is_news(const FileModel* file, BrokenUse& use) {
    switch (use.kind) {
      case BrokenUse::Kind::kImport:
        return is_new_import(file, use);
      case BrokenUse::Kind::kName:
        return is_new_name(file, use);
      case BrokenUse::Kind::kUse:
        return file != nullptr && meant_gone(*file, use);
      case BrokenUse::Kind::kCall:
        return true;  // (The search has looked at the parameters before.)
    }
    return false;
  }

  // An import that was resolved before or, if it is not conditional, one that is new.
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
          was_found = was_found || state_.judge_import(*file, i, n).is_found;
        }
      }
    }
    return was_there ? was_found : !use.is_conditional;
  }

  // The places of the use's name on lines that are written as its line is now; all of them where
  // the line is new.
  std::vector<std::uint32_t> places_of(const FileModel& file, const BrokenUse& use) {
    const auto name = file.find_name(use.name);
    if (!name) return {};
    const auto all = file.occurrences_of(*name);
    std::vector<std::uint32_t> places;
    if (const auto text = state_.texts().get(file.id); text.ok()) {
      std::ranges::copy_if(all, std::back_inserter(places), [&](std::uint32_t index) {
        const Position at = (*text)->lines.position_of(file.facts.occurrences[index].offset);
        return quoted_line(**text, at.line) == use.context;
      });
    }
    return places.empty() ? std::vector<std::uint32_t>(all.begin(), all.end()) : places;
  }

  // True if the file used a removed symbol by that name, in the same way.
  bool meant_gone(const FileModel& file, BrokenUse& use) {
    for (const std::uint32_t index : places_of(file, use)) {
      const parse::Occurrence& at = file.facts.occurrences[index];
      if (!is_use(file, index) || is_member_use(at) != use.is_member) continue;
      for (const Entity& entity : Entities(state_.resolver().resolve(file, index))) {
        if (entity.kind != EntityKind::kSymbol) continue;
        if (!is_gone(gone_, *entity.file, entity.index)) continue;
        use.target = entity.file->path;
        return true;
      }
      // A name that a module only re-exported.
      if (!use.is_member) continue;
      for (const Entity& module : state_.resolver().receivers(file, index)) {
        if (module.kind != EntityKind::kModule || !state_.was_in(module, use.name)) continue;
        if (!has_kind(state_.resolver().resolve(file, index), EntityKind::kSymbol)) continue;
        use.target = module.file->path;
        return true;
      }
    }
    return false;
  }

  const GoneNames gone_;
  NameState state_;
};

}  // namespace

Result<Suspects> find_suspects(FactsCache& cache, store::CodeReader& after,
                               const ChangeScope& scope, std::stop_token stop) {
  return SuspectSearch(cache, after, scope, std::move(stop)).run();
}

Result<std::vector<BrokenUse>> keep_broken(FactsCache& cache, store::CodeReader& before,
                                           const ChangeScope& scope,
                                           std::vector<BrokenUse> suspects, std::stop_token stop) {
  return BeforeFilter(cache, before, scope).run(std::move(suspects), stop);
}

}  // namespace codexmem::graph
