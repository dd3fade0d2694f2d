// Tested by index/tree_look_test.cpp.
#include "index/run/run_tree.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

namespace codexmem::index {
namespace {

// If more paths differ, the tree is walked.
constexpr std::size_t kMaxDifferences = 1000;

}  // namespace

Result<void> RunTree::load(store::StoreReader& reader) {
  CODEXMEM_ASSIGN(const auto store_id, reader.find_meta("store"));
  CODEXMEM_ASSIGN(const std::int64_t generation, reader.generation());
  store_id_ = store_id.value_or("");
  if (store_id_.empty()) return {};
  record_ =
      TreeRecord::load(tree_path(), store_id_, generation, tree_settings(options_.max_file_bytes));
  return {};
}

Result<void> RunTree::look(unsigned threads, const std::stop_token& stop) {
  if (!record_ || record_->indexed == 0) return {};
  CODEXMEM_ASSIGN(look_, look_at_tree(root_, *record_, options_.observer, threads, stop));
  if (!look_) return {};
  if (look_->changed.size() > kMaxDifferences) {
    look_.reset();
    return {};
  }
  distrusted_.insert(look_->differing.begin(), look_->differing.end());
  return {};
}

std::optional<Discovery> RunTree::find_known() {
  Discovery found;
  std::vector<std::pair<RecordedEntry*, Stamp>> stamps;
  for (const std::string& path : look_->changed) {
    const std::int64_t now_ns = clock_ns();
    RecordedEntry* const entry = record_->find_entry(path);
    if (entry == nullptr || entry->role != EntryRole::kFile) return {};
    const auto now = root_.stat(path);
    if (!now.ok() || now->kind != EntryKind::kFile || now->size > options_.max_file_bytes)
      return {};
    found.files.push_back({path, now->size, now->mtime_ns});
    stamps.emplace_back(entry, stamp_to_record(stamp_of(*now), now_ns));
  }
  for (const auto& [entry, stamp] : stamps) entry->stamp = stamp;
  has_found_known_ = true;
  return found;
}

void RunTree::take_walk(std::size_t files) {
  if (!record_) return;
  // The files whose inode has changed since the last run, regardless of size and time.
  for (const RecordedFolder& folder : walked_.folders()) {
    const RecordedFolder* const before = record_->find_folder(folder.path);
    if (before == nullptr) continue;
    auto known = before->entries.begin();
    for (const RecordedEntry& entry : folder.entries) {
      while (known != before->entries.end() && known->name < entry.name) ++known;
      if (known == before->entries.end()) break;
      if (known->name != entry.name || entry.role != EntryRole::kFile ||
          known->role != EntryRole::kFile || known->stamp.change_ns == 0 ||
          known->stamp == entry.stamp) {
        continue;
      }
      distrusted_.insert(path_in(folder, entry.name));
    }
  }
  // If most have changed, the tree was copied or restored; then only times can be used.
  if (distrusted_.size() > files / 2) distrusted_.clear();
}

RunTree::Skipped RunTree::recorded_skipped() const {
  Skipped skipped;
  for (std::size_t i = 0; i < kSkipReasonCount; ++i) {
    if (record_->skipped[i] == 0) continue;
    skipped[std::string(skip_reason_name(static_cast<SkipReason>(i)))] = record_->skipped[i];
  }
  return skipped;
}

Result<void> RunTree::save(const End& end, store::StoreReader& reader) {
  const bool is_walk = end.selection.is_everything() && !look_;
  const bool is_new = end.has_written || !is_as_recorded() || look_->is_renewed;
  if (!is_new || store_id_.empty() || (!is_walk && !record_)) return {};
  if (end.has_expired) {
    std::error_code ignored;
    std::filesystem::remove(tree_path(), ignored);
    return {};
  }
  if (!is_as_recorded()) {
    if (is_walk) {
      record_ = std::move(walked_);
      record_->indexed = end.rows_now;
    } else {
      if (!has_found_known_) record_->merge(walked_, end.selection);
      record_->indexed += end.rows_now;
      record_->indexed -= std::min(record_->indexed, end.rows_before);
    }
    for (std::size_t i = 0; i < kSkipReasonCount; ++i) {
      const auto count = end.skipped.find(skip_reason_name(static_cast<SkipReason>(i)));
      record_->skipped[i] = count == end.skipped.end() ? 0 : count->second;
    }
    record_->add_missing_folders();
    record_->distrust(unsettled_);
  }
  CODEXMEM_ASSIGN(const std::int64_t generation, reader.generation());
  return record_->save(tree_path(), store_id_, generation, tree_settings(options_.max_file_bytes));
}

}  // namespace codexmem::index
