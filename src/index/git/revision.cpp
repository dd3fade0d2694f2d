// Few files differ between the revision and the work tree, even for an old revision: reading and
// indexing them costs a fraction of a checkout and an index run.
//
// A kept copy must stay correct forever. So the work tree's store is checked again after the copy
// is made, and a copy of a store that changed meanwhile is discarded. A revision's folder gets its
// final name when it is complete; a killed run leaves a folder with another name, which the next
// run removes.
//
// Tested by git/revision_test.py.
#include "index/git/revision.h"

#include <fmt/core.h>
#include <stdlib.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/path.h"
#include "base/hash.h"
#include "index/discovery/decode.h"
#include "index/git/git_changes.h"
#include "index/discovery/ignore.h"
#include "index/discovery/root_directory.h"
#include "index/packs/snapshot.h"
#include "store/code/own_database.h"
#include "store/code/seal.h"
#include "store/code/store_directory.h"

namespace codexmem::index {
namespace fs = std::filesystem;

namespace {

constexpr char kFolderName[] = "revisions";
constexpr char kUnfinished[] = "making-";
constexpr std::size_t kMaxKept = 4, kStampBytes = 8;
constexpr std::chrono::hours kLongestMaking{1};
constexpr std::uint64_t kMaxIgnoreBytes = std::uint64_t{1} << 20;

Error io_error(const fs::path& path, const std::error_code& failed) {
  return {ErrorCode::kIo, fmt::format("{}: {}", path.string(), failed.message())};
}

// A repository may contain a folder of this name, or a link that leads elsewhere: only names of the
// form of revisions are removed.
bool is_revision_name(std::string_view name) {
  return name.size() == 40 + 1 + kStampBytes && name[40] == '-' &&
         name.find_first_not_of("0123456789abcdef-") == std::string_view::npos;
}

// Changes with the ignore files, because they decide what a store may contain. The ones at the root
// are read whether they are indexed or not.
Result<std::string> ignore_stamp(store::Workspace& base) {
  constexpr std::string_view kNames[] = {".codexmemignore", ".gitignore"};
  std::string rules;
  for (const std::string_view name : kNames) {
    const auto text = read_file(base.root() / name, kMaxIgnoreBytes);
    rules += (text.ok() ? *text : std::string()) + '\0';
  }
  CODEXMEM_ASSIGN(store::ReaderLease reader, base.reader());
  std::vector<std::string> nested;
  CODEXMEM_TRY(reader->visit_files([&](const store::FileStamp& file) {
    const std::string_view name = file_name(file.path);
    if (std::ranges::find(kNames, name) != std::end(kNames)) nested.emplace_back(file.path);
  }));
  for (const std::string& path : nested) {
    CODEXMEM_ASSIGN(const auto row, reader->find_file(path));
    if (row) rules += path + '\0' + row->hash + '\0';
  }
  return sha256_hex(rules).substr(0, kStampBytes);
}

// True for a revision's folder that contains codexmem's own store.
bool is_whole(const fs::path& target) {
  return store::is_own_file(target / store::kDirectoryName / store::kIndexName);
}

Result<void> make_kept_folder(const fs::path& folder) {
  std::error_code failed;
  fs::create_directory(folder, failed);
  if (failed) return io_error(folder, failed);
  if (fs::is_directory(fs::symlink_status(folder, failed))) return {};
  return Error{ErrorCode::kInvalidArgument,
               folder.string() + " is a link; it is not codexmem's, remove it"};
}

// Removes revisions beyond the limit, and the remains of killed runs.
void remove_old(const fs::path& folder, const std::string& kept) {
  std::error_code failed;
  std::vector<std::pair<fs::file_time_type, fs::path>> others;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, failed)) {
    const std::string name = entry.path().filename().string();
    const auto time = entry.last_write_time(failed);
    if (failed || name == kept) continue;
    if (is_revision_name(name)) {
      others.emplace_back(time, entry.path());
    } else if (name.starts_with(kUnfinished) &&
               fs::file_time_type::clock::now() - time > kLongestMaking) {
      fs::remove_all(entry.path(), failed);
    }
  }
  std::ranges::sort(others, std::ranges::greater());
  for (std::size_t i = kMaxKept - 1; i < others.size(); ++i) {
    // Rename it first, so that no half-deleted folder is visible.
    const fs::path going =
        folder / (std::string(kUnfinished) + others[i].second.filename().string());
    fs::rename(others[i].second, going, failed);
    fs::remove_all(going, failed);
  }
}

Result<std::unique_ptr<Snapshot>> make_snapshot(store::Workspace& base, const GitChanges& changes,
                                                const std::stop_token& stop) {
  std::vector<SnapshotFile> files;
  std::set<std::string_view> differing;
  CODEXMEM_ASSIGN(const RootDirectory root, RootDirectory::open(base.root()));
  IgnoreTree rules(root);
  for (const GitChange& change : changes.changes()) {
    differing.insert(change.path);
    SnapshotFile file;
    file.path = change.path;
    const IgnoreVerdict verdict = rules.judge_from_root(change.path, /*is_directory=*/false);
    const bool is_ignored = verdict.kind == IgnoreVerdict::Kind::kIgnore && !verdict.by_git_list;
    if (change.existed && !is_ignored) {
      file.read = [&changes, &change]() -> Result<std::optional<std::string>> {
        auto bytes = changes.read_before(change.path);
        // (A partial clone may lack files that are not code.)
        if (!bytes.ok() && has_binary_extension(change.path)) return std::optional<std::string>();
        return bytes;
      };
    }
    files.push_back(std::move(file));
  }
  // Files in the index but not in the revision: files of submodules and nested repositories.
  CODEXMEM_ASSIGN(store::ReaderLease reader, base.reader());
  CODEXMEM_ASSIGN(const auto rows, reader->list_files());
  for (const store::FileRow& row : rows) {
    if (!differing.contains(row.path) && !changes.existed(row.path)) {
      files.push_back({row.path, {}});
    }
  }
  CODEXMEM_ASSIGN(const auto skipped, reader->list_skipped());
  for (const store::SkippedFile& note : skipped) {
    std::string path = note.path;
    if (path.ends_with('/')) path.pop_back();
    if (!differing.contains(path) && !changes.existed(path)) files.push_back({path, {}});
  }
  return Snapshot::make(base, files,
                        [&](const std::string& path) -> std::optional<std::string> {
                          auto known = changes.read_before(path);
                          if (known.ok() && *known) return *std::move(known);
                          auto bytes = read_file(base.root() / path, kMaxIgnoreBytes);
                          return bytes.ok() ? std::optional(*std::move(bytes)) : std::nullopt;
                        },
                        stop, {.with_vectors = true});
}

// Keeps the store of `snapshot` as `target`.
Result<void> keep(Snapshot& snapshot, const fs::path& target) {
  std::string pattern = (target.parent_path() / (std::string(kUnfinished) + "XXXXXX")).string();
  if (::mkdtemp(pattern.data()) == nullptr) {
    return io_error(pattern, std::error_code(errno, std::generic_category()));
  }
  const fs::path making = pattern;
  const fs::path directory = making / store::kDirectoryName;
  const auto copy = [&]() -> Result<void> {
    std::error_code failed;
    fs::create_directory(directory, failed);
    if (failed) return io_error(directory, failed);
    store::Workspace& from = snapshot.workspace();
    CODEXMEM_TRY(
        store::copy_database(from.directory() / store::kIndexName, directory / store::kIndexName));
    copy_vector_file(from, directory);
    fs::rename(making, target, failed);
    if (failed && !fs::exists(target)) return io_error(target, failed);
    return {};
  };
  const auto done = copy();
  std::error_code ignored;
  fs::remove_all(making, ignored);
  return done;
}

}  // namespace

Result<Revision> open_revision(store::Workspace& base, const std::string& revision,
                               const std::function<Result<void>()>& refresh,
                               const std::stop_token& stop) {
  CODEXMEM_TRY(refresh());
  const auto generation = [&]() -> Result<std::int64_t> {
    CODEXMEM_ASSIGN(store::ReaderLease reader, base.reader());
    return reader->generation();
  };
  CODEXMEM_ASSIGN(const std::int64_t before, generation());
  CODEXMEM_ASSIGN(
      const GitChanges changes,
      GitChanges::find(base.root(), base.root(), {.since = revision, .is_staged = false}));
  Revision found;
  found.tree = changes.tree_id();
  if (changes.changes().empty()) return found;
  const fs::path folder = base.directory() / kFolderName;
  CODEXMEM_ASSIGN(const std::string stamp, ignore_stamp(base));
  const fs::path target = folder / (found.tree + "-" + stamp);
  std::error_code failed;
  if (fs::is_symlink(fs::symlink_status(folder, failed))) CODEXMEM_TRY(make_kept_folder(folder));
  if (!is_whole(target)) {
    fs::remove_all(target, failed);  // its removal was interrupted
    CODEXMEM_TRY(make_kept_folder(folder));
    CODEXMEM_ASSIGN(const auto snapshot, make_snapshot(base, changes, stop));
    CODEXMEM_TRY(refresh());
    CODEXMEM_ASSIGN(const std::int64_t after, generation());
    if (after != before) {
      return Error{ErrorCode::kBusy, "files changed while the revision was read: ask again"};
    }
    CODEXMEM_TRY(keep(*snapshot, target));
  }
  fs::last_write_time(target, fs::file_time_type::clock::now(), failed);
  remove_old(folder, target.filename().string());
  CODEXMEM_ASSIGN(found.workspace, store::Workspace::open_existing(target));
  return found;
}

}  // namespace codexmem::index
