// index/change_check.h - what a commit breaks elsewhere: `codexmem check`.
//
// Compares the files of a commit with those that are staged, or with the work tree: imports that no
// longer lead anywhere, definitions that are gone and still used, and places that break a rule
// which they did not break before. What is staged is read from git; the workspace's store, which
// describes the work tree, has to be up to date and stays as it is. Design: docs/design/git.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "graph/code_rules.h"
#include "index/git_changes.h"
#include "store/code/workspace.h"

namespace codexmem::index {

struct ChangeFinding {
  enum class Kind : std::uint8_t { kImport, kName, kUse, kRule, kShared };
  Kind kind = Kind::kImport;
  std::string path;
  std::uint32_t line = 1, column = 1;  // 1-based; columns in UTF-16 code units
  std::string name;                    // the module as written, or the name; of kRule the rule
  std::string target;                  // the file that had it, if that is known
  std::string message;                 // for people: what, and why
  std::string context;                 // the line
};

/// A use of something that is gone, or an import that is new, of which nothing can be said.
struct UncheckedUse {
  ChangeFinding::Kind kind = ChangeFinding::Kind::kUse;
  std::string path;
  std::uint32_t line = 1, column = 1;  // as above
  std::string name;
  std::string why;  // for people, the same for all uses that have one reason
};

/// "import", "name", "use", "rule".
std::string_view finding_kind_name(ChangeFinding::Kind kind);

struct ChangeReport {
  std::vector<ChangeFinding> findings;         // by path and position
  std::vector<UncheckedUse> unchecked;         // by path and position
  std::size_t files_changed = 0;               // that differ
  std::size_t files_checked = 0;               // of these, in languages whose imports are resolved
  std::map<std::string, std::size_t> other;    // files in other languages, by language
  std::vector<std::string> rules_not_checked;  // why, of rules that could not be read
  bool is_complete = true;                     // false: there was too much to look at all of it

  /// True if everything was looked at.
  bool is_whole() const {
    return unchecked.empty() && other.empty() && rules_not_checked.empty() && is_complete;
  }
};

/// A rule that a change must not break, and why there is one: "decision \"Layers\"".
struct GivenRule {
  graph::CodeRule rule;
  std::string of;
};

/// Checks what `changes` break, of `rules` too; `paths`: tells only of these files and folders,
/// empty: of all. Errors: those of the store; kIo when git's data cannot be read or there is no
/// room for temporary files; kCancelled.
Result<ChangeReport> check_changes(store::Workspace& workspace, GitChanges changes,
                                   const std::vector<std::string>& paths,
                                   const std::vector<GivenRule>& rules, std::stop_token stop = {});

}  // namespace codexmem::index
