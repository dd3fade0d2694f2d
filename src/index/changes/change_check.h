// index/changes/change_check.h - finds what a commit breaks elsewhere: `codexmem check`.
//
// Compares the files of a commit with the staged files, or with the work tree. It reports imports
// that no longer resolve, removed definitions that are still used, and new violations of rules.
// Staged files are read from git. The workspace's store, which describes the work tree, must be up
// to date and is not changed. Design: docs/how-it-works.md, "Check".
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "graph/imports/code_rules.h"
#include "index/git/git_changes.h"
#include "store/code/workspace.h"

namespace codexmem::index {

struct ChangeFinding {
  enum class Kind : std::uint8_t { kImport, kName, kUse, kRule, kShared, kCall, kSyntax };
  Kind kind = Kind::kImport;
  std::string path;
  std::uint32_t line = 1, column = 1;  // 1-based; columns in UTF-16 code units
  std::string name;                    // the module as written, or the name; for kRule the rule
  std::string target;                  // the file that had it, if known
  std::string message;                 // for display: the problem and its reason
  std::string context;                 // the source line
};

/// A use of a removed definition, or a new import, that could not be checked.
struct UncheckedUse {
  ChangeFinding::Kind kind = ChangeFinding::Kind::kUse;
  std::string path;
  std::uint32_t line = 1, column = 1;  // as above
  std::string name;
  std::string why;  // for display; the same text for all uses with that reason
};

/// "import", "name", "use", "rule", "shared", "call", "syntax".
std::string_view finding_kind_name(ChangeFinding::Kind kind);

struct ChangeReport {
  std::vector<ChangeFinding> findings;          // by path and position
  std::vector<UncheckedUse> unchecked;          // by path and position
  std::map<std::string, std::size_t> possible;  // other places that may use a removed name, by name
  std::size_t files_changed = 0;                // that differ
  std::size_t files_checked = 0;                // how many of these are in languages with import
                                                // resolution
  std::map<std::string, std::size_t> other;     // files in other languages, by language
  std::vector<std::string> rules_not_checked;   // the reasons, for rules that could not be read
  std::size_t left_out = 0;                     // files that a sparse checkout leaves out
  bool is_complete = true;                      // false: there was too much to check everything

  /// True if everything was checked.
  bool is_whole() const {
    return unchecked.empty() && other.empty() && rules_not_checked.empty() && left_out == 0 &&
           is_complete;
  }
};

/// A rule that a change must not break, and its origin: "decision \"Layers\"".
struct GivenRule {
  graph::CodeRule rule;
  std::string of;
};

/// "3 places with the name run may use what is gone: what they belong to is unknown".
std::string possible_use(std::string_view name, std::size_t places);

/// Checks what `changes` break, including `rules`. If `paths` is not empty, reports only these
/// files and folders. Errors: as the store; kIo when git's data cannot be read or there is no room
/// for temporary files; kCancelled.
Result<ChangeReport> check_changes(store::Workspace& workspace, GitChanges changes,
                                   const std::vector<std::string>& paths,
                                   const std::vector<GivenRule>& rules, std::stop_token stop = {});

}  // namespace codexmem::index
