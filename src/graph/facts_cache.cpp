#include "graph/facts_cache.h"

#include "base/log.h"
#include "graph/facts_cache_impl.h"
#include "parse/facts_codec.h"

namespace codexmem::graph {
namespace {

constexpr std::size_t kMostKeptSearches = 4;
constexpr std::size_t kMostKeptUsages = 200'000;  // of a search: 5 MB

}  // namespace

FactsCache::FactsCache(std::size_t max_bytes) : impl_(std::make_unique<Impl>(max_bytes)) {}
FactsCache::~FactsCache() = default;

std::vector<std::string> FactsCache::take_damaged(const store::CodeReader& reader) {
  return impl_->take_damaged(reader);
}

void FactsCache::Impl::note_damaged(const store::CodeReader& reader, const std::string& path) {
  const std::lock_guard lock(mutex);
  damaged[&reader].insert(path);
}

std::vector<std::string> FactsCache::Impl::take_damaged(const store::CodeReader& reader) {
  const std::lock_guard lock(mutex);
  const auto found = damaged.find(&reader);
  if (found == damaged.end()) return {};
  std::vector<std::string> paths(found->second.begin(), found->second.end());
  damaged.erase(found);
  return paths;
}

std::shared_ptr<const FoundUsages> FactsCache::Impl::find_usages(
    std::string_view key, const std::shared_ptr<const FileTable>& files) {
  const std::lock_guard lock(mutex);
  for (auto at = kept.begin(); at != kept.end(); ++at) {
    if (at->key != key || at->files != files) continue;
    kept.splice(kept.begin(), kept, at);
    return at->found;
  }
  return nullptr;
}

void FactsCache::Impl::keep_usages(std::string key, std::shared_ptr<const FileTable> files,
                                   std::shared_ptr<const FoundUsages> found) {
  if (found->usages.size() + found->definitions.size() > kMostKeptUsages) return;
  const std::lock_guard lock(mutex);
  kept.remove_if([&](const Kept& other) { return other.files != files || other.key == key; });
  if (kept.size() == kMostKeptSearches) kept.pop_back();
  kept.push_front({std::move(key), std::move(files), std::move(found)});
}

Result<std::shared_ptr<const FileTable>> FactsCache::Impl::files(store::CodeReader& reader) {
  CODEXMEM_ASSIGN(const std::int64_t generation, reader.generation());
  {
    const std::lock_guard lock(mutex);
    if (table != nullptr && table_generation == generation) return table;
  }
  CODEXMEM_ASSIGN(auto loaded, FileTable::load(reader));
  const std::lock_guard lock(mutex);
  // Not only a newer one: an older store may have taken the place of this one.
  table = loaded;
  table_generation = generation;
  return loaded;
}

Result<std::shared_ptr<const std::vector<store::LanguageCount>>> FactsCache::Impl::language_counts(
    store::CodeReader& reader) {
  CODEXMEM_ASSIGN(const std::int64_t generation, reader.generation());
  {
    const std::lock_guard lock(mutex);
    if (counts != nullptr && counts_generation == generation) return counts;
  }
  CODEXMEM_ASSIGN(auto rows, reader.count_languages());
  auto loaded = std::make_shared<const std::vector<store::LanguageCount>>(std::move(rows));
  const std::lock_guard lock(mutex);
  counts = loaded;
  counts_generation = generation;
  return loaded;
}

Result<std::shared_ptr<const FileModel>> FactsCache::Impl::model(store::CodeReader& reader,
                                                                 const store::FileRow& row) {
  {
    const std::lock_guard lock(mutex);
    const auto known = by_id.find(row.id);
    if (known != by_id.end() && known->second->generation == row.generation &&
        known->second->model->path == row.path) {
      entries.splice(entries.begin(), entries, known->second);
      return known->second->model;
    }
  }
  CODEXMEM_ASSIGN(const auto blob, reader.find_facts(row.id));
  auto facts = blob ? parse::decode_facts(*blob)
                    : Result<parse::FileFacts>(Error{ErrorCode::kCorrupt, "the facts are missing"});
  if (!facts.ok()) {
    // One damaged file must not take the answer from all others.
    log_warn("{}: {}", row.path, facts.error().message());
    note_damaged(reader, row.path);
    return std::shared_ptr<const FileModel>();
  }
  auto model = std::make_shared<const FileModel>(row, std::move(facts).value());

  const std::lock_guard lock(mutex);
  if (const auto known = by_id.find(row.id); known != by_id.end()) {
    if (known->second->generation > row.generation) return model;  // of an older moment
    used_bytes -= known->second->model->memory_bytes();
    entries.erase(known->second);
    by_id.erase(known);
  }
  entries.push_front({row.id, row.generation, model});
  by_id[row.id] = entries.begin();
  used_bytes += model->memory_bytes();
  while (used_bytes > max_bytes && entries.size() > 1) {
    used_bytes -= entries.back().model->memory_bytes();
    by_id.erase(entries.back().id);
    entries.pop_back();
  }
  return model;
}

}  // namespace codexmem::graph
