// Finds changes by merging two lists by path.
//
// Moves: only a new file with the size of a deleted row is read and hashed here, so a checkout that
// adds many files and deletes few costs nothing extra.
//
// Tested by index/indexer_test.cpp.
#include "index/changes/change_plan.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/path.h"
#include "base/hash.h"
#include "store/code/folder_files.h"

namespace codexmem::index {
namespace {

// Gives new files the rows of deleted files with the same bytes, and removes these from `deleted`.
void find_moves(const RootDirectory& root, std::vector<FileJob>& jobs,
                std::vector<store::FileRow>& deleted) {
  if (deleted.empty()) return;
  std::unordered_multimap<std::string_view, std::size_t> by_hash;
  std::unordered_set<std::int64_t> sizes;
  for (std::size_t i = 0; i < deleted.size(); ++i) {
    by_hash.emplace(deleted[i].hash, i);
    sizes.insert(deleted[i].size);
  }
  std::map<std::string, std::vector<FileJob*>> arrived;  // hash -> new files with it
  for (FileJob& job : jobs) {
    if (job.known || !sizes.contains(static_cast<std::int64_t>(job.found.size))) continue;
    const auto bytes = root.read(job.found.path, job.found.size);
    if (!bytes.ok()) continue;  // its reader will report why
    std::string hash = sha256_hex(*bytes);
    if (by_hash.contains(hash)) arrived[std::move(hash)].push_back(&job);
  }
  std::vector<bool> moved(deleted.size(), false);
  for (const auto& [hash, files] : arrived) {
    std::vector<std::size_t> left;
    for (auto [at, end] = by_hash.equal_range(hash); at != end; ++at) left.push_back(at->second);
    std::sort(left.begin(), left.end());
    for (const bool by_name : {true, false}) {
      for (FileJob* job : files) {
        if (job->known) continue;
        const auto match = std::find_if(left.begin(), left.end(), [&](std::size_t i) {
          return !moved[i] &&
                 (!by_name || file_name(deleted[i].path) == file_name(job->found.path));
        });
        if (match == left.end()) continue;
        moved[*match] = true;
        job->known = deleted[*match];
      }
    }
  }
  std::vector<store::FileRow> gone;
  for (std::size_t i = 0; i < deleted.size(); ++i) {
    if (!moved[i]) gone.push_back(std::move(deleted[i]));
  }
  deleted = std::move(gone);
}

// With more paths than this, all rows are read at once.
constexpr std::size_t kMaxSingleReads = 1000;

}  // namespace

Result<std::vector<store::FileRow>> list_rows(store::StoreReader& reader,
                                              const std::vector<std::string>& only) {
  if (only.empty() || only.size() > kMaxSingleReads) return reader.list_files();
  std::vector<store::FileRow> rows;
  for (const std::string& path : only) {
    CODEXMEM_ASSIGN(auto row, reader.find_file(path));
    if (row) rows.push_back(*std::move(row));
    CODEXMEM_ASSIGN(auto below, store::list_files_below(reader, path));
    for (store::FileRow& each : below) rows.push_back(std::move(each));
  }
  const auto by_path = [](const auto& a, const auto& b) { return a.path < b.path; };
  std::sort(rows.begin(), rows.end(), by_path);
  rows.erase(std::unique(rows.begin(), rows.end(),
                         [](const auto& a, const auto& b) { return a.path == b.path; }),
             rows.end());
  return rows;
}

ChangePlan make_plan(const RootDirectory& root, Discovery discovery, const Selection& selection,
                     const std::vector<store::FileRow>& rows,
                     const std::vector<store::SkippedFile>& skipped_rows, bool read_all,
                     const std::set<std::string, std::less<>>& distrusted) {
  ChangePlan plan;
  plan.skipped = std::move(discovery.skipped);
  std::unordered_map<std::string_view, const store::SkippedFile*> notes;
  for (const store::SkippedFile& note : skipped_rows) {
    // A folder on the path to a selected one was walked again.
    const bool is_on_the_way = note.path.ends_with('/') && selection.leads_to(note.path);
    if (!is_on_the_way && !selection.holds(note.path)) {
      plan.outside.push_back(note);
    } else if (note.reason == skip_reason_name(SkipReason::kBinary) ||
               note.reason == skip_reason_name(SkipReason::kUnknownType)) {
      notes.emplace(note.path, &note);
    }
  }
  auto row = rows.begin();
  const auto delete_rows_before = [&](const std::string* path) {
    for (; row != rows.end() && (path == nullptr || row->path < *path); ++row) {
      if (selection.holds(row->path)) plan.deleted.push_back(*row);
    }
  };
  for (FoundFile& file : discovery.files) {
    delete_rows_before(&file.path);
    const auto size = static_cast<std::int64_t>(file.size);
    const bool is_read = read_all || distrusted.contains(file.path);
    if (row != rows.end() && row->path == file.path) {
      if (!is_read && row->size == size && row->mtime_ns == file.mtime_ns) {
        ++plan.unchanged;
      } else {
        plan.jobs.push_back({std::move(file), *row});
      }
      ++row;
      continue;
    }
    const auto note = notes.find(file.path);
    if (!is_read && note != notes.end() && note->second->size == size &&
        note->second->mtime_ns == file.mtime_ns) {
      const SkipReason reason = note->second->reason == skip_reason_name(SkipReason::kBinary)
                                    ? SkipReason::kBinary
                                    : SkipReason::kUnknownType;
      plan.skipped.push_back(
          {std::move(file.path), reason, note->second->detail, file.size, file.mtime_ns});
      continue;
    }
    plan.jobs.push_back({std::move(file), std::nullopt});
  }
  delete_rows_before(nullptr);
  find_moves(root, plan.jobs, plan.deleted);
  return plan;
}

}  // namespace codexmem::index
