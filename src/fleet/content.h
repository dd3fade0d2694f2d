// fleet/content.h - turns an indexed repository into rows for Chroma.
//
// Reads a workspace's store. Pieces that contain a secret (privacy/policy.h) are left out, with
// the words and names that occur only in them. Safe to use from many threads. Design:
// docs/fleet.md.
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

/// A file to be in the fleet.
struct SourceFile {
  store::FileId id{};
  std::string path, language, blob;
  std::uint32_t lines = 0;
  std::string row_id;  // file_id()
  double centrality = 0;
};

/// The rows of a file.
struct FileRows {
  embed::ChromaRow file;
  std::vector<embed::ChromaRow> pieces;
};

class Content {
 public:
  /// The current content of the index of `workspace`, which must outlive this object. `name` is the
  /// repository's name in the fleet, `revision` the checked-out commit. Generated files are left
  /// out. Errors: kNotFound when vectors are missing for some or all files; as the store.
  static Result<Content> read(store::Workspace& workspace, std::string name, std::string revision);

  const std::vector<SourceFile>& files() const { return files_; }  // by path
  const std::string& name() const { return name_; }
  const std::string& revision() const { return revision_; }
  const std::string& model() const { return model_; }
  /// A hash of the name, the model, and all paths and contents: equal digests mean equal rows.
  const std::string& digest() const { return digest_; }

  /// The rows of `file`; nothing if it has changed or was deleted since. Errors: as the store.
  Result<std::optional<FileRows>> rows_of(const SourceFile& file, std::int64_t now_ms) const;

  /// The row of the whole repository, with its statistics; the caller sets `is_complete`, `push`
  /// and `pushed_ms`. Reads all texts. Errors: as the store; kCancelled.
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
