// Tested by lsp/requests_test.py.
#include "graph/uses/named_place.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "base/ascii.h"
#include "base/stop_scope.h"
#include "base/text.h"
#include "graph/core/resolver.h"
#include "graph/core/usage_search.h"

namespace codexmem::graph {
namespace {

using parse::kNoIndex;

// Of a name that nothing explains, at most this many definitions are shown; of a member fewer, as
// in core/usage_search.h.
constexpr std::size_t kMaxGuesses = 20, kMaxMemberGuesses = 3;

// The identifier around or before `offset`.
ByteRange word_at(std::string_view text, std::uint32_t offset) {
  std::size_t begin = std::min<std::size_t>(offset, text.size()), end = begin;
  while (begin > 0 && is_identifier_char(text[begin - 1])) --begin;
  while (end < text.size() && is_identifier_char(text[end])) ++end;
  return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
}

class PlaceLookup {
 public:
  PlaceLookup(Resolver& resolver, store::CodeReader& reader)
      : reader_(reader), resolver_(resolver) {}

  Result<std::optional<NamedPlace>> find(store::FileId id, std::uint32_t offset) {
    const FileModel* file = resolver_.model(id);
    CODEXMEM_TRY(resolver_.status());
    if (file == nullptr) return std::optional<NamedPlace>();
    CODEXMEM_ASSIGN(const auto content, reader_.find_content(id));
    text_ = content.value_or("");
    occurrences_ = occurrences_around(*file, offset);
    if (!occurrences_.empty()) {
      place_.range = range_of(*file, occurrences_.front());
      place_.name = file->name(file->facts.occurrences[occurrences_.front()].name);
      for (const std::uint32_t index : occurrences_) add_all(resolver_.resolve(*file, index));
      if (place_.empty()) add_guesses(*file);
    } else if (!add_declared(*file, offset) && !add_path(*file, offset)) {
      return std::optional<NamedPlace>();
    }
    place_.is_definition = file->symbol_named_at(place_.range.begin) != kNoIndex;
    CODEXMEM_TRY(resolver_.status());
    return std::optional(std::move(place_));
  }

  Result<std::vector<store::SymbolId>> types(store::FileId id, std::uint32_t offset) {
    CODEXMEM_ASSIGN(const auto named, find(id, offset));
    const FileModel* file = resolver_.model(id);
    place_ = {};
    known_.clear();
    if (!named || file == nullptr) return place_.symbols;
    for (const std::uint32_t index : occurrences_) {
      for (const Entity& meant : Entities(resolver_.resolve(*file, index))) {
        if (meant.kind == EntityKind::kSymbol && is_type_like(symbol_of(meant))) add_symbol(meant);
      }
      add_types(resolver_.values_at(*file, index));
    }
    CODEXMEM_TRY(resolver_.status());
    return std::move(place_.symbols);
  }

  Result<std::vector<FileUse>> uses_in(store::FileId id, const NamedPlace& named) {
    const FileModel* file = resolver_.model(id);
    CODEXMEM_TRY(resolver_.status());
    if (file == nullptr) return std::vector<FileUse>();
    CODEXMEM_ASSIGN(const auto content, reader_.find_content(id));
    text_ = content.value_or("");
    known_ = {named.symbols.begin(), named.symbols.end()};
    std::map<std::uint32_t, FileUse> uses;  // by offset
    std::set<std::string> names = {named.name};
    for (const store::SymbolId symbol : named.symbols) {
      const auto entity = resolver_.symbol(symbol);
      if (!entity) continue;
      names.insert(symbol_of(*entity).name);
      const ByteRange& at = symbol_of(*entity).name_range;
      if (entity->file == file && !at.empty()) uses[at.begin] = {{id, at}, UsageKind::kWrite, true};
    }
    for (const FilePlace& local : named.locals) {
      if (local.file == id) uses[local.range.begin] = {local, UsageKind::kWrite, true};
    }
    for (const std::string& name : names) {
      const auto known = file->find_name(name);
      for (const std::uint32_t index :
           known ? file->occurrences_of(*known) : std::span<const std::uint32_t>()) {
        CODEXMEM_TRY(go_on());
        const std::uint32_t offset = file->facts.occurrences[index].offset;
        if (file->facts.occurrences[index].by_syntax || uses.contains(offset) ||
            !means_one(resolver_.resolve(*file, index), named)) {
          continue;
        }
        uses[offset] = {{id, range_of(*file, index)}, usage_kind(*file, index)};
      }
    }
    CODEXMEM_TRY(resolver_.status());
    std::vector<FileUse> list;
    for (const auto& [offset, use] : uses) list.push_back(use);
    return list;
  }

  // The keys of calls, in files that have the name, that mean the parameter `local`.
  Result<std::vector<FileUse>> keyword_uses(const FilePlace& local, const std::string& name) {
    std::vector<FileUse> uses;
    const FileModel* own = resolver_.model(local.file);
    CODEXMEM_TRY(resolver_.status());
    const std::uint32_t binding = own == nullptr ? kNoIndex : own->binding_at(local.range.begin);
    if (binding == kNoIndex ||
        own->facts.bindings[binding].kind != parse::BindingKind::kParameter) {
      return uses;
    }
    const NamedPlace named{
        .range = {}, .name = name, .symbols = {}, .locals = {local}, .files = {}};
    for (const store::FileId id : resolver_.files_naming(own->family, name)) {
      const FileModel* file = resolver_.model(id);
      const auto known = file == nullptr || id == local.file ? std::nullopt : file->find_name(name);
      for (const std::uint32_t index :
           known ? file->occurrences_of(*known) : std::span<const std::uint32_t>()) {
        CODEXMEM_TRY(go_on());
        const parse::Occurrence& at = file->facts.occurrences[index];
        if (at.receiver_kind != parse::ReceiverKind::kKey ||
            !means_one(resolver_.resolve(*file, index), named)) {
          continue;
        }
        const auto size = static_cast<std::uint32_t>(name.size());
        uses.push_back({{id, {at.offset, at.offset + size}}, usage_kind(*file, index)});
      }
    }
    CODEXMEM_TRY(resolver_.status());
    return uses;
  }

 private:
  static bool is_local(const Entity& entity) {
    return entity.kind == EntityKind::kLocal || entity.kind == EntityKind::kTypeParameter;
  }

  bool means_one(const Entities& meant, const NamedPlace& named) const {
    return std::ranges::any_of(meant, [&](const Entity& entity) {
      if (entity.kind == EntityKind::kSymbol && !entity.file->is_library) {
        return known_.contains(store::symbol_id(entity.file->id, entity.index));
      }
      if (entity.kind == EntityKind::kModule) {
        return std::ranges::find(named.files, entity.file->id) != named.files.end();
      }
      return is_local(entity) && std::ranges::any_of(named.locals, [&](const FilePlace& local) {
               return local.file == entity.file->id &&
                      is_one(*entity.file, local.range.begin, entity.index);
             });
    });
  }

  // True if the bindings at `offset` and `binding` are one variable. A name that a scope binds
  // several times is one, except where the language says otherwise.
  static bool is_one(const FileModel& file, std::uint32_t offset, std::uint32_t binding) {
    const std::uint32_t declared = file.binding_at(offset);
    if (declared == binding) return true;
    if (declared == kNoIndex || file.semantics.traits().locals_are_distinct) return false;
    const parse::Binding &a = file.facts.bindings[declared], &b = file.facts.bindings[binding];
    return a.scope == b.scope && a.name == b.name;
  }

  // Of an occurrence: its name, as far as the text has it there.
  ByteRange range_of(const FileModel& file, std::uint32_t index) const {
    const parse::Occurrence& at = file.facts.occurrences[index];
    return name_range(text_, at.offset, file.name(at.name));
  }

  // Those that hold `offset` or, without such, end there. { a } is a key and a name in one place.
  std::vector<std::uint32_t> occurrences_around(const FileModel& file, std::uint32_t offset) const {
    constexpr std::uint32_t kMaxBack = 400;  // occurrences that are looked at
    const auto& all = file.facts.occurrences;
    const auto after = std::partition_point(
        all.begin(), all.end(), [&](const parse::Occurrence& at) { return at.offset <= offset; });
    std::vector<std::uint32_t> inside, before;
    auto index = static_cast<std::uint32_t>(after - all.begin());
    const std::uint32_t last = index > kMaxBack ? index - kMaxBack : 0;
    while (index-- > last) {
      if (all[index].by_syntax) continue;
      const ByteRange range = range_of(file, index);
      if (!inside.empty() && all[inside.back()].offset != range.begin) break;
      if (range.contains(offset)) {
        inside.push_back(index);
      } else if (range.end == offset && range.begin < offset) {
        before.push_back(index);
      }
    }
    return inside.empty() ? before : inside;
  }

  // The definition, or the name of an import or export, that is written at `offset` where the facts
  // have no occurrence.
  bool add_declared(const FileModel& file, std::uint32_t offset) {
    for (std::uint32_t i = 0; i < file.facts.symbols.size(); ++i) {
      const ByteRange& name = file.facts.symbols[i].name_range;
      if (name.empty() || offset < name.begin || offset > name.end) continue;
      place_.range = name;
      place_.name = file.facts.symbols[i].name;
      add_symbol({EntityKind::kSymbol, &file, i});
      return true;
    }
    const ByteRange word = word_at(text_, offset);
    if (word.empty()) return false;
    place_.range = word;
    place_.name = text_.substr(word.begin, word.size());
    if (const std::uint32_t binding = file.binding_at(word.begin); binding != kNoIndex) {
      add_all(resolver_.resolve_binding(file, binding));
    } else if (const auto imported = file.imported_name_at(word.begin)) {
      add_all(resolver_.resolve_import(file, imported->first, imported->second));
    } else if (const std::uint32_t entry = file.export_at(word.begin); entry != kNoIndex) {
      add_all(resolver_.resolve_export(file, entry));
    }
    return !place_.empty();
  }

  // The file that the path of an import leads to.
  bool add_path(const FileModel& file, std::uint32_t offset) {
    for (std::uint32_t i = 0; i < file.facts.imports.size(); ++i) {
      const parse::Import& import = file.facts.imports[i];
      const ByteRange path{import.path_offset,
                           import.path_offset + static_cast<std::uint32_t>(import.path.size())};
      if (offset < path.begin || offset > path.end) continue;
      place_.range = path;
      place_.name = import.path;
      for (const store::DependencyRow& row : resolver_.dependencies(file.id)) {
        if (row.import_index == i && row.target) add_file(*row.target);
      }
      return true;
    }
    return false;
  }

  void add_all(const Entities& meant) {
    for (const Entity& entity : without_makers(meant)) add(entity);
  }

  void add(const Entity& entity) {
    if (entity.file == nullptr || entity.file->is_library) return;
    const FileModel& file = *entity.file;
    if (entity.kind == EntityKind::kSymbol || is_instance(entity) ||
        entity.kind == EntityKind::kTypeVariable) {
      add_symbol(entity);
    } else if (is_local(entity)) {
      const parse::Binding& bound = file.facts.bindings[entity.index];
      add_local(file, file.name(bound.name), bound.offset);
    } else if (entity.kind == EntityKind::kModule) {
      add_file(file.id);
    } else if (entity.kind == EntityKind::kTerm) {
      add_key(file, entity.index);
    }
  }

  void add_file(store::FileId id) {
    if (std::ranges::find(place_.files, id) == place_.files.end()) place_.files.push_back(id);
  }

  void add_local(const FileModel& file, const std::string& name, std::uint32_t offset) {
    const FilePlace place{file.id, {offset, offset + static_cast<std::uint32_t>(name.size())}};
    if (std::ranges::find(place_.locals, place) == place_.locals.end()) {
      place_.locals.push_back(place);
    }
  }

  // The key of an object that has the value `term`.
  void add_key(const FileModel& file, std::uint32_t term) {
    for (const parse::Object& object : file.facts.objects) {
      for (const parse::ObjectKey& key : object.keys) {
        if (key.term != term || key.occurrence == kNoIndex) continue;
        add_local(file, file.name(key.name), file.facts.occurrences[key.occurrence].offset);
      }
    }
  }

  // The symbol and its other declarations: of a namespace there may be thousands.
  void add_symbol(const Entity& entity) {
    if (!take_symbol(entity)) return;
    for (const Entity& other : resolver_.merged_with(*entity.file, entity.index)) {
      if (other.kind == EntityKind::kSymbol && !other.file->is_library) take_symbol(other);
    }
  }

  bool take_symbol(const Entity& entity) {
    const store::SymbolId id = store::symbol_id(entity.file->id, entity.index);
    if (!known_.insert(id).second) return false;
    place_.symbols.push_back(id);
    return true;
  }

  // Definitions that have the name, where nothing is known of what it means.
  void add_guesses(const FileModel& file) {
    const parse::Occurrence& at = file.facts.occurrences[occurrences_.front()];
    const bool is_resolved = resolves_names(file.family);
    if (is_resolved &&
        (at.receiver_kind == parse::ReceiverKind::kNone ||
         !has_kind(resolver_.resolve(file, occurrences_.front()), EntityKind::kUnknown))) {
      return;
    }
    Entities named = resolver_.list_symbols(file.family, place_.name);
    const auto is_here = [&](const Entity& entity) { return entity.file == &file; };
    if (is_resolved) {
      std::erase_if(named, [](const Entity& each) { return !each.file->is_member(each.index); });
    } else if (std::ranges::any_of(named, is_here)) {
      std::erase_if(named, std::not_fn(is_here));
    }
    if (named.empty() || named.size() > (is_resolved ? kMaxMemberGuesses : kMaxGuesses)) return;
    for (const Entity& entity : named) add_symbol(entity);
    place_.is_guess = true;
  }

  void add_types(const Entities& values) {
    for (const Entity& value : values) {
      if (value.file == nullptr || value.file->is_library) continue;
      if (is_instance(value)) {
        add_symbol({EntityKind::kSymbol, value.file, value.index});
      } else if (value.kind == EntityKind::kSymbol && is_callable(symbol_of(value))) {
        for (const Entity& given : resolver_.call_results({value})) {
          if (is_instance(given) && !given.file->is_library) {
            add_symbol({EntityKind::kSymbol, given.file, given.index});
          }
        }
      }
    }
  }

  store::CodeReader& reader_;
  Resolver& resolver_;
  std::string text_;
  std::vector<std::uint32_t> occurrences_;
  NamedPlace place_;
  std::set<store::SymbolId> known_;  // of place_.symbols
};

Drawer drawer_of(Confidence confidence) {
  return confidence == Confidence::kResolved ? Drawer::kCertain
         : confidence == Confidence::kLikely ? Drawer::kLikely
                                             : Drawer::kPossible;
}

}  // namespace

Result<std::optional<NamedPlace>> find_named_place(Resolver& resolver, store::CodeReader& reader,
                                                   store::FileId file, std::uint32_t offset) {
  return PlaceLookup(resolver, reader).find(file, offset);
}

Result<std::vector<store::SymbolId>> find_types_at(Resolver& resolver, store::CodeReader& reader,
                                                   store::FileId file, std::uint32_t offset) {
  return PlaceLookup(resolver, reader).types(file, offset);
}

Result<std::vector<FileUse>> list_uses_in(Resolver& resolver, store::CodeReader& reader,
                                          store::FileId file, const NamedPlace& named) {
  return PlaceLookup(resolver, reader).uses_in(file, named);
}

Result<std::vector<FileUse>> list_local_uses(Resolver& resolver, store::CodeReader& reader,
                                             const FilePlace& local, const std::string& name) {
  PlaceLookup lookup(resolver, reader);
  const NamedPlace named{.range = {}, .name = name, .symbols = {}, .locals = {local}, .files = {}};
  CODEXMEM_ASSIGN(auto uses, lookup.uses_in(local.file, named));
  CODEXMEM_ASSIGN(const auto keys, lookup.keyword_uses(local, name));
  uses.insert(uses.end(), keys.begin(), keys.end());
  std::ranges::stable_sort(uses, {}, &FileUse::place);
  return uses;
}

Result<std::shared_ptr<const FoundUsages>> find_uses(FactsCache& cache, Resolver& resolver,
                                                     store::CodeReader& reader,
                                                     const std::vector<store::SymbolId>& symbols) {
  CODEXMEM_ASSIGN(const std::int64_t generation, reader.generation());
  std::string key = "#";
  for (const store::SymbolId id : symbols) key += fmt::format("{},", static_cast<std::int64_t>(id));
  if (auto known = cache.impl().find_usages(key, generation)) return known;
  std::vector<UsageTarget> targets;
  for (const store::SymbolId id : symbols) {
    if (const auto symbol = resolver.symbol(id)) targets.push_back({symbol->file, symbol->index});
  }
  CODEXMEM_TRY(resolver.status());
  auto found = std::make_shared<FoundUsages>();
  UsageSearch search(resolver, reader, std::move(targets));
  CODEXMEM_ASSIGN(const auto usages, search.run());
  for (const Usage& usage : usages) {
    if (usage.confidence == Confidence::kName) continue;
    found->uses.hits.push_back(
        {usage.file->id, usage.file->facts.occurrences[usage.occurrence].offset, usage.occurrence,
         static_cast<std::uint32_t>(usage.target), drawer_of(usage.confidence), usage.doubt});
  }
  for (const FileModel* file : search.searched()) {
    if (!file->facts.unparsed.empty() || file->facts.truncated) ++found->coverage.files_unparsed;
  }
  if (resolver.damaged_files() == 0) cache.impl().keep_usages(std::move(key), generation, found);
  return std::shared_ptr<const FoundUsages>(std::move(found));
}

ByteRange name_range(std::string_view text, std::uint32_t offset, std::string_view name) {
  const std::string_view rest = text.substr(std::min<std::size_t>(offset, text.size()));
  if (rest.starts_with(name)) return {offset, offset + static_cast<std::uint32_t>(name.size())};
  return {offset, std::max(offset, word_at(text, offset).end)};
}

}  // namespace codexmem::graph
