// Tested by serve/edit_guard_test.cpp; bench/edit_guard.py replays commits.
#include "graph/uses/edit_breaks.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/path.h"
#include "base/stop_scope.h"
#include "base/text.h"
#include "graph/core/code_text.h"
#include "graph/core/resolver.h"
#include "graph/core/source_texts.h"
#include "graph/core/usage_search.h"
#include "graph/unused/name_state.h"
#include "graph/uses/call_shape.h"
#include "graph/uses/left_overrides.h"

namespace codexmem::graph {
namespace {

using parse::kNoIndex;

// With more definitions gone than this, a look for all their uses takes too long for a hook.
constexpr std::size_t kMaxGone = 200;

// True for what only the function around it can use.
bool is_inside_function(const FileModel& file, std::uint32_t symbol) {
  for (std::uint32_t at = file.facts.symbols[symbol].parent; at != kNoIndex;
       at = file.facts.symbols[at].parent) {
    if (is_callable(file.facts.symbols[at])) return true;
  }
  return false;
}

class EditSearch {
 public:
  EditSearch(FactsCache& cache, store::CodeReader& before, store::CodeReader& after)
      : old_reader_(before),
        reader_(after),
        old_(cache.impl(), before),
        now_(cache.impl(), after),
        old_texts_(before),
        texts_(after) {}

  Result<EditBreaks> run(std::string_view path, EditDepth depth) {
    const store::FileRow* const then = old_.files().find(path);
    const store::FileRow* const now = now_.files().find(path);
    if (then != nullptr && now != nullptr) {
      old_file_ = old_.model(then->id);
      file_ = now_.model(now->id);
    }
    if (old_file_ != nullptr && file_ != nullptr && old_file_->family == file_->family &&
        !file_->facts.truncated) {
      CODEXMEM_ASSIGN(old_text_, old_texts_.get(then->id));
      CODEXMEM_ASSIGN(text_, texts_.get(now->id));
      find_changed();
      find_gone();
      CODEXMEM_TRY(depth == EditDepth::kNames ? count_names() : search());
    }
    CODEXMEM_TRY(old_.status());
    CODEXMEM_TRY(now_.status());
    std::erase_if(found_.breaks, [](const EditBreak& each) {
      return each.broken.empty() && each.possible.empty() && each.naming_files == 0;
    });
    for (EditBreak& each : found_.breaks) {
      sort(each.broken);
      sort(each.possible);
    }
    return std::move(found_);
  }

 private:
  static void sort(std::vector<BrokenPlace>& places) {
    std::ranges::sort(places);
    places.erase(std::unique(places.begin(), places.end()), places.end());
  }

  Result<void> search() {
    CODEXMEM_TRY(search_gone());
    CODEXMEM_TRY(search_overrides());
    CODEXMEM_TRY(search_own_text());
    CODEXMEM_TRY(search_calls());
    fold_members();
    return {};
  }

  Result<void> count_names() {
    found_.is_complete = false;
    for (std::size_t i = 0; i < targets_.size(); ++i) {
      const parse::Symbol& symbol = old_file_->facts.symbols[targets_[i].symbol];
      const std::string& name = symbol.name;
      const bool is_chance = !says_much(name) && !is_type_like(symbol);
      if (is_chance || !is_only_one(*file_, name, 0)) continue;
      CODEXMEM_ASSIGN(auto files, reader_.list_files_with_identifier(name));
      std::erase(files, file_->id);
      found_.breaks[break_of_[i]].naming_files = files.size();
    }
    return {};
  }

  // A file that uses a removed type needs no mention of its members.
  void fold_members() {
    std::map<std::string_view, std::set<std::string_view>>
        files;  // by the name of a removed definition
    for (const EditBreak& each : found_.breaks) {
      if (!each.unfit.empty()) continue;
      for (const auto* places : {&each.broken, &each.possible}) {
        for (const BrokenPlace& place : *places) files[each.name].insert(place.path);
      }
    }
    for (EditBreak& each : found_.breaks) {
      const auto owner = files.find(std::string_view(each.name).substr(0, each.name.rfind('.')));
      if (!each.unfit.empty() || owner == files.end() || owner->first == each.name) continue;
      for (auto* places : {&each.broken, &each.possible}) {
        std::erase_if(*places,
                      [&](const BrokenPlace& place) { return owner->second.contains(place.path); });
      }
    }
  }

  void find_changed() {
    const auto texts_of = [](const FileModel& file, const SourceTexts::Text& text) {
      std::map<std::string, std::string> texts;
      for (std::uint32_t i = 0; i < file.facts.symbols.size(); ++i) {
        const parse::Symbol& symbol = file.facts.symbols[i];
        if (is_inside_function(file, i) || !(is_callable(symbol) || is_type_like(symbol))) continue;
        texts[file.qualified_name(i)] += text_at(text.content, symbol.range);
      }
      return texts;
    };
    const auto then = texts_of(*old_file_, *old_text_);
    std::set<std::string> changed;
    for (const auto& [name, text] : texts_of(*file_, *text_)) {
      const auto old = then.find(name);
      if (old != then.end() && old->second != text) changed.insert(name);
    }
    for (const std::string& name : changed) {
      const auto inner = changed.lower_bound(name + ".");
      if (inner == changed.end() || !inner->starts_with(name + ".")) {
        found_.changed.push_back(name);
      }
    }
  }

  // Finds the definitions that are removed, or that other files can no longer name.
  void find_gone() {
    std::map<std::string, bool> names;  // after the edit; true: exported
    for (std::uint32_t i = 0; i < file_->facts.symbols.size(); ++i) {
      bool& is_exported = names[file_->qualified_name(i)];
      is_exported = is_exported || file_->facts.symbols[i].exported;
    }
    const bool is_damaged = !file_->facts.unparsed.empty() && old_file_->facts.unparsed.empty();
    std::map<std::string, std::size_t> known;  // by name, in found_.breaks
    for (std::uint32_t i = 0; i < old_file_->facts.symbols.size(); ++i) {
      const parse::Symbol& symbol = old_file_->facts.symbols[i];
      if (symbol.name_range.empty() || is_inside_function(*old_file_, i)) continue;
      std::string name = old_file_->qualified_name(i);
      const auto now = names.find(name);
      if (now != names.end() && (now->second || !symbol.exported)) continue;
      // It may be in the part that was not understood.
      if (is_damaged && file_->find_name(symbol.name)) continue;
      if (targets_.size() == kMaxGone) {
        found_.is_complete = false;
        return;
      }
      const auto [at, is_new] = known.try_emplace(name, found_.breaks.size());
      if (is_new) {
        found_.breaks.push_back({.name = std::move(name),
                                 .new_name = now == names.end() ? find_new_name(i) : "",
                                 .unfit = {},
                                 .broken = {},
                                 .possible = {},
                                 .naming_files = 0});
      }
      targets_.push_back({old_file_, i});
      break_of_.push_back(at->second);
    }
  }

  // If one definition of its kind and place is gone and one is new, it was probably renamed.
  std::string find_new_name(std::uint32_t symbol) const {
    const auto lone = [&](const FileModel& file, const FileModel& other) {
      std::set<std::string> names, others;
      for (const auto& [each, into] : {std::pair(&file, &names), std::pair(&other, &others)}) {
        for (std::uint32_t i = 0; i < each->facts.symbols.size(); ++i) {
          if (place_of(*each, i) == place_of(*old_file_, symbol)) {
            into->insert(each->facts.symbols[i].name);
          }
        }
      }
      for (const std::string& name : others) names.erase(name);
      return names.size() == 1 ? *names.begin() : std::string();
    };
    return lone(*old_file_, *file_).empty() ? std::string() : lone(*file_, *old_file_);
  }

  static std::string place_of(const FileModel& file, std::uint32_t symbol) {
    const std::uint32_t owner = file.owner_of(symbol);
    return file.facts.symbols[symbol].kind + " " +
           (owner == kNoIndex ? std::string() : file.qualified_name(owner));
  }

  // The uses of removed definitions in other files.
  Result<void> search_gone() {
    if (targets_.empty()) return {};
    UsageSearch search(old_, old_reader_, targets_);
    CODEXMEM_ASSIGN(const std::vector<Usage> usages, search.run());
    for (const Usage& usage : usages) {
      CODEXMEM_TRY(go_on());
      const parse::Occurrence& at = usage.file->facts.occurrences[usage.occurrence];
      const std::string& name = usage.file->name(at.name);
      if (usage.confidence == Confidence::kName || usage.file->is_documentation(at.offset)) {
        continue;
      }
      EditBreak& broken = found_.breaks[break_of_[usage.target]];
      if (usage.file == old_file_) {
        if (usage.confidence == Confidence::kResolved) {
          own_uses_[{name, at.receiver_kind != parse::ReceiverKind::kNone}] =
              break_of_[usage.target];
        }
        continue;
      }
      const store::FileRow* const row = now_.files().find(usage.file->path);
      const FileModel* const file = row == nullptr ? nullptr : now_.model(row->id);
      if (file == nullptr || usage.occurrence >= file->facts.occurrences.size()) continue;
      const Meaning meaning = meaning_of(*file, usage.occurrence);
      if (meaning == Meaning::kKnown) continue;
      Confidence confidence = usage.confidence;
      if (meaning == Meaning::kForeign) {
        // From a package now, or from a base outside that may always have had it.
        if (file_->find_name(name)) continue;
        confidence = Confidence::kPossible;
      }
      const bool is_only =
          at.role == parse::Role::kType ? is_only_type(*file, name) : is_only_one(*file, name, 0);
      if (confidence < Confidence::kResolved && !is_only) continue;
      const bool was_sure = usage.confidence > Confidence::kPossible && says_much(name);
      if (confidence == Confidence::kPossible && !was_sure &&
          !is_credible(*file, at, targets_[usage.target])) {
        continue;
      }
      CODEXMEM_TRY(add(*file, at.offset,
                       confidence == Confidence::kPossible ? broken.possible : broken.broken));
    }
    return {};
  }

  // Members of types above and below that removed ones overrode, or were overridden by.
  Result<void> search_overrides() {
    for (std::size_t i = 0; i < targets_.size(); ++i) {
      CODEXMEM_TRY(go_on());
      CODEXMEM_ASSIGN(const auto left,
                      list_left_overrides(old_, now_, texts_, targets_[i], *file_));
      EditBreak& broken = found_.breaks[break_of_[i]];
      for (const LeftOverride& each : left) {
        if (!each.is_certain && !says_much(symbol_of(each.member).name)) continue;
        CODEXMEM_TRY(add(*each.member.file, symbol_of(each.member).name_range.begin,
                         each.is_certain ? broken.broken : broken.possible));
      }
    }
    return {};
  }

  // Their uses that the new text of the file still has.
  Result<void> search_own_text() {
    for (const auto& [use, at] : own_uses_) {
      const auto& [name, is_member] = use;
      const auto known = file_->find_name(name);
      if (!known) continue;
      for (const std::uint32_t index : file_->occurrences_of(*known)) {
        const parse::Occurrence& occurrence = file_->facts.occurrences[index];
        const bool has_receiver = occurrence.receiver_kind != parse::ReceiverKind::kNone;
        if (!is_use(*file_, index) || has_receiver != is_member) continue;
        if (meaning_of(*file_, index) != Meaning::kNone) continue;
        // The class may get the member from elsewhere now.
        const bool may_be_another =
            !checks_uses(file_->family) || (is_member && !now_.resolve(*file_, index).empty());
        if (may_be_another && !is_only_one(*file_, name, 0)) continue;
        CODEXMEM_TRY(add(*file_, occurrence.offset, found_.breaks[at].broken));
      }
    }
    return {};
  }

  enum class Meaning : std::uint8_t { kNone, kForeign, kKnown };

  // What an occurrence means in the state after the edit.
  Meaning meaning_of(const FileModel& file, std::uint32_t index) {
    const bool absent_is_external = file.semantics.traits().absent_names_are_external;
    const bool names_type = file.facts.occurrences[index].role == parse::Role::kType;
    Meaning meaning = Meaning::kNone;
    for (const Entity& entity : now_.resolve(file, index)) {
      // (Rust's Type::f is a Type as far as is known.)
      if (is_instance(entity)) continue;
      if (names_type && entity.kind == EntityKind::kSymbol &&
          entity.file->is_member(entity.index) && !is_type_like(symbol_of(entity))) {
        continue;
      }
      if (is_known(entity)) return Meaning::kKnown;
      if (is_of_library(entity) || (entity.kind == EntityKind::kExternal && !absent_is_external)) {
        meaning = Meaning::kForeign;
      }
    }
    return meaning;
  }

  // True for a possible use that is worth a mention: of a name of several words that has a receiver
  // or is imported, or in a file of the edited one's folder or that imports it. (Other objects may
  // have a field of any name.) A member is not named alone where `self` has to be written, and is
  // not imported; as a key, or by a common name, it also takes its type's name.
  bool is_credible(const FileModel& file, const parse::Occurrence& at, const UsageTarget& target) {
    const parse::Symbol& symbol = target.file->facts.symbols[target.symbol];
    const bool is_member = target.file->is_member(target.symbol);
    const bool has_receiver = at.receiver_kind != parse::ReceiverKind::kNone;
    const bool needs_receiver = is_one_of(
        file.language, {"go", "javascript", "php", "python", "rust", "tsx", "typescript"});
    if (is_member && !has_receiver && needs_receiver) return false;
    if (is_member && is_callable(symbol) && at.role == parse::Role::kImport) return false;
    const bool is_plain = says_much(symbol.name) && at.receiver_kind != parse::ReceiverKind::kKey;
    if (is_member && !is_plain && !names_owner(file, target)) return false;
    // (A bare name of Ruby is a local variable, which is known, or a method.)
    const bool may_call = has_receiver || imports_name(file, at.name) || file.language == "ruby";
    if (says_much(symbol.name) && may_call) return true;
    return !is_field(symbol) &&
           (folder_of(file.path) == folder_of(file_->path) || imports_edited(file));
  }

  static bool names_owner(const FileModel& file, const UsageTarget& target) {
    const std::uint32_t owner = target.file->owner_of(target.symbol);
    return owner != kNoIndex && file.find_name(target.file->facts.symbols[owner].name);
  }

  static bool imports_name(const FileModel& file, parse::NameId name) {
    return std::ranges::any_of(file.facts.imports, [&](const parse::Import& import) {
      return std::ranges::any_of(
          import.names, [&](const parse::ImportedName& each) { return each.imported == name; });
    });
  }

  static bool is_field(const parse::Symbol& symbol) {
    return symbol.type == SymbolType::kProperty || symbol.type == SymbolType::kVariable;
  }

  // True if `file` imports the edited file, or another one of its folder: its package.
  bool imports_edited(const FileModel& file) {
    return std::ranges::any_of(now_.dependencies(file.id), [&](const store::DependencyRow& row) {
      const store::FileRow* const target = row.target ? now_.files().find(*row.target) : nullptr;
      return target != nullptr && folder_of(target->path) == folder_of(file_->path);
    });
  }

  // True if at most `expected` definitions of the language are called `name` after the edit, and
  // its library has no member of that name.
  bool is_only_one(const FileModel& file, const std::string& name, std::size_t expected) {
    return !file.semantics.library().has("members", name) &&
           now_.symbol_rows(file.family, name).size() <= expected;
  }

  // True if no type of the language is called `name` after the edit.
  bool is_only_type(const FileModel& file, const std::string& name) {
    return std::ranges::none_of(now_.symbol_rows(file.family, name),
                                [](const store::SymbolRow& row) { return is_type(row.type); });
  }

  // The calls that fitted the parameters before the edit, and do not now.
  Result<void> search_calls() {
    CODEXMEM_ASSIGN(const auto then, shapes_of(old_reader_, *old_file_, *old_text_));
    CODEXMEM_ASSIGN(const auto now, shapes_of(reader_, *file_, *text_));
    std::vector<UsageTarget> targets;
    for (std::uint32_t i = 0; i < file_->facts.symbols.size(); ++i) {
      const std::string name = file_->qualified_name(i);
      const auto before = then.find(name), after = now.find(name);
      if (before == then.end() || after == now.end() || before->second == after->second) continue;
      if (is_callable(file_->facts.symbols[i])) targets.push_back({file_, i});
    }
    if (targets.empty()) return {};
    UsageSearch search(now_, reader_, targets);
    CODEXMEM_ASSIGN(const std::vector<Usage> usages, search.run());
    std::map<std::string, std::size_t> known;
    std::map<const FileModel*, parse::WrittenLists> lists;
    for (const Usage& usage : usages) {
      CODEXMEM_TRY(go_on());
      const parse::Occurrence& at = usage.file->facts.occurrences[usage.occurrence];
      if (usage.confidence == Confidence::kName || !is_use(*usage.file, usage.occurrence)) continue;
      const UsageTarget& target = targets[usage.target];
      const std::string name = target.file->qualified_name(target.symbol);
      if (usage.confidence == Confidence::kPossible &&
          (!is_credible(*usage.file, at, target) ||
           !is_only_one(*usage.file, target.file->facts.symbols[target.symbol].name,
                        targets.size()))) {
        continue;
      }
      CODEXMEM_ASSIGN(const auto* text, texts_.get(usage.file->id));
      auto own = lists.find(usage.file);
      if (own == lists.end()) {
        const parse::Language* const language = parse::find_language(usage.file->language);
        if (language == nullptr) continue;
        own = lists.emplace(usage.file, parse::WrittenLists(*language, text->content)).first;
      }
      const auto list = own->second.arguments_of(at.offset);
      auto given = list ? given_arguments(*list, text->content, at.offset, usage.file->language)
                        : std::nullopt;
      if (!given) continue;
      const bool is_of_class = has_class_before(*usage.file, usage.occurrence);
      const std::string unfit = why_none_fits(now.at(name), *given, is_of_class);
      if (unfit.empty() || !why_none_fits(then.at(name), *given, is_of_class).empty()) continue;
      const auto [slot, is_new] = known.try_emplace(name, found_.breaks.size());
      if (is_new) {
        found_.breaks.push_back({.name = name,
                                 .new_name = {},
                                 .unfit = unfit,
                                 .broken = {},
                                 .possible = {},
                                 .naming_files = 0});
      }
      EditBreak& broken = found_.breaks[slot->second];
      CODEXMEM_TRY(
          add(*usage.file, at.offset,
              usage.confidence == Confidence::kPossible ? broken.possible : broken.broken));
    }
    return {};
  }

  // The shapes of each function, by its qualified name; without names of which one declaration may
  // take anything.
  static Result<std::map<std::string, std::vector<CallShape>>> shapes_of(
      store::CodeReader& reader, const FileModel& file, const SourceTexts::Text& text) {
    CODEXMEM_ASSIGN(const auto rows, reader.list_symbols(file.id));
    std::map<std::string, std::vector<CallShape>> shapes;
    std::set<std::string> open;
    for (auto& [symbol, shape] :
         all_call_shapes(file.facts, text.content, file.language, modifiers_in(rows))) {
      if (shape) {
        shapes[file.qualified_name(symbol)].push_back(*shape);
      } else {
        open.insert(file.qualified_name(symbol));
      }
    }
    for (const std::string& name : open) shapes.erase(name);
    return shapes;
  }

  // True for Base.f(self, 1): the class is before the dot.
  bool has_class_before(const FileModel& file, std::uint32_t index) {
    return std::ranges::any_of(now_.receivers(file, index), is_class);
  }

  // Empty if the call fits one of `shapes`.
  static std::string why_none_fits(const std::vector<CallShape>& shapes,
                                   const GivenArguments& given, bool is_of_class) {
    std::string why;
    for (const CallShape& shape : shapes) {
      GivenArguments own = given;
      if (shape.has_receiver && is_of_class && own.positional > 0) --own.positional;
      std::string reason = why_unfit(shape, own);
      if (reason.empty()) return {};
      if (why.empty()) why = std::move(reason);
    }
    return why;
  }

  Result<void> add(const FileModel& file, std::uint32_t offset, std::vector<BrokenPlace>& places) {
    CODEXMEM_ASSIGN(const auto* text, texts_.get(file.id));
    places.push_back({file.path, text->lines.position_of(offset).line});
    return {};
  }

  store::CodeReader& old_reader_;
  store::CodeReader& reader_;
  Resolver old_, now_;
  SourceTexts old_texts_, texts_;
  const FileModel* old_file_ = nullptr;  // the edited file
  const FileModel* file_ = nullptr;
  const SourceTexts::Text* old_text_ = nullptr;
  const SourceTexts::Text* text_ = nullptr;
  std::vector<UsageTarget> targets_;   // removed definitions
  std::vector<std::size_t> break_of_;  // of each target
  // Removed names that the file uses itself, with or without a receiver, to their break.
  std::map<std::pair<std::string, bool>, std::size_t> own_uses_;
  EditBreaks found_;
};

}  // namespace

Result<EditBreaks> find_edit_breaks(FactsCache& cache, store::CodeReader& before,
                                    store::CodeReader& after, std::string_view path,
                                    EditDepth depth) {
  return EditSearch(cache, before, after).run(path, depth);
}

}  // namespace codexmem::graph
