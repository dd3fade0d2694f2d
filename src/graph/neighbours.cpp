#include "graph/neighbours.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "base/line_index.h"
#include "graph/usage_search.h"

namespace codexmem::graph {
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

class Neighbourhood {
 public:
  Neighbourhood(FactsCache::Impl& cache, store::CodeReader& reader,
                std::shared_ptr<const FileTable> files)
      : reader_(reader), resolver_(cache, reader, std::move(files)) {}

  Resolver& resolver() { return resolver_; }

  // The symbol `id`, and those that share its name beside it (overloads).
  std::vector<UsageTarget> targets(store::SymbolId id) {
    const FileModel* file = resolver_.model(store::file_of(id));
    const std::uint32_t ordinal = store::ordinal_of(id);
    if (file == nullptr || ordinal >= file->facts.symbols.size()) return {};
    std::vector<UsageTarget> found = {{file, ordinal}};
    const parse::Symbol& symbol = file->facts.symbols[ordinal];
    if (const auto name = file->find_name(symbol.name)) {
      for (const std::uint32_t other : file->members_of(file->owner_of(ordinal), *name)) {
        if (other != ordinal) found.push_back({file, other});
      }
    }
    return found;
  }

  void count(const FileModel& file, std::uint32_t symbol, const FileModel& place,
             std::uint32_t offset, Confidence confidence) {
    const auto [at, is_new] = found_.try_emplace(std::pair(&file, symbol));
    if (is_new) {
      at->second = {order_.size(), 1, &place, offset, confidence};
      order_.push_back(at->first);
    } else {
      ++at->second.count;
      at->second.confidence = std::max(at->second.confidence, confidence);
    }
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
      neighbour.count = found.count;
      neighbour.confidence = found.confidence;
      CODEXMEM_ASSIGN(neighbour.first, position(*found.place, found.offset));
      neighbours.push_back(std::move(neighbour));
    }
    return neighbours;
  }

 private:
  struct Found {
    std::size_t order = 0;
    std::size_t count = 0;
    const FileModel* place = nullptr;
    std::uint32_t offset = 0;
    Confidence confidence = Confidence::kResolved;
  };

  Result<Position> position(const FileModel& file, std::uint32_t offset) {
    auto known = contents_.find(file.id);
    if (known == contents_.end()) {
      CODEXMEM_ASSIGN(auto content, reader_.find_content(file.id));
      known = contents_.emplace(file.id, std::move(content).value_or("")).first;
    }
    return LineIndex(known->second).position_of(offset);
  }

  store::CodeReader& reader_;
  Resolver resolver_;
  std::map<std::pair<const FileModel*, std::uint32_t>, Found> found_;
  std::vector<std::pair<const FileModel*, std::uint32_t>> order_;
  std::map<store::FileId, std::string> contents_;
};

Result<std::unique_ptr<Neighbourhood>> make_neighbourhood(FactsCache& cache,
                                                          store::CodeReader& reader) {
  CODEXMEM_ASSIGN(auto files, cache.impl().files(reader));
  return std::make_unique<Neighbourhood>(cache.impl(), reader, std::move(files));
}

void cut(std::vector<Neighbour>& list, std::size_t limit) {
  if (list.size() > limit) list.resize(limit);
}

}  // namespace

Result<std::vector<Neighbour>> list_callers(FactsCache& cache, store::CodeReader& reader,
                                            store::SymbolId symbol, std::size_t limit) {
  CODEXMEM_ASSIGN(const auto around, make_neighbourhood(cache, reader));
  const std::vector<UsageTarget> targets = around->targets(symbol);
  if (targets.empty()) return std::vector<Neighbour>();
  UsageSearch search(around->resolver(), reader, targets);
  CODEXMEM_ASSIGN(const auto usages, search.run({}));
  for (const Usage& usage : usages) {
    if (usage.confidence < Confidence::kLikely) continue;
    if (usage_kind(*usage.file, usage.occurrence) != UsageKind::kCall) continue;
    const std::uint32_t offset = usage.file->facts.occurrences[usage.occurrence].offset;
    const std::uint32_t caller = enclosing_callable(*usage.file, offset);
    if (caller != kNoIndex) {
      around->count(*usage.file, caller, *usage.file, offset, usage.confidence);
    }
  }
  CODEXMEM_ASSIGN(auto callers, around->finish());
  std::stable_sort(callers.begin(), callers.end(), [](const Neighbour& a, const Neighbour& b) {
    return std::tie(b.count, a.path, a.symbol.start.line) <
           std::tie(a.count, b.path, b.symbol.start.line);
  });
  cut(callers, limit);
  return callers;
}

Result<std::vector<Neighbour>> list_callees(FactsCache& cache, store::CodeReader& reader,
                                            store::SymbolId symbol, std::size_t limit) {
  CODEXMEM_ASSIGN(const auto around, make_neighbourhood(cache, reader));
  const FileModel* file = around->resolver().model(store::file_of(symbol));
  const std::uint32_t ordinal = store::ordinal_of(symbol);
  if (file == nullptr || ordinal >= file->facts.symbols.size()) return std::vector<Neighbour>();
  const ByteRange range = file->facts.symbols[ordinal].range;
  const auto& occurrences = file->facts.occurrences;
  const auto first = std::partition_point(
      occurrences.begin(), occurrences.end(),
      [&](const parse::Occurrence& occurrence) { return occurrence.offset < range.begin; });
  for (auto at = first; at != occurrences.end() && at->offset < range.end; ++at) {
    if (at->role != parse::Role::kCall) continue;
    const auto index = static_cast<std::uint32_t>(at - occurrences.begin());
    for (const Entity& entity : Entities(around->resolver().resolve(*file, index))) {
      if (entity.kind != EntityKind::kSymbol) continue;
      if (entity.file == file && entity.index == ordinal) continue;
      around->count(*entity.file, entity.index, *file, at->offset, Confidence::kResolved);
    }
  }
  CODEXMEM_ASSIGN(auto callees, around->finish());
  cut(callees, limit);
  return callees;
}

Result<std::vector<Neighbour>> list_supertypes(FactsCache& cache, store::CodeReader& reader,
                                               store::SymbolId symbol, std::size_t limit) {
  CODEXMEM_ASSIGN(const auto around, make_neighbourhood(cache, reader));
  const FileModel* file = around->resolver().model(store::file_of(symbol));
  const std::uint32_t ordinal = store::ordinal_of(symbol);
  if (file == nullptr || ordinal >= file->facts.symbols.size()) return std::vector<Neighbour>();
  for (const std::uint32_t occurrence : file->supertypes_of(ordinal)) {
    for (const Entity& entity : Entities(around->resolver().resolve(*file, occurrence))) {
      if (entity.kind != EntityKind::kSymbol) continue;
      around->count(*entity.file, entity.index, *file, file->facts.occurrences[occurrence].offset,
                    Confidence::kResolved);
    }
  }
  CODEXMEM_ASSIGN(auto types, around->finish());
  cut(types, limit);
  return types;
}

Result<std::vector<Neighbour>> list_subtypes(FactsCache& cache, store::CodeReader& reader,
                                             store::SymbolId symbol, std::size_t limit) {
  CODEXMEM_ASSIGN(const auto around, make_neighbourhood(cache, reader));
  const std::vector<UsageTarget> targets = around->targets(symbol);
  if (targets.empty()) return std::vector<Neighbour>();
  UsageSearch search(around->resolver(), reader, targets);
  CODEXMEM_ASSIGN(const auto usages, search.run({}));
  for (const Usage& usage : usages) {
    if (usage.confidence != Confidence::kResolved) continue;
    for (const parse::Heritage& heritage : usage.file->facts.heritage) {
      if (heritage.occurrence != usage.occurrence) continue;
      around->count(*usage.file, heritage.symbol, *usage.file,
                    usage.file->facts.occurrences[usage.occurrence].offset, Confidence::kResolved);
    }
  }
  CODEXMEM_ASSIGN(auto types, around->finish());
  std::stable_sort(types.begin(), types.end(), [](const Neighbour& a, const Neighbour& b) {
    return std::tie(a.path, a.symbol.start.line) < std::tie(b.path, b.symbol.start.line);
  });
  cut(types, limit);
  return types;
}

}  // namespace codexmem::graph
