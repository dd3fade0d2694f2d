#include "graph/uses/neighbours.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/stop_scope.h"
#include "graph/core/held_functions.h"
#include "graph/core/source_texts.h"
#include "graph/core/usage_search.h"

namespace codexmem::graph {

struct Surroundings::Parts {
  Parts(FactsCache::Impl& cache, store::CodeReader& code)
      : reader(code), resolver(cache, code), texts(code) {}

  store::CodeReader& reader;
  Resolver resolver;
  SourceTexts texts;
};

Surroundings::Surroundings(FactsCache& cache, store::CodeReader& reader)
    : parts_(std::make_unique<Parts>(cache.impl(), reader)) {}
Surroundings::~Surroundings() = default;

namespace {

using parse::kNoIndex;

// The function or class around `offset`: what a reader would call the caller.
std::uint32_t enclosing_callable(const FileModel& file, std::uint32_t offset) {
  for (std::uint32_t symbol = file.symbol_at(offset); symbol != kNoIndex;
       symbol = file.surrounding(symbol)) {
    const SymbolType type = file.facts.symbols[symbol].type;
    if (type == SymbolType::kFunction || type == SymbolType::kMethod ||
        type == SymbolType::kClass) {
      return symbol;
    }
  }
  return kNoIndex;
}

bool holds(const std::vector<UsageTarget>& targets, const FileModel& file, std::uint32_t symbol) {
  return std::any_of(targets.begin(), targets.end(), [&](const UsageTarget& target) {
    return target.file == &file && target.symbol == symbol;
  });
}

// Of a function that is declared and defined, the definition.
Entity definition_of(Resolver& resolver, const Entity& function) {
  if (!symbol_of(function).body.empty() || !is_callable(symbol_of(function))) return function;
  for (const Entity& other : resolver.merged_with(*function.file, function.index)) {
    if (!symbol_of(other).body.empty()) return other;
  }
  return function;
}

class Neighbourhood {
 public:
  explicit Neighbourhood(Surroundings::Parts& parts)
      : reader_(parts.reader), resolver_(parts.resolver), texts_(parts.texts) {}

  Resolver& resolver() { return resolver_; }

  // The member `id` where its type is: a method may be defined elsewhere.
  store::SymbolId declared(store::SymbolId id) {
    const auto asked = resolver_.symbol(id);
    if (!asked || asked->file->owner_of(asked->index) != kNoIndex) return id;
    for (const Entity& other : resolver_.merged_with(*asked->file, asked->index)) {
      if (other.file->owner_of(other.index) != kNoIndex) {
        return store::symbol_id(other.file->id, other.index);
      }
    }
    return id;
  }

  // The symbol `id` and its overloads: symbols of the same qualified name in the same file.
  std::vector<UsageTarget> targets(store::SymbolId id) {
    const auto asked = resolver_.symbol(id);
    if (!asked) return {};
    const FileModel* file = asked->file;
    const std::uint32_t ordinal = asked->index;
    std::vector<UsageTarget> found = {{file, ordinal}};
    const parse::Symbol& symbol = file->facts.symbols[ordinal];
    if (const auto name = file->find_name(symbol.name)) {
      for (const std::uint32_t other : file->members_of(file->owner_of(ordinal), *name)) {
        // (A method written apart from its type has no owner in the file; a symbol named after the
        // protocol that it implements, defimpl, has no overloads.)
        if (other != ordinal && file->qualified_name(other) == file->qualified_name(ordinal) &&
            !symbol.name_range.empty() && !file->facts.symbols[other].name_range.empty()) {
          found.push_back({file, other});
        }
      }
    }
    return found;
  }

  // True for a neighbour that was not met before. A declaration of the library does not count.
  bool count(const FileModel& file, std::uint32_t symbol, const FileModel& place,
             std::uint32_t offset, Confidence confidence, std::size_t depth = 1) {
    if (file.is_library) return false;
    const auto [at, is_new] = found_.try_emplace(std::pair(&file, symbol));
    if (is_new) {
      at->second = {depth, &place, {}, confidence};
      order_.push_back(at->first);
    }
    at->second.offsets.push_back(offset);
    at->second.confidence = std::max(at->second.confidence, confidence);
    return is_new;
  }

  // Counts `symbol` once, by its definition.
  void count_definition(const Entity& symbol) {
    const Entity defined = definition_of(resolver_, symbol);
    if (found_.contains(std::pair(defined.file, defined.index))) return;
    count(*defined.file, defined.index, *defined.file, symbol_of(defined).name_range.begin,
          Confidence::kResolved);
  }

  // Counts implicit super- and subtypes of a symbol; returns the ones that were not met before.
  std::vector<UsageTarget> add_implied(const std::vector<Implied>& implied) {
    std::vector<UsageTarget> added;
    for (const Implied& each : implied) {
      if (found_.contains(std::pair(each.file, each.symbol))) continue;
      count(*each.file, each.symbol, *each.file,
            each.file->facts.symbols[each.symbol].name_range.begin,
            each.is_sure ? Confidence::kResolved : Confidence::kLikely);
      added.push_back({each.file, each.symbol});
    }
    return added;
  }

  // Counts what extends or implements `types`, then what extends that, until there are `limit` or
  // no more.
  Result<void> add_subtypes(std::vector<UsageTarget> types, std::size_t limit,
                            std::size_t max_depth) {
    const std::vector<UsageTarget> asked = types;
    for (std::size_t depth = 1; depth <= max_depth && !types.empty(); ++depth) {
      UsageSearch search(resolver_, reader_, std::move(types));
      CODEXMEM_ASSIGN(const auto usages, search.run());
      types.clear();
      for (const Usage& usage : usages) {
        const parse::Occurrence& at = usage.file->facts.occurrences[usage.occurrence];
        if (usage.confidence != Confidence::kResolved || at.role != parse::Role::kInherit) continue;
        for (const parse::Heritage& heritage : usage.file->facts.heritage) {
          if (heritage.occurrence != usage.occurrence ||
              holds(asked, *usage.file, heritage.symbol)) {
            continue;
          }
          if (count(*usage.file, heritage.symbol, *usage.file, at.offset, Confidence::kResolved,
                    depth)) {
            types.push_back({usage.file, heritage.symbol});
          }
        }
      }
      if (depth == 1) {
        for (const UsageTarget& type : asked) {
          const auto added =
              add_implied(type.file->semantics.implied_below(resolver_, *type.file, type.symbol));
          types.insert(types.end(), added.begin(), added.end());
        }
        CODEXMEM_TRY(go_on());
      }
      if (order_.size() >= limit) break;
    }
    return {};
  }

  Result<Position> position(const FileModel& file, std::uint32_t offset) {
    CODEXMEM_ASSIGN(const auto* text, texts_.get(file.id));
    return text->lines.position_of(offset);
  }

  Result<std::vector<Neighbour>> finish() {
    CODEXMEM_TRY(resolver_.status());
    std::vector<Neighbour> neighbours;
    for (const auto& key : order_) {
      const Found& found = found_.at(key);
      CODEXMEM_ASSIGN(auto row, reader_.find_symbol(store::symbol_id(key.first->id, key.second)));
      if (!row) continue;
      Neighbour neighbour;
      neighbour.symbol = std::move(*row);
      neighbour.path = key.first->path;
      neighbour.count = found.offsets.size();
      neighbour.offsets = found.offsets;
      neighbour.depth = found.depth;
      neighbour.confidence = found.confidence;
      CODEXMEM_ASSIGN(neighbour.first, position(*found.place, found.offsets.front()));
      neighbours.push_back(std::move(neighbour));
    }
    return neighbours;
  }

 private:
  struct Found {
    std::size_t depth = 1;
    const FileModel* place = nullptr;
    std::vector<std::uint32_t> offsets;  // in `place`
    Confidence confidence = Confidence::kResolved;
  };

  store::CodeReader& reader_;
  Resolver& resolver_;
  SourceTexts& texts_;
  std::map<std::pair<const FileModel*, std::uint32_t>, Found> found_;
  std::vector<std::pair<const FileModel*, std::uint32_t>> order_;
};

Result<std::unique_ptr<Neighbourhood>> make_neighbourhood(const Surroundings& shared) {
  CODEXMEM_TRY(go_on());
  return std::make_unique<Neighbourhood>(shared.parts());
}

void cut(std::vector<Neighbour>& list, std::size_t limit) {
  if (list.size() > limit) list.resize(limit);
}

// The symbols among `entities`, each once and by its definition.
Entities symbols_of(Resolver& resolver, const Entities& entities) {
  Entities symbols;
  for (const Entity& entity : entities) {
    if (entity.kind != EntityKind::kSymbol) continue;
    const Entity defined = definition_of(resolver, entity);
    const bool is_new =
        std::ranges::none_of(symbols, [&](const Entity& other) { return defined.is_same(other); });
    if (is_new) symbols.push_back(defined);
  }
  return symbols;
}

// How sure it is that a place which means `entities`, among them `symbols`, means each of these.
Confidence confidence_of(Resolver& resolver, const Entities& entities, const Entities& symbols) {
  const LanguageTraits& traits = symbols.front().file->semantics.traits();
  if (!traits.overloads_are_distinct && !traits.alternatives_are_likely) {
    return Confidence::kResolved;
  }
  if (traits.alternatives_are_likely &&
      (has_kind(entities, EntityKind::kUnknown) || has_kind(entities, EntityKind::kExternal))) {
    return Confidence::kLikely;
  }
  const Entities merged = resolver.merged_with(*symbols.front().file, symbols.front().index);
  const bool are_one = std::all_of(symbols.begin() + 1, symbols.end(), [&](const Entity& other) {
    return symbol_of(other).name != symbol_of(symbols.front()).name ||
           std::ranges::any_of(merged, [&](const Entity& one) { return one.is_same(other); });
  });
  return are_one ? Confidence::kResolved : Confidence::kLikely;
}

// Symbols outside of `symbol` that are named inside of it, where
// wanted(file, occurrence, the symbol that is meant).
template <typename Wanted>
Result<std::vector<Neighbour>> list_named(const Surroundings& shared, store::SymbolId symbol,
                                          std::size_t limit, Wanted wanted) {
  CODEXMEM_ASSIGN(const auto around, make_neighbourhood(shared));
  Resolver& resolver = around->resolver();
  const auto asked = resolver.symbol(symbol);
  CODEXMEM_TRY(resolver.status());
  if (!asked || !resolves_names(asked->file->family)) return std::vector<Neighbour>();
  const FileModel* file = asked->file;
  std::set<std::pair<const FileModel*, std::uint32_t>> held_of;  // what was asked for its functions
  const ByteRange range = symbol_of(*asked).range;
  const auto& occurrences = file->facts.occurrences;
  const auto first = std::partition_point(
      occurrences.begin(), occurrences.end(),
      [&](const parse::Occurrence& occurrence) { return occurrence.offset < range.begin; });
  for (auto at = first; at != occurrences.end() && at->offset < range.end; ++at) {
    const auto index = static_cast<std::uint32_t>(at - occurrences.begin());
    const bool is_named = at->role == parse::Role::kCall || file->call_of(index) ||
                          usage_kind(*file, index) == UsageKind::kType;
    if (!is_named) continue;
    CODEXMEM_TRY(go_on());
    const Entities entities = resolver.resolve(*file, index);
    const Entities symbols = symbols_of(resolver, entities);
    if (symbols.empty()) continue;
    // A class is as sure as its name, whichever of its constructors is called.
    const Entities types = without_makers(entities);
    const bool has_makers = types.size() < entities.size();
    const Confidence of_types =
        confidence_of(resolver, types, has_makers ? symbols_of(resolver, types) : symbols);
    Entities makers = symbols;
    std::erase_if(makers, [&](const Entity& entity) { return is_type_like(symbol_of(entity)); });
    const Confidence of_makers =
        has_makers && !makers.empty() ? confidence_of(resolver, entities, makers) : of_types;
    for (const Entity& entity : symbols) {
      const parse::Symbol& named = symbol_of(entity);
      const Confidence confidence = is_type_like(named) ? of_types : of_makers;
      // Its own members and what it defines for itself are no neighbours.
      if (entity.file == file && range.contains(named.range)) continue;
      if (!wanted(*file, index, named)) continue;
      around->count(*entity.file, entity.index, *file, at->offset, confidence);
      if (at->role != parse::Role::kCall || is_callable(named) ||
          !entity.file->semantics.traits().values_hold_functions ||
          !held_of.insert({entity.file, entity.index}).second) {
        continue;
      }
      CODEXMEM_ASSIGN(const Entities held,
                      held_functions(resolver, shared.parts().reader, entity, *file, limit));
      for (const Entity& function : symbols_of(resolver, held)) {
        around->count(*function.file, function.index, *file, at->offset, Confidence::kLikely);
      }
    }
  }
  CODEXMEM_ASSIGN(auto found, around->finish());
  cut(found, limit);
  return found;
}

}  // namespace

Result<std::vector<Neighbour>> list_callers(const Surroundings& shared, store::SymbolId symbol,
                                            std::size_t limit) {
  CODEXMEM_ASSIGN(auto sites,
                  list_call_sites(shared, symbol, limit, [](std::string_view) { return false; }));
  return std::move(sites.callers);
}

Result<CallSites> list_call_sites(const Surroundings& shared, store::SymbolId symbol,
                                  std::size_t limit,
                                  const std::function<bool(std::string_view path)>& is_test) {
  CallSites sites;
  CODEXMEM_ASSIGN(const auto around, make_neighbourhood(shared));
  const std::vector<UsageTarget> targets = around->targets(symbol);
  if (targets.empty()) return sites;
  UsageSearch search(around->resolver(), shared.parts().reader, targets);
  CODEXMEM_ASSIGN(const auto usages, search.run());
  struct FoundTest {
    TestUse use;
    const FileModel* file = nullptr;
    std::uint32_t offset = 0;
  };
  std::map<std::pair<std::string_view, std::uint32_t>, FoundTest> tests;  // by path and symbol
  for (const Usage& usage : usages) {
    if (usage.confidence < Confidence::kLikely) continue;
    const UsageTarget& used = targets[usage.target];
    const parse::Symbol& called = used.file->facts.symbols[used.symbol];
    if (usage_kind(*usage.file, usage.occurrence, &called) != UsageKind::kCall) continue;
    const std::uint32_t offset = usage.file->facts.occurrences[usage.occurrence].offset;
    const std::uint32_t caller = enclosing_callable(*usage.file, offset);
    if (is_test(usage.file->path)) {
      FoundTest& test = tests[{usage.file->path, caller}];
      if (test.file == nullptr) {
        test = {{usage.file->path, "", 0, {}}, usage.file, offset};
        if (caller != kNoIndex) test.use.test = usage.file->qualified_name(caller);
      }
      ++test.use.count;
    } else if (caller != kNoIndex) {
      around->count(*usage.file, caller, *usage.file, offset, usage.confidence);
    }
  }
  CODEXMEM_ASSIGN(sites.callers, around->finish());
  std::stable_sort(sites.callers.begin(), sites.callers.end(),
                   [](const Neighbour& a, const Neighbour& b) {
                     return std::tie(b.count, a.path, a.symbol.start.line) <
                            std::tie(a.count, b.path, b.symbol.start.line);
                   });
  cut(sites.callers, limit);
  for (auto& [key, test] : tests) {
    CODEXMEM_ASSIGN(test.use.first, around->position(*test.file, test.offset));
    sites.tests.push_back(std::move(test.use));
  }
  std::stable_sort(sites.tests.begin(), sites.tests.end(), [](const TestUse& a, const TestUse& b) {
    return std::tie(b.count, a.path, a.first.line) < std::tie(a.count, b.path, b.first.line);
  });
  if (sites.tests.size() > limit) sites.tests.resize(limit);
  return sites;
}

Result<std::vector<Neighbour>> list_callees(const Surroundings& shared, store::SymbolId symbol,
                                            std::size_t limit) {
  return list_named(shared, symbol, limit,
                    [](const FileModel& file, std::uint32_t index, const parse::Symbol& named) {
                      return usage_kind(file, index, &named) == UsageKind::kCall;
                    });
}

Result<std::vector<Neighbour>> list_types(const Surroundings& shared, store::SymbolId symbol,
                                          std::size_t limit) {
  return list_named(
      shared, symbol, limit,
      [](const FileModel& file, std::uint32_t occurrence, const parse::Symbol& named) {
        return usage_kind(file, occurrence) == UsageKind::kType &&
               (named.type == SymbolType::kClass || named.type == SymbolType::kInterface ||
                named.type == SymbolType::kType);
      });
}

Result<std::vector<Neighbour>> list_supertypes(const Surroundings& shared, store::SymbolId symbol,
                                               std::size_t limit, std::size_t max_depth,
                                               bool with_implied) {
  CODEXMEM_ASSIGN(const auto around, make_neighbourhood(shared));
  std::vector<UsageTarget> level = around->targets(symbol);
  const std::vector<UsageTarget> asked = level;
  for (std::size_t depth = 1; depth <= max_depth && !level.empty(); ++depth) {
    std::vector<UsageTarget> next;
    for (const UsageTarget& type : level) {
      CODEXMEM_TRY(go_on());
      for (const parse::Heritage* heritage : type.file->heritage_of(type.symbol)) {
        const std::uint32_t occurrence = heritage->occurrence;
        for (const Entity& entity : around->resolver().resolve(*type.file, occurrence)) {
          if (entity.kind != EntityKind::kSymbol || holds(asked, *entity.file, entity.index)) {
            continue;
          }
          const std::uint32_t offset = type.file->facts.occurrences[occurrence].offset;
          if (around->count(*entity.file, entity.index, *type.file, offset, Confidence::kResolved,
                            depth)) {
            next.push_back({entity.file, entity.index});
          }
        }
      }
    }
    level = std::move(next);
  }
  if (with_implied) {
    for (const UsageTarget& type : asked) {
      around->add_implied(
          type.file->semantics.implied_above(around->resolver(), *type.file, type.symbol));
    }
    CODEXMEM_TRY(go_on());
  }
  CODEXMEM_ASSIGN(auto types, around->finish());
  cut(types, limit);
  return types;
}

Result<std::vector<Neighbour>> list_subtypes(const Surroundings& shared, store::SymbolId symbol,
                                             std::size_t limit, std::size_t max_depth) {
  CODEXMEM_ASSIGN(const auto around, make_neighbourhood(shared));
  CODEXMEM_TRY(around->add_subtypes(around->targets(symbol), limit, max_depth));
  CODEXMEM_ASSIGN(auto types, around->finish());
  std::stable_sort(types.begin(), types.end(), [](const Neighbour& a, const Neighbour& b) {
    return std::tie(a.depth, a.path, a.symbol.start.line) <
           std::tie(b.depth, b.path, b.symbol.start.line);
  });
  cut(types, limit);
  return types;
}

namespace {

constexpr std::size_t kMaxHierarchyDepth = 16;

// False for a name that subtypes do not share with their supertypes.
bool may_override(const FileModel& file, std::uint32_t member) {
  const std::string& name = file.facts.symbols[member].name;
  if (file.is_assigned_member(member)) return false;
  return file.semantics.may_override(name);
}

// Members that override `symbol`. Of all members of its name those are asked what they override: a
// base class of a large repository has thousands of subtypes, and few of them have the member.
Result<std::vector<Neighbour>> list_overriding(const Surroundings& shared, store::SymbolId symbol,
                                               std::size_t limit) {
  CODEXMEM_ASSIGN(const auto around, make_neighbourhood(shared));
  Resolver& resolver = around->resolver();
  const std::vector<UsageTarget> members = around->targets(symbol);
  const FileModel& file = *members.front().file;
  CODEXMEM_ASSIGN(const auto rows, shared.parts().reader.list_symbols_named(
                                       file.facts.symbols[members.front().symbol].name));
  for (const store::SymbolRow& row : rows) {
    const store::FileRow* owner = resolver.files().find(store::file_of(row.id));
    if (row.container.empty() || owner == nullptr || family_of(owner->language) != file.family) {
      continue;
    }
    const auto member = resolver.symbol(row.id);
    if (!member) continue;
    const FileModel* model = member->file;
    const std::uint32_t candidate = member->index;
    if (holds(members, *model, candidate) || !may_override(*model, candidate)) continue;
    const Entities overridden = resolver.overridden(*model, candidate);
    if (std::any_of(overridden.begin(), overridden.end(), [&](const Entity& base) {
          return base.kind == EntityKind::kSymbol && holds(members, *base.file, base.index);
        })) {
      around->count_definition(*member);
    }
  }
  for (const UsageTarget& member : members) {
    around->add_implied(file.semantics.implied_below(resolver, *member.file, member.symbol));
  }
  CODEXMEM_TRY(go_on());
  CODEXMEM_ASSIGN(auto overriding, around->finish());
  std::stable_sort(
      overriding.begin(), overriding.end(), [](const Neighbour& a, const Neighbour& b) {
        return std::tie(a.path, a.symbol.start.line) < std::tie(b.path, b.symbol.start.line);
      });
  cut(overriding, limit);
  return overriding;
}

Result<std::vector<Neighbour>> list_overridden(const Surroundings& shared, store::SymbolId symbol,
                                               std::size_t limit) {
  CODEXMEM_ASSIGN(const auto around, make_neighbourhood(shared));
  const UsageTarget member = around->targets(symbol).front();
  for (const Entity& base : around->resolver().overridden(*member.file, member.symbol)) {
    if (base.kind == EntityKind::kSymbol) around->count_definition(base);
  }
  around->add_implied(
      member.file->semantics.implied_above(around->resolver(), *member.file, member.symbol));
  CODEXMEM_TRY(go_on());
  CODEXMEM_ASSIGN(auto overridden, around->finish());
  cut(overridden, limit);
  return overridden;
}

}  // namespace

Result<Hierarchy> find_hierarchy(const Surroundings& shared, store::SymbolId symbol,
                                 std::size_t limit) {
  Hierarchy hierarchy;
  CODEXMEM_ASSIGN(const auto around, make_neighbourhood(shared));
  symbol = around->declared(symbol);
  const std::vector<UsageTarget> targets = around->targets(symbol);
  if (targets.empty()) return hierarchy;
  const UsageTarget& target = targets.front();
  const FileModel& file = *target.file;
  if (is_type(file.facts.symbols[target.symbol].type)) {
    CODEXMEM_ASSIGN(hierarchy.supertypes,
                    list_supertypes(shared, symbol, limit, kMaxHierarchyDepth, true));
    CODEXMEM_ASSIGN(hierarchy.subtypes, list_subtypes(shared, symbol, limit, kMaxHierarchyDepth));
  }
  const std::uint32_t owner = file.owner_of(target.symbol);
  const bool is_of_type =
      owner == kNoIndex ? file.is_member(target.symbol) : is_type(file.facts.symbols[owner].type);
  if (!is_of_type || !may_override(file, target.symbol)) return hierarchy;
  CODEXMEM_ASSIGN(hierarchy.overrides, list_overridden(shared, symbol, limit));
  CODEXMEM_ASSIGN(hierarchy.overridden_by, list_overriding(shared, symbol, limit));
  return hierarchy;
}

}  // namespace codexmem::graph
