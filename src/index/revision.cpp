// The files that differ between the revision and the work tree are few, however old the revision:
// reading and indexing them costs a fraction of a checkout and an index run.
//
// What is kept has to be right for ever. So the work tree's store is looked at again when the copy
// is made, and a copy of a store that has changed meanwhile is thrown away. A revision's folder
// gets its name when it is whole; a run that was killed leaves one under another name, which the
// next run removes.
//
// Tested by git/revision_test.py.
#include "index/revision.h"

#include <fmt/core.h>
#include <stdlib.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "base/file.h"
#include "index/git_changes.h"
#include "index/snapshot.h"
#include "store/code/copy_database.h"
#include "store/code/store_directory.h"

namespace codexmem::index {
namespace fs = std::filesystem;

namespace {

constexpr char kFolderName[] = "revisions";
constexpr char kUnfinished[] = "making-";
constexpr std::size_t kMostKept = 4;
constexpr std::chrono::hours kLongestMaking{1};
constexpr std::uint64_t kMostIgnoreBytes = std::uint64_t{1} << 20;

Error io_error(const fs::path& path, const std::error_code& failed) {
  return {ErrorCode::kIo, fmt::format("{}: {}", path.string(), failed.message())};
}

// A repository may bring a folder of this name, or a link that leads elsewhere: nothing is removed
// but what is named as revisions are.
bool is_tree_id(std::string_view name) {
  return name.size() == 40 && name.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

Result<void> make_kept_folder(const fs::path& folder) {
  std::error_code failed;
  fs::create_directory(folder, failed);
  if (failed) return io_error(folder, failed);
  if (fs::is_directory(fs::symlink_status(folder, failed))) return {};
  return Error{ErrorCode::kInvalidArgument,
               folder.string() + " is a link; it is not codexmem's, remove it"};
}

// Removes those that are too many, and what killed runs have left.
void remove_old(const fs::path& folder, const std::string& kept) {
  std::error_code failed;
  std::vector<std::pair<fs::file_time_type, fs::path>> others;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, failed)) {
    const std::string name = entry.path().filename().string();
    const auto time = entry.last_write_time(failed);
    if (failed || name == kept) continue;
    if (is_tree_id(name)) {
      others.emplace_back(time, entry.path());
    } else if (name.starts_with(kUnfinished) &&
               fs::file_time_type::clock::now() - time > kLongestMaking) {
      fs::remove_all(entry.path(), failed);
    }
  }
  std::ranges::sort(others, std::ranges::greater());
  for (std::size_t i = kMostKept - 1; i < others.size(); ++i) {
    fs::remove_all(others[i].second, failed);
  }
}

Result<std::unique_ptr<Snapshot>> make_snapshot(store::Workspace& base, const GitChanges& changes,
                                                const std::stop_token& stop) {
  std::vector<SnapshotFile> files;
  for (const GitChange& change : changes.changes()) {
    SnapshotFile file;
    file.path = change.path;
    if (change.existed) {
      CODEXMEM_ASSIGN(file.bytes, changes.read_before(change.path));
    }
    files.push_back(std::move(file));
  }
  return Snapshot::make(base, files,
                        [&](const std::string& path) -> std::optional<std::string> {
                          auto known = changes.read_before(path);
                          if (known.ok() && *known) return *std::move(known);
                          auto bytes = read_file(base.root() / path, kMostIgnoreBytes);
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
    for (const fs::path& file : {from.ranking_path(), from.vectors_path()}) {
      // Without them they are made anew when they are needed.
      fs::copy_file(file, directory / file.filename(), failed);
    }
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
  const fs::path target = folder / found.tree;
  std::error_code failed;
  if (fs::is_symlink(fs::symlink_status(folder, failed))) CODEXMEM_TRY(make_kept_folder(folder));
  if (!fs::exists(target / store::kDirectoryName / store::kIndexName, failed)) {
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
  remove_old(folder, found.tree);
  CODEXMEM_ASSIGN(found.workspace, store::Workspace::open_existing(target));
  return found;
}

}  // namespace codexmem::index
