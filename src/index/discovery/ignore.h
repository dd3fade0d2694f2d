// index/discovery/ignore.h - finds the ignored files of a tree, and the lines that ignore them.
//
// One matcher for .gitignore, .git/info/exclude, core.excludesFile and .codexmemignore, with git's
// semantics. IgnoreList is one such file; IgnoreTree combines them for a workspace. Design:
// docs/how-it-works.md, "Index".
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "text/glob.h"

namespace codexmem::index {

class GitRepository;
class RootDirectory;
class RunObserver;

/// One pattern of an ignore file.
class IgnoreRule {
 public:
  /// `text` is the pattern as git reads it: no line ending, no trailing spaces, still with `!`.
  IgnoreRule(std::string text, std::uint32_t line, bool fold_case);

  /// The pattern as it is written.
  const std::string& text() const { return text_; }
  /// 1-based line in its file.
  std::uint32_t line() const { return line_; }
  /// True for `!pattern`: matches are not ignored.
  bool negated() const { return negated_; }

  /// True if the rule matches `path`, which is relative to the rule's folder, with `/` between
  /// names; `name` is its last name.
  bool matches(std::string_view path, std::string_view name, bool is_directory) const;

 private:
  enum class Kind : std::uint8_t {
    kName,    // literal_ is the whole name
    kSuffix,  // the name ends with literal_
    kGlob,    // glob_ matches the name
    kPath,    // the path starts with literal_ and glob_ matches the rest
  };

  std::string text_;
  std::string literal_;
  Glob glob_;
  std::uint32_t line_;
  Kind kind_ = Kind::kName;
  bool negated_ = false;
  bool directory_only_ = false;
  bool fold_case_;
};

/// The patterns of one ignore file. Immutable.
class IgnoreList {
 public:
  /// Parses the file's bytes: lines end with "
  /// " or "\r
  /// ", a byte order mark is skipped, `#` at the start of a line begins a comment, and trailing
  /// spaces count only after a backslash. `source` is the name shown to users.
  IgnoreList(std::string_view bytes, std::string source, bool fold_case = false);

  const std::string& source() const { return source_; }
  bool empty() const { return rules_.empty(); }

  /// The last rule that matches `path` (relative to the list's folder); null without a match.
  const IgnoreRule* find_rule(std::string_view path, bool is_directory) const;

 private:
  std::string source_;
  std::vector<IgnoreRule> rules_;
};

/// The decision of the rules about one path.
struct IgnoreVerdict {
  enum class Kind : std::uint8_t {
    kKeep,         // not ignored; `rule` is the deciding `!` line, if any
    kIgnore,       // ignored by `rule`
    kTrackedOnly,  // a folder that `rule` ignores, with tracked files below it: only those are kept
  };
  Kind kind = Kind::kKeep;
  const IgnoreRule* rule = nullptr;
  const IgnoreList* list = nullptr;  // of `rule`
  bool by_git_list =
      false;  // a rule ignores it; the decision depends on whether git tracks it or its contents

  /// "src/.gitignore:3: *.log", or empty without a rule.
  std::string explain() const;
};

/// The rules of a whole workspace.
///
/// Walk it from the top: root() is the scope of the workspace's root folder, enter() returns the
/// scope of a folder in it, and judge() decides about an entry of a folder. Ignored folders are not
/// entered, which is why nothing below one can be re-included.
///
/// Precedence, highest first: .codexmemignore of the entry's folder and of the folders above it up
/// to the workspace's root; .gitignore likewise, up to the top of the repository that contains the
/// entry (even above the workspace's root); .git/info/exclude; core.excludesFile. Git's rules do
/// not ignore tracked files, but .codexmemignore may; a `!` line there re-includes files that git
/// ignores. A repository inside the workspace (a submodule or not) has its own rules, and the rules
/// of the enclosing repository end there.
///
/// Not thread-safe. The scopes, rules and lists that it returns live as long as the tree.
class IgnoreTree {
 public:
  struct Scope;

  /// The ignore files in a folder.
  struct Files {
    bool gitignore = false;
    bool codexmemignore = false;
    bool git = false;  // `.git`: the folder is the top of a repository
  };

  /// `root` and `observer` must outlive the tree. `observer` may be null; it is called for rule
  /// files outside the folders.
  explicit IgnoreTree(const RootDirectory& root, RunObserver* observer = nullptr);
  ~IgnoreTree();
  IgnoreTree(const IgnoreTree&) = delete;
  IgnoreTree& operator=(const IgnoreTree&) = delete;

  /// The rules inside the workspace's root.
  const Scope& root() const { return *root_scope_; }

  /// The rules inside `folder` (path relative to the root, not empty), which is in `parent` and for
  /// which judge() returned `verdict`.
  const Scope& enter(const Scope& parent, std::string_view folder, const Files& files,
                     const IgnoreVerdict& verdict);

  /// The decision of `scope`, the scope of the folder that contains `path`, about `path`.
  IgnoreVerdict judge(const Scope& scope, std::string_view path, bool is_directory) const;

  /// The decision about `path` without a known scope: each folder above it is judged first.
  IgnoreVerdict judge_from_root(std::string_view path, bool is_directory);

 private:
  void add_git_lists(Scope& scope, const GitRepository& repository, const std::string& above);

  const RootDirectory& root_directory_;
  RunObserver* observer_;
  std::vector<std::unique_ptr<GitRepository>> repositories_;
  std::deque<IgnoreList> lists_;
  std::deque<Scope> scopes_;
  const Scope* root_scope_ = nullptr;
};

}  // namespace codexmem::index
