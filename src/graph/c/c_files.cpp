// Tested by graph/c_test.cpp.
#include "graph/c/c_files.h"

#include <unordered_map>
#include <utility>
#include <vector>

namespace codexmem::graph {
namespace {

constexpr std::size_t kMaxIncluded = 20'000;  // files that one sees

// What is remembered as long as a question is answered.
struct IncludeMemory : Resolver::Memory {
  std::unordered_map<store::FileId, FileSet> seen;    // by the file that sees them, itself too
  std::unordered_map<store::FileId, FileSet> around;  // by the file that they see
};

// The file, and what is reached from it by `step`, which calls its argument with the next files.
template <typename Step>
const FileSet& reached(std::unordered_map<store::FileId, FileSet>& known, store::FileId id,
                       Step step) {
  const auto [at, is_new] = known.try_emplace(id);
  if (!is_new) return at->second;
  std::vector<store::FileId> open = {id};
  FileSet files = {id};
  while (!open.empty() && files.size() < kMaxIncluded) {
    const store::FileId file = open.back();
    open.pop_back();
    step(file, [&](store::FileId next) {
      if (files.insert(next).second) open.push_back(next);
    });
  }
  return known[id] = std::move(files);
}

}  // namespace

const FileSet& files_seen(Resolver& resolver, store::FileId id) {
  return reached(resolver.memory<IncludeMemory>().seen, id,
                 [&](store::FileId file, const auto& add) {
                   for (const store::DependencyRow& row : resolver.dependencies(file)) {
                     if (row.target) add(*row.target);
                   }
                 });
}

const FileSet& files_around(Resolver& resolver, store::FileId id) {
  return reached(resolver.memory<IncludeMemory>().around, id,
                 [&](store::FileId file, const auto& add) {
                   for (const store::DependencyRow& row : resolver.dependents(file)) {
                     add(row.source);
                   }
                 });
}

Entity entity_of(Resolver& resolver, const store::SymbolRow& row) {
  const FileModel* file = resolver.model(store::file_of(row.id));
  const std::uint32_t symbol = store::ordinal_of(row.id);
  if (file == nullptr || symbol >= file->facts.symbols.size()) return kUnknownEntity;
  return {EntityKind::kSymbol, file, symbol};
}

}  // namespace codexmem::graph
