// Tested by app/observed_code_test.cpp.
#include "serve/observed_code.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "serve/repository.h"
#include "base/log.h"
#include "base/path.h"
#include "index/indexer.h"
#include "ask/cited_code.h"
#include "store/code_reader.h"

namespace codexmem::serve {
namespace fs = std::filesystem;

namespace {

// Sessions of more repositories than these at once open an index anew now and then.
constexpr std::size_t kMostOpen = 4;

// The files that are mentioned, as they are now: the session has just changed them. What cannot be
// brought up to date is cited as it was.
void refresh(store::Workspace& workspace, const std::vector<std::string>& files,
             const std::stop_token& stop) {
  index::IndexOptions options;
  options.skip_embeddings = true;
  options.wait = false;
  for (const std::string& file : files) {
    const std::string path = relative_to_root(workspace.root(), workspace.root(), file);
    if (!path.empty() && !fs::path(path).is_absolute()) options.only.push_back(path);
  }
  if (options.only.empty()) return;
  const auto report = index::index_repository(workspace, options, {}, stop);
  if (!report.ok() && report.error().code() != ErrorCode::kBusy && !stop.stop_requested()) {
    log_warn("{}: {}", workspace.root().string(), report.error().message());
  }
}

}  // namespace

Result<std::vector<memory::Citation>> ObservedCode::cite(const fs::path& directory,
                                                         const memory::Mentions& mentions,
                                                         const std::stop_token& stop) {
  using Citations = std::vector<memory::Citation>;
  if (mentions.files.empty() || !directory.is_absolute()) return Citations();
  const auto root = find_root(directory);
  if (!root.ok()) return Citations();
  auto workspace = workspace_at(*root);
  if (!workspace.ok()) {
    if (workspace.error().code() == ErrorCode::kNotFound) return Citations();
    return std::move(workspace).error();
  }
  refresh(**workspace, mentions.files, stop);
  CODEXMEM_ASSIGN(store::ReaderLease reader, (*workspace)->reader());
  CODEXMEM_ASSIGN(const auto moment, store::Transaction::begin_read(reader->database()));
  ask::IndexedCode code(**workspace, *reader);
  return memory::find_citations(code, mentions);
}

Result<std::shared_ptr<store::Workspace>> ObservedCode::workspace_at(const fs::path& root) {
  const std::lock_guard lock(mutex_);
  const auto found =
      std::ranges::find_if(open_, [&](const auto& one) { return one->root() == root; });
  if (found != open_.end()) {
    open_.splice(open_.begin(), open_, found);
    return open_.front();
  }
  CODEXMEM_ASSIGN(std::shared_ptr<store::Workspace> opened, store::Workspace::open_existing(root));
  open_.push_front(opened);
  if (open_.size() > kMostOpen) open_.pop_back();
  return opened;
}

}  // namespace codexmem::serve
