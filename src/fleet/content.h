// fleet/content.h - an indexed repository as rows for Chroma.
//
// Reads a workspace's store. Pieces that hold a secret (privacy/policy.h) are left out, with the
// words and names that only they have. Safe to use from many threads. Design: docs/design/fleet.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "fleet/rows.h"
#include "store/code/workspace.h"

namespace codexmem::fleet {

/// A file that is to be in the fleet.
struct SourceFile {
  store::FileId id{};
  std::string path, language, blob;
  std::uint32_t lines = 0;
  std::string row_id;  // file_id()
  double centrality = 0;
};

/// A file as rows.
struct FileRows {
  embed::ChromaRow file;
  std::vector<embed::ChromaRow> pieces;
};

class Content {
 public:
  /// What the index of `workspace`, which must outlive it, holds now. `name` is the repository's in
  /// the fleet, `revision` the commit that is checked out. Generated files are left out. Errors:
  /// kNotFound when there are no vectors, or not of all files; those of the store.
  static Result<Content> read(store::Workspace& workspace, std::string name, std::string revision);

  const std::vector<SourceFile>& files() const { return files_; }  // by path
  const std::string& name() const { return name_; }
  const std::string& revision() const { return revision_; }
  const std::string& model() const { return model_; }
  /// Of the name, the model, and all paths and contents: equal ones mean equal rows.
  const std::string& digest() const { return digest_; }

  /// The rows of `file`; nothing when it has changed or gone since. Errors: those of the store.
  Result<std::optional<FileRows>> rows_of(const SourceFile& file, std::int64_t now_ms) const;

  /// The row of the whole repository, with its statistics; `is_complete`, `push` and `pushed_ms`
  /// are the caller's. Reads all texts. Errors: those of the store; kCancelled.
  Result<RepositoryRow> summarize() const;

 private:
  Content() = default;

  store::Workspace* workspace_ = nullptr;
  std::string name_, revision_, model_, digest_;
  store::ModelId model_id_{};
  std::size_t dimension_ = 0;
  std::vector<SourceFile> files_;
};

}  // namespace codexmem::fleet
