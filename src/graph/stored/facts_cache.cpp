#include "graph/stored/facts_cache.h"

#include "base/log.h"
#include "graph/stored/facts_cache_impl.h"
#include "parse/facts/facts_codec.h"

namespace codexmem::graph {
namespace {

constexpr std::size_t kMaxKeptSearches = 4;
constexpr std::size_t kMaxKeptUsages = 200'000;  // of a search: 5 MB

}  // namespace

FactsCache::FactsCache(std::size_t max_bytes) : impl_(std::make_unique<Impl>(max_bytes)) {}
FactsCache::~FactsCache() = default;

Result<std::shared_ptr<const FileTable>> FactsCache::files(store::CodeReader& reader) {
  return impl_->files(reader);
}

Result<std::shared_ptr<const ImportTable>> FactsCache::imports(
    store::CodeReader& reader, const std::shared_ptr<const FileTable>& files) {
  return impl_->imports(reader, files);
}

std::vector<std::string> FactsCache::take_damaged(const store::CodeReader& reader) {
  return impl_->take_damaged(reader);
}

void FactsCache::Impl::note_damaged(const store::CodeReader& reader, const std::string& path) {
  const std::lock_guard lock(mutex_);
  damaged_[&reader].insert(path);
}

std::vector<std::string> FactsCache::Impl::take_damaged(const store::CodeReader& reader) {
  const std::lock_guard lock(mutex_);
  const auto found = damaged_.find(&reader);
  if (found == damaged_.end()) return {};
  std::vector<std::string> paths(found->second.begin(), found->second.end());
  damaged_.erase(found);
  return paths;
}

std::shared_ptr<const FoundUsages> FactsCache::Impl::find_usages(std::string_view key,
                                                                 std::int64_t generation) {
  const std::lock_guard lock(mutex_);
  for (auto at = kept_.begin(); at != kept_.end(); ++at) {
    if (at->key != key || at->generation != generation) continue;
    kept_.splice(kept_.begin(), kept_, at);
    return at->found;
  }
  return nullptr;
}

void FactsCache::Impl::keep_usages(std::string key, std::int64_t generation,
                                   std::shared_ptr<const FoundUsages> found) {
  if (found->uses.hits.size() + found->definitions.size() > kMaxKeptUsages) return;
  const std::lock_guard lock(mutex_);
  kept_.remove_if(
      [&](const Kept& other) { return other.generation != generation || other.key == key; });
  if (kept_.size() == kMaxKeptSearches) kept_.pop_back();
  kept_.push_front({std::move(key), generation, std::move(found)});
}

Result<std::shared_ptr<const FileTable>> FactsCache::Impl::files(store::CodeReader& reader) {
  CODEXMEM_ASSIGN(const std::int64_t generation, reader.generation());
  {
    const std::lock_guard lock(mutex_);
    if (table_ != nullptr && table_generation_ == generation) return table_;
  }
  CODEXMEM_ASSIGN(auto loaded, FileTable::load(reader));
  const std::lock_guard lock(mutex_);
  // Not only a newer one: an older store may have taken the place of this one.
  table_ = loaded;
  table_generation_ = generation;
  return loaded;
}

Result<std::shared_ptr<const FileTable>> FactsCache::Impl::known_files(store::CodeReader& reader) {
  CODEXMEM_ASSIGN(const std::int64_t generation, reader.generation());
  const std::lock_guard lock(mutex_);
  const bool is_known = table_ != nullptr && table_generation_ == generation;
  return is_known ? table_ : std::shared_ptr<const FileTable>();
}

Result<std::shared_ptr<const ImportTable>> FactsCache::Impl::imports(
    store::CodeReader& reader, const std::shared_ptr<const FileTable>& files) {
  {
    const std::lock_guard lock(mutex_);
    if (imports_of_ == files) return imports_;
  }
  CODEXMEM_ASSIGN(auto loaded, ImportTable::load(reader, *files));
  const std::lock_guard lock(mutex_);
  imports_of_ = files;
  imports_ = loaded;
  return loaded;
}

Result<std::shared_ptr<const std::vector<store::LanguageCount>>> FactsCache::Impl::language_counts(
    store::CodeReader& reader) {
  CODEXMEM_ASSIGN(const std::int64_t generation, reader.generation());
  {
    const std::lock_guard lock(mutex_);
    if (counts_ != nullptr && counts_generation_ == generation) return counts_;
  }
  CODEXMEM_ASSIGN(auto rows, reader.count_languages());
  auto loaded = std::make_shared<const std::vector<store::LanguageCount>>(std::move(rows));
  const std::lock_guard lock(mutex_);
  counts_ = loaded;
  counts_generation_ = generation;
  return loaded;
}

Result<std::shared_ptr<const FileModel>> FactsCache::Impl::model(store::CodeReader& reader,
                                                                 const store::FileRow& row) {
  {
    const std::lock_guard lock(mutex_);
    const auto known = by_id_.find(row.id);
    if (known != by_id_.end() && known->second->generation == row.generation &&
        known->second->model->path == row.path) {
      entries_.splice(entries_.begin(), entries_, known->second);
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
  CODEXMEM_ASSIGN(const auto packed, reader.find_compiler_uses(row.id));
  CompilerUses compiler;
  if (packed) {
    auto decoded = decode_compiler_uses(*packed);
    if (decoded.ok()) {
      compiler = std::move(decoded).value();
    } else {
      log_warn("{}: {}", row.path, decoded.error().message());
    }
  }
  auto model = std::make_shared<const FileModel>(row, std::move(facts).value(),
                                                 /*of_library=*/false, std::move(compiler));

  const std::lock_guard lock(mutex_);
  if (const auto known = by_id_.find(row.id); known != by_id_.end()) {
    used_bytes_ -= known->second->model->memory_bytes();
    entries_.erase(known->second);
    by_id_.erase(known);
  }
  entries_.push_front({row.id, row.generation, model});
  by_id_[row.id] = entries_.begin();
  used_bytes_ += model->memory_bytes();
  while (used_bytes_ > max_bytes_ && entries_.size() > 1) {
    used_bytes_ -= entries_.back().model->memory_bytes();
    by_id_.erase(entries_.back().id);
    entries_.pop_back();
  }
  return model;
}

}  // namespace codexmem::graph
