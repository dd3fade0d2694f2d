// index/rewrite.h - changes several files of a work tree, all of them or none.
//
// Before a file is touched, what all of them held is in a journal in the store's folder, on the
// disk. Each file is then replaced as a whole, its access rights, line ends and byte order mark
// kept. Whoever goes before keep() puts everything back: undo(), the destructor, or, after a crash,
// the next one who asks recover_rewrite(). One rewrite of a workspace at a time, across processes.
// One thread. Design: docs/design/rename.md.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "store/code/workspace.h"

namespace codexmem::index {

/// `size` bytes of the indexed text become `text`.
struct TextEdit {
  std::uint32_t offset = 0;
  std::uint32_t size = 0;
  std::string text;
};

struct FileEdits {
  std::string path;             // relative to the root
  std::string hash;             // what the file holds: SHA-256 of its bytes, as the store has it
  std::string new_path = {};    // where it goes; empty: it stays
  std::vector<TextEdit> edits;  // by offset, without overlap
};

/// Why the file cannot be rewritten: it has changed, is a link or below one, has several names
/// (hard links), may not be written, is not UTF-8. Empty: it can.
std::string why_not_rewritable(const store::Workspace& workspace, const FileEdits& file);

class Rewrite {
 public:
  /// Writes the files. Errors: kInvalidArgument when one of them cannot be rewritten; kBusy when
  /// another rewrite is under way; kIo. Then all files are as they were; if one could not be put
  /// back, the message says so, and recover_rewrite() tries again.
  static Result<Rewrite> apply(const store::Workspace& workspace,
                               const std::vector<FileEdits>& files);

  Rewrite(Rewrite&&) noexcept;
  Rewrite& operator=(Rewrite&&) = delete;
  /// Puts everything back, unless keep() or undo() came first.
  ~Rewrite();

  /// The files stay as they are now. Errors: kIo; then they do too, and a later recover_rewrite()
  /// would put them back.
  Result<void> keep();

  /// Puts everything back. A file that somebody has changed meanwhile is left as it is. Errors:
  /// kIo, naming the files that are not as they were.
  Result<void> undo();

 private:
  struct Impl;
  explicit Rewrite(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// True if a rewrite was broken off and its files are still to be put back.
bool is_rewrite_broken_off(const store::Workspace& workspace);

/// Puts back what a rewrite that was broken off has left; returns the paths of these files, nothing
/// when there is none or it is still under way. Errors: kCorrupt for a journal that is damaged or
/// not sealed, which is set aside; kIo when one of the files has changed since: then nothing is put
/// back; those of undo().
Result<std::vector<std::string>> recover_rewrite(const store::Workspace& workspace);

}  // namespace codexmem::index
