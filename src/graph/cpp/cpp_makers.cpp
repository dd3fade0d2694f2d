// A class has implicit constructors: an object made from a single object of the class may be a
// copy. So a written constructor is certain only when that argument is known to be something else.
//
// Tested by graph/cpp_makers_test.cpp.
#include "graph/cpp/cpp_makers.h"

#include <algorithm>

#include "graph/nominal/members.h"
#include "graph/nominal/overloads.h"

namespace codexmem::graph {
namespace {

using parse::TermId;

constexpr std::size_t kMaxCppSupertypes = 64;

// The first parameter of constructor `maker`.
Entities first_parameter(Resolver& resolver, const Entity& maker) {
  const TermId term = symbol_of(maker).term;
  if (term == parse::kNoIndex) return {kUnknownEntity};
  const parse::Term& made = maker.file->facts.terms[term];
  if (made.kind != parse::TermKind::kFunction) return {kUnknownEntity};
  const auto& parameters = maker.file->facts.functions[made.at].parameters;
  if (parameters.empty()) return {};
  return resolver.evaluate(*maker.file, parameters.front().term);
}

Entities makers_of(Resolver& resolver, const FileModel& file, std::uint32_t index,
                   const Entity& type) {
  const auto name = type.file->find_name(symbol_of(type).name);
  if (!name) return {};
  Entities makers;
  for (const std::uint32_t member : type.file->members_of(type.index, *name)) {
    if (is_constructor(*type.file, member)) add(makers, {EntityKind::kSymbol, type.file, member});
  }
  const auto arguments = arguments_at(file, index);
  if (arguments) {
    std::erase_if(makers, [&](const Entity& maker) { return !takes_so_many(maker, *arguments); });
  }
  if (makers.empty() || arguments != 1U) return fitting_call(resolver, file, index, makers);
  const Entities given =
      resolver.evaluate(file, file.parts_of(file.facts.terms[*file.call_of(index)])[1]);
  bool is_open = given.empty() || has_kind(given, EntityKind::kUnknown) || is_late(given);
  if (std::ranges::any_of(
          given, [&](const Entity& value) { return is_same_or_derived(resolver, value, type); })) {
    std::erase_if(makers, [&](const Entity& maker) {
      return !may_be_given(resolver, file, given, first_parameter(resolver, maker));
    });
    is_open = true;
  }
  makers = fitting_call(resolver, file, index, makers);
  if (is_open && !makers.empty()) add(makers, kExternalEntity);
  return makers;
}

// Uses of one constructor that do not name its class.
class MakerSearch {
 public:
  MakerSearch(Resolver& resolver, const Entity& maker) : resolver_(resolver) {
    makers_ = resolver.merged_with(*maker.file, maker.index);
    makers_.push_back(maker);
    for (const Entity& each : makers_) {
      const std::uint32_t owner = each.file->owner_of(each.index);
      if (owner == parse::kNoIndex) continue;
      add(types_, {EntityKind::kSymbol, each.file, owner});
      for (const std::uint32_t member : each.file->all_members(owner)) {
        if (is_constructor(*each.file, member)) {
          add(all_, {EntityKind::kSymbol, each.file, member});
        }
      }
    }
  }

  std::vector<UnwrittenUse> run() {
    const Entities own = types_;
    for (const Entity& type : own) add_heirs(type);
    if (!own.empty()) add_templates();
    return std::move(found_);
  }

 private:
  // Classes that have using Base::Base, and what makes objects of them.
  void add_heirs(const Entity& type) {
    each_named(symbol_of(type).name, [&](const FileModel& file, std::uint32_t index) {
      const parse::Occurrence& at = file.facts.occurrences[index];
      const std::uint32_t named = file.named_receiver(index);
      const std::uint32_t heir = file.symbol_at(at.offset);
      if (at.role != parse::Role::kImport || named == parse::kNoIndex ||
          file.facts.occurrences[named].name != at.name || heir == parse::kNoIndex ||
          !means(file, named, type)) {
        return;
      }
      const Entity entity{EntityKind::kSymbol, &file, heir};
      if (!is_class(entity)) return;
      add(types_, entity);
      each_named(symbol_of(entity).name, [&](const FileModel& user, std::uint32_t made) {
        const bool makes = user.facts.occurrences[made].role == parse::Role::kCall ||
                           user.call_of(made).has_value();
        if (makes && means(user, made, entity)) use(user, made, made);
      });
    });
  }

  // make_unique<A>(x), list.emplace_back(x)
  void add_templates() {
    for (const char* word : {"make_unique", "make_shared", "make_optional", "emplace",
                             "emplace_back", "emplace_front"}) {
      each_named(word, [&](const FileModel& file, std::uint32_t index) {
        const auto call = file.call_of(index);
        if (call == parse::kNoIndex) return;
        const parse::Term* term = call ? &file.facts.terms[*call] : nullptr;
        if (term != nullptr && term->kind == parse::TermKind::kCall) {
          term = &file.facts.terms[file.parts_of(*term)[0]];
        }
        if (term != nullptr && term->kind == parse::TermKind::kApply) {
          const TermId type = file.parts_of(*term)[1];
          if (type == parse::kNoIndex || !is_made(resolver_.evaluate(file, type))) return;
          const parse::Term& named = file.facts.terms[type];
          return use(file, index, named.kind == parse::TermKind::kType ? named.at : index);
        }
        for (const Entity& holder : resolver_.receivers(file, index)) {
          if (holder.environment == nullptr) continue;
          const auto& bound = holder.environment->bound;  // (A map makes pairs.)
          const auto& arguments = holder.environment->arguments;
          const bool is_list = is_foreign(holder) ? arguments.size() == 1 : bound.size() == 1;
          if (!is_list) continue;
          if (is_made(is_foreign(holder) ? arguments.front() : bound.front().second)) {
            use(file, index, index);
          }
        }
      });
    }
  }

  template <typename Visit>
  void each_named(const std::string& name, Visit visit) {
    const Family family = family_of("cpp");
    for (const store::FileId id : resolver_.files_naming(family, name)) {
      const FileModel* file = resolver_.model(id);
      const auto known = file == nullptr ? std::nullopt : file->find_name(name);
      if (!known) continue;
      for (const std::uint32_t index : file->occurrences_of(*known)) visit(*file, index);
    }
  }

  bool means(const FileModel& file, std::uint32_t index, const Entity& type) {
    return std::ranges::any_of(Entities(resolver_.resolve(file, index)),
                               [&](const Entity& entity) { return entity.is_same(type); });
  }

  bool is_made(const Entities& values) const {
    return std::ranges::any_of(values, [&](const Entity& value) {
      return is_instance(value) && std::ranges::any_of(types_, [&](const Entity& type) {
               return type.file == value.file && type.index == value.index;
             });
    });
  }

  // The call at `index` makes an object: by the constructor, if that is among those that fit.
  void use(const FileModel& file, std::uint32_t index, std::uint32_t place) {
    const Entities fitting = fitting_call(resolver_, file, index, all_);
    const auto arguments = arguments_at(file, index);
    const bool is_meant = std::ranges::any_of(fitting, [&](const Entity& entity) {
      return (!arguments || takes_so_many(entity, *arguments)) &&
             std::ranges::any_of(makers_,
                                 [&](const Entity& maker) { return maker.is_same(entity); });
    });
    if (is_meant) found_.push_back({&file, place});
  }

  Resolver& resolver_;
  Entities makers_;  // the declarations of the constructor
  Entities types_;   // its class, and those that inherit it
  Entities all_;     // the constructors of its class
  std::vector<UnwrittenUse> found_;
};

}  // namespace

bool is_same_or_derived(Resolver& resolver, const Entity& value, const Entity& type) {
  Entities open = {value};
  for (std::size_t i = 0; i < open.size() && i < kMaxCppSupertypes; ++i) {
    if (!is_instance(open[i])) continue;
    if (open[i].file == type.file && open[i].index == type.index) return true;
    add_all(open, resolver.supertypes(Entity(open[i])));
  }
  return false;
}

std::vector<UnwrittenUse> uses_of_maker(Resolver& resolver, const Entity& maker) {
  return MakerSearch(resolver, maker).run();
}

Entities with_makers(Resolver& resolver, const FileModel& file, std::uint32_t index,
                     Entities found) {
  const bool makes =
      file.facts.occurrences[index].role == parse::Role::kCall || file.call_of(index);
  if (!makes || std::ranges::none_of(found, is_class)) return found;
  Entities all;
  for (const Entity& entity : found) {
    add(all, entity);
    if (is_class(entity) && !entity.file->is_library) {
      add_all(all, makers_of(resolver, file, index, entity));
    }
  }
  return all;
}

}  // namespace codexmem::graph
