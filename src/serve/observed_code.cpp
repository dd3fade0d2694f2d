// Tested by serve/observed_code_test.cpp.
#include "serve/observed_code.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "serve/repository.h"
#include "base/log.h"
#include "base/path.h"
#include "index/run/indexer.h"
#include "ask/cited_code.h"
#include "store/code/code_reader.h"

namespace codexmem::serve {
namespace fs = std::filesystem;

namespace {

// Updates the mentioned files in the index, because the session has just changed them. If that
// fails, they are cited from the old state.
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
                                                         const std::stop_token& stop) const {
  using Citations = std::vector<memory::Citation>;
  if (mentions.files.empty() || !directory.is_absolute()) return Citations();
  const auto root = find_root(directory);
  if (!root.ok()) return Citations();
  auto workspace = repositories_.index_at(*root);
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

}  // namespace codexmem::serve
