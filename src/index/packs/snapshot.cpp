// The files that differ are written to a folder with a copy of the store, and an index run for only
// these files does the rest: it handles all effects of a changed file on others. Other files that
// such a run reads - configurations, ignore files - are written there as well.
//
// Tested by index/change_check_test.cpp.
#include "index/packs/snapshot.h"

#include <fmt/core.h>
#include <stdlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <set>
#include <system_error>
#include <utility>

#include "base/log.h"
#include "base/stop_scope.h"
#include "embed/vector_index.h"
#include "text/json.h"
#include "index/run/indexer.h"
#include "store/code/own_database.h"
#include "store/code/seal.h"
#include "store/code/store_directory.h"

namespace codexmem::index {
namespace fs = std::filesystem;

namespace {

Result<fs::path> make_folder() {
  std::error_code failed;
  std::string pattern = (fs::temp_directory_path(failed) / "codexmem-check-XXXXXX").string();
  if (failed || ::mkdtemp(pattern.data()) == nullptr) {
    return Error{ErrorCode::kIo, fmt::format("no folder for temporary files: {}",
                                             failed ? failed.message() : std::strerror(errno))};
  }
  return fs::path(pattern);
}

constexpr std::uint64_t kMaxBytes = std::uint64_t{2} << 30;  // of all files that differ

// Of a file that is too large to be indexed, only the size matters.
Result<void> write_below(const fs::path& folder, const std::string& path, std::string_view bytes) {
  const fs::path target = folder / path;
  std::error_code failed;
  fs::create_directories(target.parent_path(), failed);
  std::ofstream out(target, std::ios::binary | std::ios::trunc);
  const bool is_indexed = bytes.size() <= IndexOptions().max_file_bytes;
  if (is_indexed) out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.close();
  if (!is_indexed && !failed) fs::resize_file(target, bytes.size(), failed);
  if (failed || !out) {
    return Error{ErrorCode::kIo, fmt::format("{} cannot be written: {}", target.string(),
                                             failed ? failed.message() : std::strerror(errno))};
  }
  return {};
}

// Files that an index run reads even if unchanged: those used to resolve imports.
Result<std::set<std::string>> list_configurations(store::StoreReader& reader) {
  std::set<std::string> paths;
  CODEXMEM_ASSIGN(const auto notes, reader.find_meta("configurations"));
  const Json json = Json::parse(notes.value_or("{}"), nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return paths;
  for (const auto& [path, note] : json.items()) {
    if (!note.is_null()) paths.insert(path);
  }
  return paths;
}

bool stays_below(const std::string& path) {
  const fs::path normal = fs::path(path).lexically_normal();
  if (normal.empty() || !normal.is_relative() || *normal.begin() == "..") return false;
  // A commit may contain paths that look like the snapshot's own store.
  return std::ranges::none_of(
      normal, [](const fs::path& name) { return name == store::kDirectoryName || name == ".git"; });
}

}  // namespace

void copy_vector_file(const store::Workspace& from, const fs::path& directory) {
  const fs::path vectors = from.vectors_path();
  for (const fs::path& file : {vectors, embed::VectorIndex::side_path(vectors)}) {
    std::error_code failed;
    const fs::path copy = directory / file.filename();
    if (!store::is_own_file(file) || !fs::copy_file(file, copy, failed)) return;
    if (auto sealed = store::seal_file(copy); !sealed.ok()) {
      log_debug("{}", sealed.error().message());
    }
  }
}

Snapshot::~Snapshot() {
  workspace_.reset();
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

Result<std::unique_ptr<Snapshot>> Snapshot::make(
    store::Workspace& base, const std::vector<SnapshotFile>& files,
    const std::function<std::optional<std::string>(const std::string&)>& read_other,
    std::stop_token stop, const SnapshotOptions& given) {
  CODEXMEM_ASSIGN(fs::path folder, make_folder());
  std::unique_ptr<Snapshot> snapshot(new Snapshot(std::move(folder)));
  const fs::path directory = snapshot->folder_ / store::kDirectoryName;
  std::error_code failed;
  fs::create_directory(directory, failed);
  if (failed)
    return Error{ErrorCode::kIo, fmt::format("{}: {}", directory.string(), failed.message())};
  std::set<std::string> others;
  {
    CODEXMEM_ASSIGN(store::ReaderLease reader, base.reader());
    CODEXMEM_TRY(store::copy_database(reader->database().path(), directory / "index.db"));
    CODEXMEM_ASSIGN(others, list_configurations(*reader));
    // (The database says which one it goes with, should a run have replaced it just now.)
    if (given.with_vectors) copy_vector_file(base, directory);
  }
  IndexOptions options;
  options.skip_embeddings = !given.with_vectors;
  options.distrust_times = true;
  options.leaves_ranking = true;
  std::uint64_t read = 0;
  for (const SnapshotFile& file : files) {
    if (!stays_below(file.path)) continue;
    options.only.push_back(file.path);
    others.erase(file.path);
    if (!file.read) continue;
    CODEXMEM_TRY(go_on());
    CODEXMEM_ASSIGN(const auto bytes, file.read());
    if (!bytes) continue;
    read += bytes->size();
    if (read > kMaxBytes) {
      return Error{ErrorCode::kUnsupported, "git's files that differ have more than 2 GiB"};
    }
    CODEXMEM_TRY(write_below(snapshot->folder_, file.path, *bytes));
  }
  for (const std::string& path : others) {
    if (!stays_below(path)) continue;
    if (const auto bytes = read_other(path)) {
      CODEXMEM_TRY(write_below(snapshot->folder_, path, *bytes));
    }
  }
  CODEXMEM_ASSIGN(snapshot->workspace_, store::Workspace::open(snapshot->folder_));
  if (!options.only.empty()) {
    CODEXMEM_TRY(index_repository(*snapshot->workspace_, options, {}, std::move(stop)));
  }
  return snapshot;
}

}  // namespace codexmem::index
