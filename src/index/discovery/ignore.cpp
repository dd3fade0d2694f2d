// Finds the line of an ignore file that decides about a path.
//
// Idea: in each ignore file, the last matching line wins; files are consulted from the nearest
// folder outwards, and the first with a match decides. A folder's scope is a node that points to
// the enclosing scope; it is created only if the folder has rules of its own, so most folders share
// their parent's. Nearly all lines have no wildcard or look like `*.o`; they are compared directly,
// and text/glob.h handles the rest.
//
// The literal beginning of a path pattern is compared first, and only the rest is a glob. As in
// git, a `**` at the start of the rest counts as one between slashes (`foo**/bar` matches
// foo/x/bar).
//
// Tested by index/ignore_test.cpp and, against `git check-ignore`, by index/ignore_git_test.cpp.
#include "index/discovery/ignore.h"

#include <fmt/core.h>

#include <filesystem>
#include <utility>

#include "base/path.h"
#include "base/file.h"
#include "base/log.h"
#include "base/text.h"
#include "index/git/git_repository.h"
#include "index/discovery/root_directory.h"
#include "index/run/run_observer.h"

namespace codexmem::index {
namespace {

constexpr std::uint64_t kMaxIgnoreFileBytes = 16 << 20;  // a larger file is not read as an ignore
                                                         // file

// The pattern without `!` and without the final slash that marks a folder.
std::string_view pattern_body(std::string_view text) {
  if (text.starts_with('!')) text.remove_prefix(1);
  if (text.ends_with('/')) text.remove_suffix(1);
  return text;
}

// The number of bytes before the first wildcard or backslash.
std::size_t literal_length(std::string_view pattern) {
  return std::min(pattern.find_first_of("*?[\\"), pattern.size());
}

bool is_path_pattern(std::string_view body) { return body.find('/') != std::string_view::npos; }

// The glob in a pattern: for a path pattern, the part after its literal beginning.
std::string_view glob_part(std::string_view body) {
  return is_path_pattern(body) ? body.substr(literal_length(body)) : body;
}

bool same(std::string_view a, std::string_view b, bool fold_case) {
  return fold_case ? to_lower_ascii(a) == to_lower_ascii(b) : a == b;
}

// `line` without trailing spaces, except one after a backslash.
std::string_view without_trailing_spaces(std::string_view line) {
  std::size_t keep = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\\') {
      if (++i == line.size()) return line;
      keep = i + 1;
    } else if (line[i] != ' ') {
      keep = i + 1;
    }
  }
  return line.substr(0, keep);
}

}  // namespace

IgnoreRule::IgnoreRule(std::string text, std::uint32_t line, bool fold_case)
    : text_(std::move(text)),
      glob_(glob_part(pattern_body(text_)),
            {.pathname = is_path_pattern(pattern_body(text_)), .fold_case = fold_case}),
      line_(line),
      negated_(text_.starts_with('!')),
      directory_only_(text_.size() > (negated_ ? 1U : 0U) && text_.ends_with('/')),
      fold_case_(fold_case) {
  const std::string_view body = pattern_body(text_);
  const std::size_t literal = literal_length(body);
  if (is_path_pattern(body)) {
    kind_ = Kind::kPath;
    literal_ =
        body.substr(body.starts_with('/') ? 1 : 0, literal - (body.starts_with('/') ? 1 : 0));
  } else if (literal == body.size()) {
    kind_ = Kind::kName;
    literal_ = body;
  } else if (body.starts_with('*') && literal_length(body.substr(1)) == body.size() - 1) {
    kind_ = Kind::kSuffix;
    literal_ = body.substr(1);
  } else {
    kind_ = Kind::kGlob;
  }
}

bool IgnoreRule::matches(std::string_view path, std::string_view name, bool is_directory) const {
  if (directory_only_ && !is_directory) return false;
  switch (kind_) {
    case Kind::kName:
      return name.size() == literal_.size() && same(name, literal_, fold_case_);
    case Kind::kSuffix:
      return name.size() >= literal_.size() &&
             same(name.substr(name.size() - literal_.size()), literal_, fold_case_);
    case Kind::kGlob:
      return glob_.matches(name);
    case Kind::kPath:
      return path.size() >= literal_.size() &&
             same(path.substr(0, literal_.size()), literal_, fold_case_) &&
             glob_.matches(path.substr(literal_.size()));
  }
  return false;
}

IgnoreList::IgnoreList(std::string_view bytes, std::string source, bool fold_case)
    : source_(std::move(source)) {
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  std::uint32_t line_number = 0;
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    std::string_view line = bytes.substr(0, end);
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
    ++line_number;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.starts_with('#')) continue;
    line = line.substr(0, line.find('\0'));  // git reads a line as a C string
    line = without_trailing_spaces(line);
    if (pattern_body(line).empty()) continue;  // "", "!", "/": they match nothing
    rules_.emplace_back(std::string(line), line_number, fold_case);
  }
}

const IgnoreRule* IgnoreList::find_rule(std::string_view path, bool is_directory) const {
  const std::string_view name = file_name(path);
  for (auto rule = rules_.rbegin(); rule != rules_.rend(); ++rule) {
    if (rule->matches(path, name, is_directory)) return &*rule;
  }
  return nullptr;
}

std::string IgnoreVerdict::explain() const {
  if (rule == nullptr) return "";
  return fmt::format("{}:{}: {}", list->source(), rule->line(), rule->text());
}

namespace {

// A list of the repository that is outside the walked folders; `prefix` leads from the list's
// folder to the repository's top or, if that is above the workspace, to the workspace's root.
struct OuterList {
  const IgnoreList* list;
  std::string prefix;
};

// The verdict of the last matching rule in the first list that has one.
IgnoreVerdict ask(const std::vector<OuterList>& lists, std::string_view path, bool is_directory) {
  for (const OuterList& outer : lists) {
    const IgnoreRule* rule =
        outer.prefix.empty()
            ? outer.list->find_rule(path, is_directory)
            : outer.list->find_rule(outer.prefix + std::string(path), is_directory);
    if (rule == nullptr) continue;
    return {.kind = rule->negated() ? IgnoreVerdict::Kind::kKeep : IgnoreVerdict::Kind::kIgnore,
            .rule = rule,
            .list = outer.list,
            .by_git_list = false};
  }
  return {};
}

}  // namespace

struct IgnoreTree::Scope {
  const Scope* parent = nullptr;
  std::string base;  // the folder of this scope, relative to the root, "" or ending with "/"
  const IgnoreList* gitignore = nullptr;
  const IgnoreList* codexmemignore = nullptr;
  const GitRepository* repository = nullptr;  // that contains the folder, if any
  bool fold_case = false;
  bool repository_top = false;   // git's rules from enclosing scopes do not apply
  std::size_t top_length = 0;    // length of the path prefix before the repository's work tree
  std::string above;             // the path from the repository's top to the root, if the root is
                                 // below it
  std::vector<OuterList> outer;  // of the repository, highest precedence first; only at its top
  IgnoreVerdict excluded;        // set if git ignores the folder itself: only tracked files count
};

namespace {

std::string read_outside(const std::string& path) {
  if (path.empty()) return "";
  auto bytes = read_file(path, kMaxIgnoreFileBytes);
  if (bytes.ok()) return std::move(bytes).value();
  if (bytes.error().code() != ErrorCode::kNotFound) {
    log_warn("ignore file not used: {}", bytes.error().message());
  }
  return "";
}

}  // namespace

IgnoreTree::IgnoreTree(const RootDirectory& root, RunObserver* observer)
    : root_directory_(root), observer_(observer) {
  Scope& scope = scopes_.emplace_back();
  scope.repository_top = true;
  const std::string path = root.path().string();
  if (auto repository = GitRepository::find(path)) {
    std::string above;
    if (path != repository->worktree()) {
      above = std::filesystem::path(path).lexically_relative(repository->worktree()).string() + "/";
    }
    scope.above = above;
    add_git_lists(scope, *repository, above);
    repositories_.push_back(std::move(repository));
  }
  const auto add = [&](const char* name) -> const IgnoreList* {
    auto bytes = root.read(name, kMaxIgnoreFileBytes);
    if (!bytes.ok()) return nullptr;
    return &lists_.emplace_back(*bytes, name, scope.fold_case);
  };
  scope.gitignore = add(".gitignore");
  scope.codexmemignore = add(".codexmemignore");
  root_scope_ = &scope;
}

IgnoreTree::~IgnoreTree() = default;

// Adds the rules from outside the walked folders to `scope`, which is at the top of `repository` or
// (if `above` is not empty) at the root inside it.
void IgnoreTree::add_git_lists(Scope& scope, const GitRepository& repository,
                               const std::string& above) {
  scope.repository = &repository;
  scope.fold_case = repository.ignores_case();
  const auto observe = [&](const std::string& path, RunObserver::Interest interest) {
    if (observer_ != nullptr && !path.empty()) observer_->on_file(path, interest);
  };
  observe(repository.head_file(), RunObserver::Interest::kRules);
  observe(repository.index_file(), RunObserver::Interest::kTracked);
  for (const std::string& path : repository.config_files()) {
    observe(path, RunObserver::Interest::kRules);
  }
  const auto add = [&](const std::string& path, std::string prefix) {
    observe(path, RunObserver::Interest::kRules);
    const std::string bytes = read_outside(path);
    if (bytes.empty()) return;
    const std::string root = root_directory_.path().string() + "/";
    std::string shown = path.starts_with(root) ? path.substr(root.size()) : path;
    lists_.emplace_back(bytes, std::move(shown), scope.fold_case);
    scope.outer.insert(scope.outer.begin(), {&lists_.back(), std::move(prefix)});
  };
  add(repository.global_exclude_file(), above);
  add(repository.exclude_file(), above);
  // The .gitignore of each folder above the root. If they ignore the root itself, it was requested
  // by name: then they do not apply, because they would leave nothing.
  for (std::size_t begin = 0; begin < above.size();) {
    const std::string folder = repository.worktree() + "/" + above.substr(0, begin);
    if (!std::filesystem::is_symlink(folder + ".gitignore")) {
      add(folder + ".gitignore", above.substr(begin));
    }
    const std::size_t end = above.find('/', begin);
    std::vector<OuterList> lists = scope.outer;
    for (OuterList& outer : lists) {
      outer.prefix = above.substr(above.size() - outer.prefix.size(),
                                  end + outer.prefix.size() - above.size());
    }
    if (ask(lists, "", true).kind == IgnoreVerdict::Kind::kIgnore) {
      scope.outer.clear();
      return;
    }
    begin = end + 1;
  }
}

const IgnoreTree::Scope& IgnoreTree::enter(const Scope& parent, std::string_view folder,
                                           const Files& files, const IgnoreVerdict& verdict) {
  const bool tracked_only = verdict.kind == IgnoreVerdict::Kind::kTrackedOnly;
  if (!files.gitignore && !files.codexmemignore && !files.git && !tracked_only) return parent;
  Scope& scope = scopes_.emplace_back();
  scope.parent = &parent;
  scope.base = std::string(folder) + "/";
  scope.repository = parent.repository;
  scope.fold_case = parent.fold_case;
  scope.top_length = parent.top_length;
  scope.above = parent.above;
  if (tracked_only) scope.excluded = verdict;
  if (files.git) {
    const std::string path = root_directory_.path().string() + "/" + std::string(folder);
    if (auto repository = GitRepository::find(path, /*here_only=*/true)) {
      scope.repository_top = true;
      scope.top_length = scope.base.size();
      scope.above.clear();
      add_git_lists(scope, *repository, "");
      repositories_.push_back(std::move(repository));
    }
  }
  const auto add = [&](const char* name) -> const IgnoreList* {
    const std::string path = scope.base + name;
    auto bytes = root_directory_.read(path, kMaxIgnoreFileBytes);
    if (!bytes.ok()) {
      log_warn("ignore file not used: {}", bytes.error().message());
      return nullptr;
    }
    return &lists_.emplace_back(*bytes, path, scope.fold_case);
  };
  if (files.gitignore) scope.gitignore = add(".gitignore");
  if (files.codexmemignore) scope.codexmemignore = add(".codexmemignore");
  return scope;
}

IgnoreVerdict IgnoreTree::judge(const Scope& scope, std::string_view path,
                                bool is_directory) const {
  using Kind = IgnoreVerdict::Kind;
  IgnoreVerdict own;
  for (const Scope* at = &scope; at != nullptr && own.rule == nullptr; at = at->parent) {
    if (at->codexmemignore == nullptr) continue;
    own.list = at->codexmemignore;
    own.rule = own.list->find_rule(path.substr(at->base.size()), is_directory);
  }
  if (own.rule != nullptr && !own.rule->negated()) {
    own.kind = Kind::kIgnore;
    return own;
  }

  IgnoreVerdict git = scope.excluded;
  if (git.rule == nullptr) {
    if (own.rule != nullptr) return own;
    const Scope* at = &scope;
    for (;; at = at->parent) {
      if (at->gitignore != nullptr) {
        git.list = at->gitignore;
        git.rule = git.list->find_rule(path.substr(at->base.size()), is_directory);
      }
      if (git.rule != nullptr || at->repository_top) break;
    }
    if (git.rule == nullptr) {
      git = ask(at->outer, path.substr(scope.top_length), is_directory);
      if (git.rule == nullptr) return {};
    }
    if (git.rule->negated()) {
      git.kind = Kind::kKeep;
      return git;
    }
  }
  git.kind = Kind::kIgnore;
  if (scope.repository != nullptr) {
    git.by_git_list = true;
    const std::string in_repository = scope.above + std::string(path.substr(scope.top_length));
    if (scope.repository->is_tracked(in_repository))
      return {.kind = Kind::kKeep, .rule = nullptr, .list = nullptr, .by_git_list = true};
    if (is_directory && scope.repository->has_tracked_below(in_repository)) {
      git.kind = Kind::kTrackedOnly;
    }
  }
  return git;
}

IgnoreVerdict IgnoreTree::judge_from_root(std::string_view path, bool is_directory) {
  const Scope* scope = root_scope_;
  for (std::size_t slash = path.find('/'); slash != std::string_view::npos;
       slash = path.find('/', slash + 1)) {
    const std::string folder(path.substr(0, slash));
    const IgnoreVerdict verdict = judge(*scope, folder, true);
    if (verdict.kind == IgnoreVerdict::Kind::kIgnore) return verdict;
    const auto holds = [&](const char* name, EntryKind other) {
      const auto stat = root_directory_.stat(folder + "/" + name);
      return stat.ok() && (stat->kind == EntryKind::kFile || stat->kind == other);
    };
    scope = &enter(*scope, folder,
                   {.gitignore = holds(".gitignore", EntryKind::kFile),
                    .codexmemignore = holds(".codexmemignore", EntryKind::kFile),
                    .git = holds(".git", EntryKind::kDirectory)},
                   verdict);
  }
  return judge(*scope, path, is_directory);
}

}  // namespace codexmem::index
