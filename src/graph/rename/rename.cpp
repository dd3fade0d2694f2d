// The plan is made in four steps. (1) The family: what must be called alike (rename_family.h). (2)
// Its uses, as references find them; a use that declares something itself (a key of an object that
// an interface describes) adds that symbol to the family, and the search starts again. (3) Each
// certain use becomes an edit if it is spelled as the old name: uses through an alias do not
// change. A key that is also a value, { a }, is written out as key and value, and one of them is
// renamed. (4) Obstacles: uses with an unknown meaning, symbols that the new name would collide
// with (rename_conflicts.h), and names in texts that code looks up (rename_text.h).
//
// A place of unknown meaning with the right name is an obstacle only if it can mean a symbol of the
// family at all: a bare name never means a member, a member of an unknown receiver never means a
// symbol outside of types, and for a known receiver the resolver's answer is certain.
//
// Tested by git/rename_test.py.
#include "graph/rename/rename.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include "base/path.h"
#include "base/stop_scope.h"
#include "base/text.h"
#include "graph/core/code_text.h"
#include "graph/core/source_texts.h"
#include "graph/core/spellings.h"
#include "graph/core/usage_search.h"
#include "graph/core/use_account.h"
#include "graph/uses/quoted_uses.h"
#include "graph/rename/plan_parts.h"
#include "graph/rename/rename_conflicts.h"
#include "graph/rename/rename_family.h"
#include "graph/rename/rename_lookups.h"
#include "graph/rename/rename_meant.h"
#include "graph/rename/rename_places.h"
#include "graph/rename/rename_reach.h"
#include "graph/rename/rename_sole.h"
#include "graph/rename/rename_text_places.h"
#include "graph/rename/rename_text.h"
#include "parse/preprocess/pastes.h"

namespace codexmem::graph {
namespace {

using parse::kNoIndex;
using parse::ReceiverKind;
using parse::Role;

constexpr std::size_t kMaxEdits = 20'000;
constexpr int kMaxRounds = 8;  // of finding uses that make the family larger

class RenamePlanner {
 public:
  RenamePlanner(FactsCache::Impl& cache, store::CodeReader& reader, const RenameQuery& query)
      : reader_(reader),
        query_(query),
        resolver_(cache, reader),
        texts_(reader),
        family_(resolver_),
        reach_(resolver_),
        lookups_(resolver_, family_),
        sole_(resolver_, reader, texts_, family_, lookups_, query.new_name),
        obstacles_(texts_, query, plan_) {}

  Result<RenamePlan> run() {
    CODEXMEM_TRY(find_family());
    CODEXMEM_ASSIGN(plan_.new_name, check_new_name(family_, plan_.old_name, query_.new_name));
    CODEXMEM_TRY(find_uses());
    CODEXMEM_TRY(find_obstacles());
    TextPlaces texts({query_, resolver_, reader_, texts_, family_, reach_, lookups_, sole_},
                     places_, plan_, reporter());
    CODEXMEM_TRY(texts.find(hits_));
    if (needs_sole_ || texts.needs_sole()) CODEXMEM_TRY(add_sole_places());
    CODEXMEM_TRY(finish());
    CODEXMEM_TRY(resolver_.status());
    return std::move(plan_);
  }

 private:
  // ---- 1. The family.

  Result<void> find_family() {
    CODEXMEM_ASSIGN(const auto meant, find_meant(resolver_, reader_, query_));
    plan_.old_name = symbol_of(meant.front()).name;
    if (!resolves_names(meant.front().file->family)) {
      return Error{ErrorCode::kInvalidArgument,
                   fmt::format("names of {} are known by their spelling only, so {} cannot be "
                               "renamed safely; its references list the places",
                               meant.front().file->language, plan_.old_name)};
    }
    CODEXMEM_TRY(family_.add(*meant.front().file, meant.front().index));
    if (std::ranges::all_of(meant, [&](const Entity& each) { return family_.holds(each); })) {
      return {};
    }
    return several_meant(query_, meant);
  }

  // ---- 2. Its uses.

  Result<void> find_uses() {
    std::vector<Usage> usages;
    for (int round = 0; round < kMaxRounds; ++round) {
      UsageSearch search(resolver_, reader_, family_.members());
      CODEXMEM_ASSIGN(usages, search.run());
      const std::size_t known = family_.members().size();
      for (const Usage& usage : usages) CODEXMEM_TRY(add_alike(usage));
      searched_ = search.searched();
      if (family_.members().size() > known && round + 1 < kMaxRounds) continue;
      QuotedUses quoted(resolver_, family_.members());
      CODEXMEM_ASSIGN(const auto uses, account_for(resolver_, reader_, search, usages, quoted));
      plan_.account = uses.account;
      hits_ = uses.hits;
      break;
    }
    CODEXMEM_TRY(add_definitions());
    CODEXMEM_TRY(add_embedded());
    for (const Usage& usage : usages) {
      CODEXMEM_TRY(go_on());
      sort_use(usage);
    }
    return add_keyed();
  }

  // What reads a renamed key of an object literal from the object itself.
  Result<void> add_keyed() {
    std::set<std::pair<const FileModel*, std::uint32_t>> objects;
    for (const auto& [file, places] : places_) {
      for (std::uint32_t i = 0; i < file->facts.objects.size(); ++i) {
        for (const parse::ObjectKey& key : file->facts.objects[i].keys) {
          if (key.occurrence == kNoIndex || file->name(key.name) != plan_.old_name) continue;
          const auto at = places.find(file->facts.occurrences[key.occurrence].offset);
          if (at != places.end() && at->second.key) objects.emplace(file, i);
        }
      }
    }
    for (const FileModel* file : searched_) {
      CODEXMEM_TRY(go_on());
      for (const std::uint32_t use : uses_of_objects(resolver_, *file, plan_.old_name, objects)) {
        add_place(*file, use);
      }
      if (edits_ > kMaxEdits) {
        return Error{ErrorCode::kUnsupported,
                     fmt::format("{} is used in more than {} places", plan_.old_name, kMaxEdits)};
      }
    }
    return {};
  }

  // A use that also declares a symbol, or that may also mean another definition, adds that symbol
  // to the family.
  Result<void> add_alike(const Usage& usage) {
    const FileModel& file = *usage.file;
    const parse::Occurrence& at = file.facts.occurrences[usage.occurrence];
    if (file.name(at.name) != plan_.old_name) return {};
    if (usage.confidence == Confidence::kLikely) return add_alternatives(usage);
    if (usage.confidence != Confidence::kResolved) return {};
    const std::uint32_t declared = file.symbol_named_at(at.offset);
    if (at.role == Role::kDefinition && declared != kNoIndex) {
      CODEXMEM_TRY(family_.add(file, declared));
    }
    const Entities meant = resolver_.resolve(file, usage.occurrence);
    for (const Entity& entity : meant) {
      if (entity.kind != EntityKind::kSymbol || !is_known(entity) || family_.holds(entity) ||
          symbol_of(entity).name != plan_.old_name) {
        continue;
      }
      const bool is_nearby = entity.file == &file && !file.is_member(entity.index);
      if (is_nearby || is_alternative(entity) || is_alike(entity, meant)) {
        CODEXMEM_TRY(family_.add(*entity.file, entity.index));
      }
    }
    return {};
  }

  // In C and C++, headers for different systems declare one name, and a place means one or the
  // other.
  Result<void> add_alternatives(const Usage& usage) {
    if (!usage.file->semantics.traits().alternatives_are_likely) return {};
    const Entities meant = resolver_.resolve(*usage.file, usage.occurrence);
    const bool are_all_ours = std::ranges::all_of(meant, [&](const Entity& entity) {
      return entity.kind == EntityKind::kSymbol && is_known(entity) && !entity.file->is_library &&
             !entity.file->is_member(entity.index) && symbol_of(entity).name == plan_.old_name;
    });
    if (!are_all_ours) return {};
    for (const Entity& entity : meant) CODEXMEM_TRY(family_.add(*entity.file, entity.index));
    return {};
  }

  // A member that one place reads with one of the family, of A | B, has to be called like it.
  bool is_alike(const Entity& entity, const Entities& meant) const {
    return entity.file->is_member(entity.index) &&
           entity.file->owner_of(entity.index) != kNoIndex &&
           std::ranges::any_of(meant, [&](const Entity& other) {
             return family_.holds(other) && other.file->is_member(other.index);
           });
  }

  // A definition of another build: a package declares a name only once, except in files that builds
  // exclude.
  bool is_alternative(const Entity& entity) const {
    return std::ranges::any_of(family_.members(), [&](const UsageTarget& member) {
      return entity.file->semantics.traits().imports_name_folders &&
             folder_of(member.file->path) == folder_of(entity.file->path) &&
             member.file->facts.package == entity.file->facts.package &&
             member.file->qualified_name(member.symbol) ==
                 entity.file->qualified_name(entity.index);
    });
  }

  Result<void> add_definitions() {
    for (const UsageTarget& member : family_.members()) {
      const parse::Symbol& symbol = member.file->facts.symbols[member.symbol];
      if (symbol.name_range.empty()) continue;
      const std::uint32_t offset = symbol.name_range.begin;
      RenamePlace& place = places_[member.file][offset];
      place.name = place.is_definition = true;
      if (symbol.name != plan_.old_name) spell(place, symbol.name);
      add_parameter(*member.file, offset);
    }
    return {};
  }

  // The symbol has another name, which the old one makes: Ruby's @a of attr_reader :a.
  bool spell(RenamePlace& place, const std::string& name) {
    const auto derived = derived_spelling(name, plan_.old_name, plan_.new_name);
    if (!derived) return false;
    place.spelled = name;
    place.derived = *derived;
    return true;
  }

  // A type that others embed is also a field of theirs, of its own name.
  Result<void> add_embedded() {
    for (const FileModel* file : searched_) {
      const auto name = file->find_name(plan_.old_name);
      if (!name || !file->semantics.traits().promotes_by_depth) continue;
      for (const std::uint32_t index : file->occurrences_of(*name)) {
        CODEXMEM_TRY(go_on());
        if (file->facts.occurrences[index].receiver_kind == ReceiverKind::kNone) continue;
        const Entities meant = resolver_.resolve(*file, index);
        if (std::ranges::any_of(meant, [&](const Entity& entity) {
              return is_instance(entity) && family_.holds(*entity.file, entity.index);
            })) {
          add_place(*file, index);
        }
      }
    }
    return {};
  }

  // A field that a constructor's parameter declares: the parameter is called alike.
  void add_parameter(const FileModel& file, std::uint32_t offset) {
    const std::uint32_t binding = file.binding_at(offset);
    if (binding == kNoIndex) return;
    const parse::Binding& bound = file.facts.bindings[binding];
    if (bound.kind != parse::BindingKind::kParameter) return;
    for (const std::uint32_t index : file.occurrences_of(bound.name)) {
      const parse::Occurrence& at = file.facts.occurrences[index];
      if (at.receiver_kind != ReceiverKind::kNone || at.offset == offset) continue;
      const Entities meant = resolver_.resolve(file, index);
      if (std::ranges::any_of(meant, [&](const Entity& entity) {
            return entity.kind == EntityKind::kLocal && entity.file == &file &&
                   entity.index == binding;
          })) {
        places_[&file][at.offset].name = true;
      }
    }
  }

  void sort_use(const Usage& usage) {
    const FileModel& file = *usage.file;
    const parse::Occurrence& at = file.facts.occurrences[usage.occurrence];
    if (file.name(at.name) != plan_.old_name) return sort_spelled(usage);
    const Entities meant = resolver_.resolve(file, usage.occurrence);
    // (A text that is taken for a member may mean it less surely, and has to follow it anyway.)
    const bool is_text = file.is_documentation(at.offset) || at.receiver_kind == ReceiverKind::kKey;
    if (usage.confidence == Confidence::kResolved || (is_text && is_family(meant))) {
      if (is_of_object(file, usage.occurrence)) return;
      add_place(file, usage.occurrence);
      if (!file.is_documentation(at.offset)) check_others(file, at.offset, meant);
      return;
    }
    if (file.is_documentation(at.offset)) return;
    if (is_of_language(resolver_, file, usage.occurrence)) return;
    if (usage.confidence <= Confidence::kPossible && !may_mean(file, usage)) return;
    if (at.receiver_kind != ReceiverKind::kNone && is_sole(file, usage.occurrence)) {
      return add_place(file, usage.occurrence);
    }
    if (const auto text = texts_.get(file.id);
        text.ok() && lookups_.lists_made_name(file, (*text)->content, at.offset, plan_.old_name)) {
      return add_place(file, usage.occurrence);
    }
    const UsageTarget& target = family_.members()[usage.target];
    obstacle(ObstacleKind::kUncertainUse, file, at.offset,
             fmt::format("may mean {}", target.file->qualified_name(target.symbol)),
             usage.confidence);
  }

  // A use under another name: behind an alias, which stays, or under one that the symbol's makes.
  void sort_spelled(const Usage& usage) {
    const FileModel& file = *usage.file;
    const parse::Occurrence& at = file.facts.occurrences[usage.occurrence];
    const std::string& spelled = file.name(at.name);
    if (file.is_documentation(at.offset)) return;
    const UsageTarget& target = family_.members()[usage.target];
    const auto names = target.file->semantics.implied_names(*target.file, target.symbol);
    const bool is_own = target.file->facts.symbols[target.symbol].name == spelled;
    const bool is_implied =
        is_own || std::ranges::any_of(names, [&](const std::string& name) {
          return name == spelled || (name.starts_with('@') && name.ends_with(":" + spelled));
        });
    if (!is_implied && usage.confidence < Confidence::kResolved && is_made_here(usage)) {
      return obstacle(ObstacleKind::kUncertainUse, file, at.offset,
                      fmt::format("{} is made of {} here", plan_.old_name, spelled),
                      usage.confidence);
    }
    if (!is_implied || !is_made_of(spelled, plan_.old_name)) return;
    const auto derived = derived_spelling(spelled, plan_.old_name, plan_.new_name);
    if (usage.confidence == Confidence::kResolved && derived) {
      add_place(file, usage.occurrence);
      spell(places_[&file][at.offset], spelled);
      return;
    }
    if (usage.confidence == Confidence::kName && !may_mean(file, usage)) return;
    obstacle(ObstacleKind::kUncertainUse, file, at.offset,
             derived ? fmt::format("may mean {}", target.file->qualified_name(target.symbol))
                     : fmt::format("{} is called {} here, which {} does not make", plan_.old_name,
                                   spelled, plan_.new_name),
             usage.confidence);
  }

  // CMD(add) of #define CMD(n) cmd_##n: neither the macro nor what it is given can change alone.
  bool is_made_here(const Usage& usage) {
    const UsageTarget& target = family_.members()[usage.target];
    // (A constructor is used without its name.)
    const std::string name = "." + target.file->facts.symbols[target.symbol].name;
    if (target.file->qualified_name(target.symbol).ends_with(name.substr(1) + name)) return false;
    const auto [known, is_new] = unwritten_.try_emplace(usage.target);
    if (is_new) {
      known->second = target.file->semantics.unwritten_uses(resolver_, *target.file, target.symbol);
    }
    return std::ranges::any_of(known->second, [&](const UnwrittenUse& use) {
      return use.file == usage.file && use.occurrence == usage.occurrence;
    });
  }

  void add_place(const FileModel& file, std::uint32_t index) {
    const parse::Occurrence& at = file.facts.occurrences[index];
    RenamePlace& place = places_[&file][at.offset];
    (at.receiver_kind == ReceiverKind::kKey && at.role != Role::kDefinition ? place.key
                                                                            : place.name) = true;
    place.kind = usage_kind(file, index);
    ++edits_;
  }

  // True if nobody but the family declares such a member, so a place that may mean it does.
  bool is_sole(const FileModel& file, std::uint32_t index) {
    const parse::Occurrence& at = file.facts.occurrences[index];
    const bool is_one =
        at.receiver_kind == ReceiverKind::kKey ? sole_.takes(file, at.offset) : sole_.is_sole();
    needs_sole_ = needs_sole_ || is_one;
    return is_one;
  }

  // What may mean the family changes with it where one place does for the name alone.
  Result<void> add_sole_places() {
    for (const auto& [file, offsets] : sole_.places()) {
      for (const std::uint32_t offset : offsets) {
        const std::uint32_t key = name_and_key_at(*file, offset).second;
        if (key != kNoIndex) {
          add_place(*file, key);
        } else if (!places_[file].contains(offset)) {
          places_[file][offset].name = true;
          ++edits_;
          forget_mention(*file, offset);
        }
      }
    }
    return add_keyed();
  }

  void forget_mention(const FileModel& file, std::uint32_t offset) {
    const auto text = texts_.get(file.id);
    if (!text.ok()) return;
    const Position position = (*text)->lines.position_of(offset);
    plan_.mentions_total -= plan_.mentions_total > 0 ? 1 : 0;
    std::erase_if(plan_.mentions, [&](const NameMention& each) {
      return each.path == file.path && each.position == position;
    });
  }

  // object.name, where the object has a key { name } with the renamed symbol as value: the key
  // stays.
  bool is_of_object(const FileModel& file, std::uint32_t index) {
    const parse::Occurrence& at = file.facts.occurrences[index];
    if (family_.has_members() || at.receiver_kind == ReceiverKind::kNone ||
        at.receiver_kind == ReceiverKind::kKey) {
      return false;
    }
    const Entities before = resolver_.receivers(file, index);
    return !before.empty() && std::ranges::all_of(before, [](const Entity& entity) {
      return entity.kind == EntityKind::kObject;
    });
  }

  // A use that means something else as well cannot change for one of them only.
  void check_others(const FileModel& file, std::uint32_t offset, const Entities& meant) {
    for (const Entity& entity : meant) {
      if (entity.kind != EntityKind::kSymbol || family_.holds(entity)) continue;
      if (symbol_of(entity).name != plan_.old_name) continue;
      obstacle(ObstacleKind::kSharedUse, file, offset,
               fmt::format("also means {} of {}", entity.file->qualified_name(entity.index),
                           entity.file->path));
      return;
    }
  }

  bool may_mean(const FileModel& file, const Usage& usage) {
    const parse::Occurrence& at = file.facts.occurrences[usage.occurrence];
    const bool is_bare = at.receiver_kind == ReceiverKind::kNone || at.role == Role::kImport;
    if (is_bare && usage.confidence == Confidence::kPossible &&
        !file.semantics.traits().texts.keys_are_members) {
      if (at.role == Role::kImport || at.role == Role::kExport) return !family_.has_members();
      return !family_.has_members() || may_join(file, at.offset);
    }
    if (at.receiver_kind != ReceiverKind::kKey || !family_.has_members()) {
      return reach_.may_mean(file, usage, family_);
    }
    // (A symbol of Ruby, in a file that calls what symbols say.)
    return file.semantics.traits().keys_may_be_names && at.role == Role::kRead &&
           lookups_.looks_up_names(file);
  }

  // Whether a bare name may become a member: in C and C++ as what a macro is given, or as the begin
  // of its body.
  bool may_join(const FileModel& file, std::uint32_t offset) {
    const auto text = texts_.get(file.id);
    if (!file.semantics.traits().arrays_are_elements || !text.ok()) return true;
    const std::string_view all = (*text)->content;
    const std::string_view before = trim(all.substr(0, offset));
    const CallAround call = call_around(before);
    if ((before.ends_with('(') || before.ends_with(',')) && !call.callee.empty()) {
      return std::ranges::find(file.semantics.traits().names.reserved, call.callee) ==
             file.semantics.traits().names.reserved.end();
    }
    const auto macro = parse::macro_around(all, offset);
    return macro && without_blanks(macro->body).data() == all.data() + offset;
  }

  // ---- 4. Obstacles.

  Result<void> find_obstacles() {
    bool is_defined = false;
    for (const UsageTarget& member : family_.members()) {
      const FileModel& file = *member.file;
      CODEXMEM_ASSIGN(const auto row,
                      reader_.find_symbol(store::symbol_id(file.id, member.symbol)));
      if (!row) continue;
      is_defined = is_defined || !is_prototype(*row);
      std::string why = file.semantics.objection_to(file, *row, plan_.new_name);
      if (!why.empty()) {
        obstacle(ObstacleKind::kFixedName, file, row->name_byte, std::move(why));
      }
    }
    std::vector<OutsideTie> ties = family_.ties();
    if (!is_defined) {  // only declared: a program would no longer link
      ties.push_back({family_.members().front(), "its definition was not found"});
    }
    for (const UsageTarget& member : family_.members()) {
      CODEXMEM_TRY(go_on());
      std::string why = member.file->semantics.tied_outside(resolver_, *member.file, member.symbol);
      if (!why.empty()) ties.push_back({member, std::move(why)});
    }
    std::set<std::string> stated;
    for (const OutsideTie& tie : ties) {
      if (!stated.insert(tie.why).second) continue;
      obstacle(ObstacleKind::kOutside, *tie.member.file,
               tie.member.file->facts.symbols[tie.member.symbol].name_range.begin, tie.why);
    }
    CODEXMEM_TRY(find_same_shapes());
    const ConflictReport report = reporter();
    for (const auto& entry : places_) {
      CODEXMEM_TRY(go_on());
      find_scope_conflicts(resolver_, *entry.first, bare_places(*entry.first, entry.second),
                           plan_.new_name, report);
    }
    return find_member_conflicts(resolver_, family_, plan_.new_name, report);
  }

  Result<void> find_same_shapes() {
    const FileModel& first = *family_.members().front().file;
    if (!family_.has_members() || !first.semantics.traits().texts.keys_are_members) return {};
    for (const store::FileId id : resolver_.files_naming(first.family, plan_.old_name)) {
      CODEXMEM_TRY(go_on());
      const FileModel* file = resolver_.model(id);
      if (file == nullptr || !reach_.may_get_values(*file, family_.members())) continue;
      auto keys = keys_of_same_shape(*file, plan_.old_name, family_.owners());
      const auto name = file->find_name(plan_.old_name);
      for (const std::uint32_t key :
           name ? file->occurrences_of(*name) : std::span<const std::uint32_t>()) {
        if (has_computed_keys(resolver_, *file, key)) keys.push_back(key);
      }
      for (const std::uint32_t key : keys) {
        const std::uint32_t offset = file->facts.occurrences[key].offset;
        if (const auto known = places_.find(file);
            known != places_.end() && known->second.contains(offset)) {
          continue;
        }
        if (is_sole(*file, key)) {
          add_place(*file, key);
          continue;
        }
        obstacle(ObstacleKind::kUncertainUse, *file, offset,
                 "the key of a type that may have the same members", Confidence::kPossible);
      }
    }
    return {};
  }

  // ---- The plan.

  // One that a person takes becomes an edit.
  void obstacle(ObstacleKind kind, const FileModel& file, std::uint32_t offset, std::string why,
                std::optional<Confidence> confidence = std::nullopt) {
    if (!obstacles_.add(kind, file, offset, std::move(why), confidence)) return;
    RenamePlace& taken = places_[&file][offset];
    taken.is_taken = taken.is_taken || !taken.name;
    taken.name = true;
    ++edits_;
  }

  ConflictReport reporter() {
    return [this](ObstacleKind kind, const FileModel& file, std::uint32_t offset, std::string why) {
      obstacle(kind, file, offset, std::move(why));
    };
  }

  Result<void> finish() {
    CODEXMEM_TRY(add_edits(resolver_, texts_, family_, places_, obstacles_, plan_));
    obstacles_.add_open(resolver_, family_.members(), hits_);
    return finish_plan(reader_, family_.members(), plan_);
  }

  bool is_family(const Entities& meant) const {
    return std::ranges::any_of(meant, [&](const Entity& entity) { return family_.holds(entity); });
  }

  store::CodeReader& reader_;
  const RenameQuery& query_;
  Resolver resolver_;
  SourceTexts texts_;
  RenameFamily family_;
  ValueReach reach_;
  TextLookups lookups_;
  SoleName sole_;
  RenamePlaces places_;
  std::vector<const FileModel*> searched_;
  std::vector<Hit> hits_;                                       // of the account
  std::map<std::size_t, std::vector<UnwrittenUse>> unwritten_;  // by member of the family
  std::size_t edits_ = 0;
  bool needs_sole_ = false;  // a place changes because nobody else declares such a member
  RenamePlan plan_;
  PlanObstacles obstacles_;
};

}  // namespace

std::string_view obstacle_kind_name(ObstacleKind kind) {
  constexpr std::string_view kNames[] = {"fixed_name", "outside",   "uncertain_use", "shared_use",
                                         "name_taken", "captured",  "text",          "unparsed",
                                         "file",       "arguments", "value"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::size_t RenamePlan::edit_count() const {
  std::size_t count = 0;
  for (const RenamedFile& file : files) count += file.edits.size();
  return count;
}

Result<RenamePlan> plan_rename(FactsCache& cache, store::CodeReader& reader,
                               const RenameQuery& query, std::stop_token stop) {
  const StopScope scope(std::move(stop));
  return RenamePlanner(cache.impl(), reader, query).run();
}

}  // namespace codexmem::graph
