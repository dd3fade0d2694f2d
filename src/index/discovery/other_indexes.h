// index/discovery/other_indexes.h - facts that the index of another worktree has of a text.
//
// Branches of several worktrees move over the same commits, so one often has parsed what another
// reads next. Only indexes that are this user's own are opened (store/code/own_database.h), and
// nothing is written to them. One thread. Design: docs/workspace.md, "Worktrees".
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "parse/facts/facts.h"
#include "parse/rules/languages.h"
#include "store/code/code_rows.h"
#include "store/database.h"

namespace codexmem::index {

class OtherIndexes {
 public:
  /// Opens the indexes of the other worktrees of the repository at `root` that this version made:
  /// the eight that were written last.
  explicit OtherIndexes(const std::filesystem::path& root);

  /// The facts of a file with the bytes of `file` and its language, whose text is `text`. An index
  /// that cannot be read counts as one that does not have it.
  std::optional<parse::FileFacts> find(const store::FileRow& file, std::string_view text);

 private:
  std::vector<store::Database> databases_;
};

}  // namespace codexmem::index
