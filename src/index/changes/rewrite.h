// index/changes/rewrite.h - changes several files of a work tree atomically.
//
// Before a file is changed, the old content of all of them is in a journal in the store's folder,
// on disk. Each file is then replaced as a whole, keeping its access rights, line ends and byte
// order mark. Without keep(), everything is restored: by undo(), the destructor or, after a crash,
// the next call of recover_rewrite(). One rewrite per workspace at a time, across processes. One
// thread. Design: docs/how-it-works.md, "Rename".
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "store/code/workspace.h"

namespace codexmem::index {

/// Replaces `size` bytes of the indexed text by `text`.
struct TextEdit {
  std::uint32_t offset = 0;
  std::uint32_t size = 0;
  std::string text;
};

struct FileEdits {
  std::string path;             // relative to the root
  std::string hash;             // SHA-256 of the file's bytes, as in the store
  std::string new_path = {};    // its new path; empty if it does not move
  std::vector<TextEdit> edits;  // by offset, without overlap
};

/// Why the file cannot be rewritten: it has changed, is a link or below one, has several names
/// (hard links), is not writable, or is not UTF-8. Empty if it can.
std::string why_not_rewritable(const store::Workspace& workspace, const FileEdits& file);

class Rewrite {
 public:
  /// Writes the files. Errors: kInvalidArgument when one of them cannot be rewritten; kBusy when
  /// another rewrite is in progress; kIo. All files are then unchanged; if one could not be
  /// restored, the message says so, and recover_rewrite() tries again.
  static Result<Rewrite> apply(const store::Workspace& workspace,
                               const std::vector<FileEdits>& files);

  Rewrite(Rewrite&&) noexcept;
  Rewrite& operator=(Rewrite&&) = delete;
  /// Restores everything, unless keep() or undo() was called.
  ~Rewrite();

  /// Makes the changes final. Errors: kIo; the files still keep the changes, but a later
  /// recover_rewrite() would restore them.
  Result<void> keep();

  /// Restores everything, except files that were changed meanwhile. Errors: kIo, naming the files
  /// that could not be restored.
  Result<void> undo();

 private:
  struct Impl;
  explicit Rewrite(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// True if a rewrite was interrupted and its files are still to be restored.
bool is_rewrite_broken_off(const store::Workspace& workspace);

/// Restores the files of an interrupted rewrite and returns their paths; empty without one, or if
/// it is still in progress. Errors: kCorrupt for a journal that is damaged or not sealed, which is
/// set aside; kIo when one of the files has changed since, and then nothing is restored; as undo().
Result<std::vector<std::string>> recover_rewrite(const store::Workspace& workspace);

}  // namespace codexmem::index
