// index/ignore.h - which files of a tree are ignored, and by which line of which file.
//
// One matcher for .gitignore, .git/info/exclude, core.excludesFile and .codexmemignore, with git's
// meaning of each line. IgnoreList is one such file; IgnoreTree stacks them over a workspace.
// Design: docs/design/index.md.
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
  /// `text` is the pattern as git sees it: no line ending, no trailing spaces, `!` still there.
  IgnoreRule(std::string text, std::uint32_t line, bool fold_case);

  /// The pattern as it is written.
  const std::string& text() const { return text_; }
  /// 1-based line in its file.
  std::uint32_t line() const { return line_; }
  /// True for `!pattern`: what matches is not ignored.
  bool negated() const { return negated_; }

  /// True if the rule speaks of `path`, which is relative to the folder that the rule applies to,
  /// with
  /// `/` between names; `name` is its last name.
  bool matches(std::string_view path, std::string_view name, bool is_directory) const;

 private:
  enum class Kind : std::uint8_t {
    kName,    // literal_ is the whole name
    kSuffix,  // the name ends with literal_
    kGlob,    // glob_ matches the name
    kPath,    // the path starts with literal_ and glob_ matches what follows
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
  /// Reads the file's bytes: lines end with "\n" or "\r\n", a byte order mark is skipped, `#` at
  /// the start of a line is a comment, trailing spaces count only after a backslash. `source` is
  /// the name shown to users.
  IgnoreList(std::string_view bytes, std::string source, bool fold_case = false);

  const std::string& source() const { return source_; }
  bool empty() const { return rules_.empty(); }

  /// The last rule that speaks of `path` (relative to the list's folder), null if none does.
  const IgnoreRule* find_rule(std::string_view path, bool is_directory) const;

 private:
  std::string source_;
  std::vector<IgnoreRule> rules_;
};

/// What the rules say of one path.
struct IgnoreVerdict {
  enum class Kind : std::uint8_t {
    kKeep,         // not ignored; `rule` is the `!` line that says so, if there is one
    kIgnore,       // ignored by `rule`
    kTrackedOnly,  // a folder that `rule` ignores, below which git tracks files: only those are
                   // kept
  };
  Kind kind = Kind::kKeep;
  const IgnoreRule* rule = nullptr;
  const IgnoreList* list = nullptr;  // of `rule`
  bool by_git_list =
      false;  // a rule ignores it, and whether git tracks it or what is in it decides

  /// "src/.gitignore:3: *.log", or empty without a rule.
  std::string explain() const;
};

/// The rules of a whole workspace.
///
/// Walk it from the top: root() is the scope of the workspace's root folder, enter() that of a
/// folder in it, judge() decides an entry of a folder. A folder that is ignored is not entered,
/// which is why nothing below an ignored folder can be re-included.
///
/// Precedence, highest first: .codexmemignore of the entry's folder and those above it up to the
/// workspace's root; .gitignore likewise, up to the top of the repository that holds the entry
/// (also above the workspace's root); .git/info/exclude; core.excludesFile. What git tracks is not
/// ignored by git's rules, but may be by .codexmemignore; a `!` line there re-includes what git
/// ignores. A repository inside the workspace (a submodule or not) brings its own rules, and those
/// of the repository around it end there.
///
/// Not thread-safe. The scopes, rules and lists it gives out live as long as the tree.
class IgnoreTree {
 public:
  struct Scope;

  /// Which ignore files a folder holds.
  struct Files {
    bool gitignore = false;
    bool codexmemignore = false;
    bool git = false;  // `.git`: the folder is the top of a repository
  };

  /// `root` outlives the tree, as does `observer`: null, or told of the files outside of the
  /// folders that the rules come from.
  explicit IgnoreTree(const RootDirectory& root, RunObserver* observer = nullptr);
  ~IgnoreTree();
  IgnoreTree(const IgnoreTree&) = delete;
  IgnoreTree& operator=(const IgnoreTree&) = delete;

  /// The rules inside the workspace's root.
  const Scope& root() const { return *root_scope_; }

  /// The rules inside `folder` (path relative to the root, not empty) that lies in `parent`, for
  /// which judge() said `verdict`.
  const Scope& enter(const Scope& parent, std::string_view folder, const Files& files,
                     const IgnoreVerdict& verdict);

  /// What the rules of `scope`, the folder's that holds `path`, say of `path`.
  IgnoreVerdict judge(const Scope& scope, std::string_view path, bool is_directory) const;

  /// What the rules say of `path`, given nothing but its name: each folder above it is judged
  /// first.
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
