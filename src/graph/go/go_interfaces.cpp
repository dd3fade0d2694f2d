// Which types implement which interfaces: those that have their methods, own or promoted ones, with
// the same signatures. A type and a pointer to it are one. Types that are looked at come from the
// index of symbols, by the names of methods: no type is held against every interface.
//
// Not found are types that take each method of an interface from what they embed, where no embedded
// type implements it alone; methods of third parties count for nothing. Tested by
// graph/go_interfaces_test.cpp.
#include <algorithm>
#include <map>
#include <set>

#include "base/path.h"
#include "base/stop_scope.h"
#include "graph/core/resolver.h"
#include "graph/go/go_semantics.h"
#include "graph/go/go_signatures.h"

namespace codexmem::graph {
namespace {

using parse::kNoIndex;

constexpr std::size_t kMaxMethods = 1000;             // of an interface
constexpr std::size_t kMaxEmbeddedTypes = 64;         // types that are looked at for methods
constexpr std::size_t kMaxCandidateInterfaces = 500;  // that a type is held against
// Types that are held against an interface: those that have the rarest of its methods, and those
// that have another one, where that is rare too.
constexpr std::size_t kMaxImplementers = 5000;
constexpr std::size_t kMoreImplementers = 300;
// The same where one of them is looked for that embeds a given type.
constexpr std::size_t kMaxEmbedding = 200;

using Key = std::pair<const FileModel*, std::uint32_t>;

// The methods that an interface asks for.
struct Interface {
  std::vector<Entity> methods;  // symbols
  bool is_whole = true;         // false when it embeds an unknown type
  bool is_value = true;         // false for a set of types
};

struct InterfaceMemory : Resolver::Memory {
  std::map<Key, Interface> interfaces;
  std::map<std::pair<Key, Key>, Sameness> implemented;  // by type and interface
};

// An interface's method: its signature begins with its name.
bool is_of_interface(const store::SymbolRow& row) {
  return row.type == SymbolType::kMethod && row.signature_range.begin == row.name_byte;
}

bool is_exported(std::string_view name) {
  return !name.empty() && !(name[0] >= 'a' && name[0] <= 'z') && name[0] != '_';
}

bool is_interface(const Entity& type) { return symbol_of(type).type == SymbolType::kInterface; }

class Implementations {
 public:
  Implementations(Resolver& resolver, Family family)
      : resolver_(resolver), family_(family), memory_(resolver.memory<InterfaceMemory>()) {}

  // The type that has a method, as an instance.
  std::optional<Entity> owner(const FileModel& file, std::uint32_t method) {
    if (const std::uint32_t owner = file.owner_of(method); owner != kNoIndex) {
      const Entity type{EntityKind::kInstance, &file, owner};
      return is_type_like(symbol_of(type)) ? std::optional(type) : std::nullopt;
    }
    for (const parse::Heritage* heritage : file.heritage_of(method)) {
      for (const Entity& type : resolver_.typed(file, heritage->occurrence, {})) {
        if (is_instance(type)) return Entity{EntityKind::kInstance, type.file, type.index};
      }
    }
    return std::nullopt;
  }

  const Interface& interface(const Entity& type) {
    const auto [at, is_new] = memory_.interfaces.try_emplace(Key(type.file, type.index));
    if (!is_new) return at->second;
    Interface found;
    Entities open = {{EntityKind::kInstance, type.file, type.index}};
    for (std::size_t i = 0; i < open.size() && i < kMaxEmbeddedTypes; ++i)
      add_methods(open[i], found, open);
    found.is_whole = found.is_whole && open.size() <= kMaxEmbeddedTypes;
    return at->second = std::move(found);
  }

  // Whether `type` has all methods of an interface.
  Sameness implements(const Entity& type, const Entity& wanted) {
    const Key own(type.file, type.index);
    const Key asked(wanted.file, wanted.index);
    if (own == asked) return Sameness::kNone;
    const auto known = memory_.implemented.find({own, asked});
    if (known != memory_.implemented.end()) return known->second;
    const Interface& methods = interface(wanted);
    Sameness found = methods.is_whole ? Sameness::kSure : Sameness::kLikely;
    if (methods.methods.empty() || !methods.is_value) found = Sameness::kNone;
    for (const Entity& method : methods.methods) {
      if (found == Sameness::kNone) break;
      Sameness best = Sameness::kNone;
      for (const Entity& member : implementing(type, method)) {
        best = std::max(best, compare_signatures(resolver_, member, method));
      }
      found = std::min(found, best);
    }
    memory_.implemented.emplace(std::pair(own, asked), found);
    return found;
  }

  // The methods of `type` that have the name of `method`, and are seen where that is.
  Entities implementing(const Entity& type, const Entity& method) {
    Entities found;
    const std::string& name = symbol_of(method).name;
    for (const Entity& member : resolver_.members({type}, name)) {
      if (member.kind != EntityKind::kSymbol || symbol_of(member).type != SymbolType::kMethod)
        continue;
      if (!is_exported(name) && (folder_of(member.file->path) != folder_of(method.file->path) ||
                                 member.file->facts.package != method.file->facts.package)) {
        continue;
      }
      found.push_back({EntityKind::kSymbol, member.file, member.index});
    }
    return found;
  }

  // Calls look(type) for types that may implement an interface, each once, until it says false:
  // those that have its rarest method, at most `most`, then by methods that at most `more` have.
  template <typename Look>
  void visit_candidates(const Entity& wanted, std::size_t most, std::size_t more, Look look) {
    struct Named {
      const std::vector<store::SymbolRow>* rows = nullptr;
      std::size_t count = 0;
    };
    std::vector<Named> named;
    for (const Entity& method : interface(wanted).methods) {
      const auto& rows = resolver_.symbol_rows(family_, symbol_of(method).name);
      named.push_back(
          {&rows, static_cast<std::size_t>(std::ranges::count_if(
                      rows, [](const auto& row) { return row.type == SymbolType::kMethod; }))});
    }
    std::ranges::stable_sort(named, {}, &Named::count);
    std::set<Key> seen;
    for (std::size_t i = 0; i < named.size(); ++i) {
      if (named[i].count > (i == 0 ? most : more)) return;
      for (const store::SymbolRow& row : *named[i].rows) {
        if (row.type != SymbolType::kMethod) continue;
        if (!go_on().ok()) return;
        const auto method = resolver_.symbol(row.id);
        const auto type = method ? owner(*method->file, method->index) : std::nullopt;
        if (!type || type->file->is_library || !seen.emplace(type->file, type->index).second)
          continue;
        if (!look(*type)) return;
      }
    }
  }

  // The names of a type's methods, as far as the files read for it declare them.
  std::set<std::string> method_names(const Entity& type) {
    std::set<std::string> names;
    Entities open = {type};
    for (std::size_t i = 0; i < open.size() && i < kMaxEmbeddedTypes; ++i) {
      const Entity at = open[i];
      if (is_interface(at)) {
        for (const Entity& method : interface(at).methods) names.insert(symbol_of(method).name);
        continue;
      }
      for (const FileModel* file : files_of(*at.file)) {
        for (std::uint32_t i = 0; i < file->facts.symbols.size(); ++i) {
          const parse::Symbol& symbol = file->facts.symbols[i];
          if (symbol.type == SymbolType::kMethod && has_method(at, *file, i))
            names.insert(symbol.name);
        }
      }
      for (const Entity& base : resolver_.supertypes(at)) {
        if (is_instance(base)) add(open, {EntityKind::kInstance, base.file, base.index});
      }
    }
    return names;
  }

  // Interfaces that declare one of `names`.
  Entities interfaces_with(const std::set<std::string>& names) {
    Entities found;
    std::set<std::pair<store::FileId, std::string>> seen;
    for (const std::string& name : names) {
      for (const store::SymbolRow& row : resolver_.symbol_rows(family_, name)) {
        if (!is_of_interface(row) || !seen.emplace(store::file_of(row.id), row.container).second)
          continue;
        if (found.size() >= kMaxCandidateInterfaces || !go_on().ok()) return found;
        if (const auto type = interface_of(row)) found.push_back(*type);
      }
    }
    return found;
  }

  // The interface that declares a method.
  std::optional<Entity> interface_of(const store::SymbolRow& row) {
    const auto method = resolver_.symbol(row.id);
    const std::uint32_t owner = method ? method->file->owner_of(method->index) : kNoIndex;
    if (owner == kNoIndex) return std::nullopt;
    const Entity type{EntityKind::kInstance, method->file, owner};
    return is_interface(type) ? std::optional(type) : std::nullopt;
  }

 private:
  void add_methods(const Entity& type, Interface& found, Entities& open) {
    const FileModel& file = *type.file;
    const auto& symbols = file.facts.symbols;
    for (std::uint32_t i = type.index + 1; i < symbols.size(); ++i) {
      if (symbols[i].range.begin >= symbols[type.index].range.end) break;
      if (file.owner_of(i) != type.index || symbols[i].type != SymbolType::kMethod) continue;
      const bool is_new = std::ranges::none_of(found.methods, [&](const Entity& method) {
        return symbol_of(method).name == symbols[i].name;
      });
      if (is_new && found.methods.size() < kMaxMethods)
        found.methods.push_back({EntityKind::kSymbol, &file, i});
    }
    for (const parse::Heritage* heritage : file.heritage_of(type.index)) {
      const parse::Occurrence& at = file.facts.occurrences[heritage->occurrence];
      const Entities embedded = resolver_.typed(file, heritage->occurrence, {});
      if (std::ranges::any_of(embedded, &is_instance)) {
        for (const Entity& each : embedded) {
          if (!is_instance(each)) continue;
          if (!is_interface(each)) found.is_value = false;
          add(open, {EntityKind::kInstance, each.file, each.index});
        }
      } else if (at.receiver_kind == parse::ReceiverKind::kNone &&
                 file.semantics.library().has("globals", file.name(at.name))) {
        found.is_value = found.is_value && file.name(at.name) == "any";
      } else {
        found.is_whole = false;
      }
    }
  }

  // True if method `method` of `file`, which is of the package of `type`, is one of it.
  static bool has_method(const Entity& type, const FileModel& file, std::uint32_t method) {
    const std::uint32_t owner = file.owner_of(method);
    if (owner != kNoIndex) return &file == type.file && owner == type.index;
    return std::ranges::any_of(file.heritage_of(method), [&](const parse::Heritage* heritage) {
      return file.name(file.facts.occurrences[heritage->occurrence].name) == symbol_of(type).name;
    });
  }

  // The files whose methods may be of a type that `file` declares.
  std::vector<const FileModel*> files_of(const FileModel& file) {
    if (file.is_library) return {&file};
    std::vector<const FileModel*> found;
    for (const store::FileRow* row : go_files_in(resolver_, family_, folder_of(file.path))) {
      if (is_go_test_file(row->path) && !is_go_test_file(file.path)) continue;
      const FileModel* other = resolver_.model(row->id);
      if (other != nullptr && other->facts.package == file.facts.package) found.push_back(other);
    }
    return found;
  }

  Resolver& resolver_;
  Family family_;
  InterfaceMemory& memory_;
};

bool is_sure(Sameness sameness) { return sameness == Sameness::kSure; }

void add_implied(std::vector<Implied>& to, const Entity& entity, bool is_sure) {
  const bool is_known = std::ranges::any_of(to, [&](const Implied& each) {
    return each.file == entity.file && each.symbol == entity.index;
  });
  if (!is_known) to.push_back({entity.file, entity.index, is_sure});
}

}  // namespace

std::vector<Implied> GoSemantics::implied_above(Resolver& resolver, const FileModel& file,
                                                std::uint32_t symbol) const {
  std::vector<Implied> found;
  Implementations types(resolver, file.family);
  const Entity self{EntityKind::kInstance, &file, symbol};
  if (is_type_like(symbol_of(self))) {
    for (const Entity& wanted : types.interfaces_with(types.method_names(self))) {
      const Sameness sameness = types.implements(self, wanted);
      if (sameness != Sameness::kNone) add_implied(found, wanted, is_sure(sameness));
    }
    return found;
  }
  if (symbol_of(self).type != SymbolType::kMethod) return found;
  const auto type = types.owner(file, symbol);
  if (!type) return found;
  const Entity method{EntityKind::kSymbol, &file, symbol};
  std::size_t looked_at = 0;
  for (const store::SymbolRow& row : resolver.symbol_rows(file.family, symbol_of(self).name)) {
    if (!is_of_interface(row)) continue;
    if (++looked_at > kMaxCandidateInterfaces || !go_on().ok()) break;
    const auto wanted = types.interface_of(row);
    if (!wanted || wanted->is_same(*type)) continue;
    const Entity asked{EntityKind::kSymbol, wanted->file, store::ordinal_of(row.id)};
    if (compare_signatures(resolver, method, asked) == Sameness::kNone) continue;
    Sameness sameness = types.implements(*type, *wanted);
    // It may be a method of a type that embeds this one and has the others.
    const bool is_promoted = sameness == Sameness::kNone;
    if (is_promoted) {
      types.visit_candidates(*wanted, kMaxEmbedding, kMaxEmbedding, [&](const Entity& other) {
        if (other.file->heritage_of(other.index).empty()) return true;
        const Entities members = types.implementing(other, asked);
        if (std::ranges::find(members, method) == members.end()) return true;
        sameness = types.implements(other, *wanted);
        return sameness == Sameness::kNone;
      });
    }
    if (sameness != Sameness::kNone) add_implied(found, asked, is_sure(sameness));
  }
  return found;
}

std::vector<Implied> GoSemantics::implied_below(Resolver& resolver, const FileModel& file,
                                                std::uint32_t symbol) const {
  std::vector<Implied> found;
  Implementations types(resolver, file.family);
  const Entity self{EntityKind::kInstance, &file, symbol};
  const bool is_method = symbol_of(self).type == SymbolType::kMethod;
  const auto wanted = is_method ? types.owner(file, symbol) : std::optional(self);
  if (!wanted || !is_interface(*wanted)) return found;
  types.visit_candidates(*wanted, kMaxImplementers, kMoreImplementers, [&](const Entity& type) {
    const Sameness sameness = types.implements(type, *wanted);
    if (sameness == Sameness::kNone) return true;
    if (!is_method) {
      add_implied(found, type, is_sure(sameness));
      return true;
    }
    for (const Entity& member : types.implementing(type, {EntityKind::kSymbol, &file, symbol})) {
      if (member.file->is_library || (member.file == &file && member.index == symbol)) continue;
      add_implied(found, member, is_sure(sameness));
    }
    return true;
  });
  return found;
}

// What a struct has in place of a method of what it embeds is another method; interfaces may
// declare one again.
bool GoSemantics::overrides(const FileModel& file, std::uint32_t symbol, const Entity&) const {
  const std::uint32_t owner = file.owner_of(symbol);
  return owner != kNoIndex && file.facts.symbols[owner].type == SymbolType::kInterface;
}

}  // namespace codexmem::graph
