// Walks a tree, folder by folder, and applies the ignore rules of each.
//
// Idea: a stack of folders to list, each with its enclosing scope of rules; a folder's own ignore
// files appear in its listing, so finding them takes no system call. Each entry is judged once, and
// ignored folders are not entered. The listing reads the stat of files (RootDirectory), so a tree
// costs one open and one listing per folder and one stat per file, as `git status` does.
//
// Tested by index/discover_test.cpp.
#include "index/discovery/discover.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <span>
#include <utility>

#include "base/path.h"
#include "base/text.h"
#include "config/user_directory.h"
#include "index/discovery/ignore.h"
#include "index/discovery/selection.h"
#include "index/discovery/tree_record.h"

namespace codexmem::index {
namespace {

constexpr std::array<std::string_view, kSkipReasonCount> kReasonNames = {
    "ignored", "too_large",  "binary",      "unknown_type", "vendored",
    "symlink", "unreadable", "not_regular", "name_not_utf8"};

// Folders of version control systems, and our store: never indexed, never reported.
constexpr std::string_view kOwnData[] = {".git", ".hg", ".svn", ".jj", ".bzr", ".codexmem"};

// Folders of package managers with third-party code. Usually ignored; otherwise skipped as well.
constexpr std::string_view kVendored[] = {
    "node_modules", "bower_components", "jspm_packages", "site-packages", ".tox", ".nox"};

bool contains(std::span<const std::string_view> list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

// True if a rule names the entry: one for everything does not.
bool is_named(const IgnoreVerdict& verdict) {
  return verdict.rule != nullptr && verdict.rule->text() != "!*";
}

Selection selected(const DiscoverOptions& options) {
  std::vector<std::string> paths = options.only;
  if (!options.below.empty()) paths.push_back(options.below);
  return Selection(std::move(paths));
}

class TreeWalk {
 public:
  TreeWalk(const RootDirectory& root, const DiscoverOptions& options)
      : root_(root),
        options_(options),
        selection_(selected(options)),
        recorder_(options.record != nullptr
                      ? std::make_unique<RuleRecorder>(*options.record, options.observer)
                      : nullptr),
        rules_(root, recorder_ ? recorder_.get() : options.observer) {}

  Result<Discovery> run(const std::stop_token& stop,
                        const std::function<void(std::size_t)>& progress) {
    if (recorder_) recorder_->note_tops(root_.path());
    {
      RecordedFolder record;
      CODEXMEM_ASSIGN(const std::vector<DirectoryEntry> entries, list("", record));
      visit("", rules_.root(), entries, std::move(record));
    }
    while (!pending_.empty()) {
      if (stop.stop_requested()) return Error{ErrorCode::kCancelled, "indexing was cancelled"};
      const Pending folder = std::move(pending_.back());
      pending_.pop_back();
      enter(folder);
      if (progress) progress(found_.files.size());
    }
    const auto by_path = [](const auto& a, const auto& b) { return a.path < b.path; };
    std::sort(found_.files.begin(), found_.files.end(), by_path);
    std::sort(found_.skipped.begin(), found_.skipped.end(), by_path);
    if (options_.record != nullptr) options_.record->sort();
    return std::move(found_);
  }

 private:
  struct Pending {
    std::string path;
    const IgnoreTree::Scope* around;
    IgnoreVerdict verdict;
  };

  void skip(const std::string& path, bool is_directory, SkipReason reason, std::string detail,
            const FileStat& stat = {}) {
    found_.skipped.push_back({repair_utf8(is_directory ? path + "/" : path), reason,
                              repair_utf8(detail), stat.size, stat.mtime_ns});
  }

  // `record` receives the folder's stamp from before it is listed.
  Result<std::vector<DirectoryEntry>> list(const std::string& folder, RecordedFolder& record) {
    if (options_.observer != nullptr) options_.observer->on_folder(folder);
    CODEXMEM_ASSIGN(OpenFolder open, root_.open_folder(folder));
    if (options_.record != nullptr) {
      record.path = options_.record->keep(folder);
      record.stamp = stamp_to_record(stamp_of(open.stat()), begun_ns_);
    }
    return open.list();
  }

  void put(RecordedFolder record) {
    if (options_.record != nullptr) options_.record->folders().push_back(std::move(record));
  }

  void enter(const Pending& folder) {
    RecordedFolder record;
    auto entries = list(folder.path, record);
    if (!entries.ok()) {
      if (entries.error().code() == ErrorCode::kNotFound) return;  // deleted meanwhile
      skip(folder.path, true, SkipReason::kUnreadable, entries.error().message());
      record.is_closed = true;
      if (options_.record != nullptr) record.path = options_.record->keep(folder.path);
      put(std::move(record));
      return;
    }
    IgnoreTree::Files files;
    bool is_environment = false;
    for (const DirectoryEntry& entry : *entries) {
      const bool is_file = entry.stat.kind == EntryKind::kFile;
      if (entry.name == ".gitignore") files.gitignore = is_file;
      if (entry.name == ".codexmemignore") files.codexmemignore = is_file;
      if (entry.name == ".git") files.git = is_file || entry.stat.kind == EntryKind::kDirectory;
      if (entry.name == "pyvenv.cfg") is_environment = is_file;
    }
    if (is_environment && !is_named(folder.verdict)) {
      skip(folder.path, true, SkipReason::kVendored, "a Python virtual environment");
      record.is_vendored = true;
      put(std::move(record));
      return;
    }
    record.has_git = files.git;
    visit(folder.path, rules_.enter(*folder.around, folder.path, files, folder.verdict), *entries,
          std::move(record));
  }

  void visit(const std::string& folder, const IgnoreTree::Scope& scope,
             const std::vector<DirectoryEntry>& entries, RecordedFolder record) {
    for (const DirectoryEntry& entry : entries) {
      const bool is_directory = entry.stat.kind == EntryKind::kDirectory;
      if (entry.name == ".git" || (is_directory && contains(kOwnData, entry.name))) continue;
      std::string path = folder.empty() ? entry.name : folder + "/" + entry.name;
      if (is_directory ? !selection_.leads_to(path) : !selection_.holds(path)) continue;
      RecordedEntry note;
      note.kind = entry.stat.kind;
      if (!is_directory || path != user_folder_) {
        const IgnoreVerdict verdict = rules_.judge(scope, path, is_directory);
        note.by_git_list = verdict.by_git_list;
        note.verdict = verdict.kind;
        judge(entry, path, verdict, scope, note);
      }
      if (options_.record == nullptr) continue;
      note.name = options_.record->keep(entry.name);
      if (note.kind == EntryKind::kFile &&
          (note.role != EntryRole::kQuiet || is_ignore_file(entry.name))) {
        note.stamp = stamp_to_record(stamp_of(entry.stat), begun_ns_);
      }
      record.entries.push_back(note);
    }
    put(std::move(record));
  }

  // Decides about an entry; `note` receives its role.
  void judge(const DirectoryEntry& entry, const std::string& path, const IgnoreVerdict& verdict,
             const IgnoreTree::Scope& scope, RecordedEntry& note) {
    const bool is_directory = entry.stat.kind == EntryKind::kDirectory;
    if (verdict.kind == IgnoreVerdict::Kind::kIgnore) {
      skip(path, is_directory, SkipReason::kIgnored, verdict.explain());
    } else if (!is_valid_utf8(entry.name)) {
      skip(path, is_directory, SkipReason::kNameNotUtf8, "the name is not UTF-8");
    } else if (is_directory) {
      if (!is_named(verdict) && contains(kVendored, entry.name)) {
        skip(path, true, SkipReason::kVendored, "installed packages");
      } else {
        note.role = EntryRole::kFolder;
        pending_.push_back({path, &scope, verdict});
      }
    } else if (entry.stat.kind == EntryKind::kSymlink) {
      const std::string detail = describe_link(root_, path);
      note.role = EntryRole::kLink;
      if (options_.record != nullptr) note.detail = options_.record->keep(detail);
      skip(path, false, SkipReason::kSymlink, detail);
    } else if (entry.stat.kind == EntryKind::kOther) {
      skip(path, false, SkipReason::kNotRegular, "no regular file");
    } else if (entry.stat.size > options_.max_file_bytes) {
      note.role = EntryRole::kTooLarge;
      skip(path, false, SkipReason::kTooLarge,
           fmt::format("{} bytes, the limit is {}", entry.stat.size, options_.max_file_bytes),
           entry.stat);
    } else {
      note.role = EntryRole::kFile;
      found_.files.push_back({path, entry.stat.size, entry.stat.mtime_ns});
    }
  }

  const RootDirectory& root_;
  const std::int64_t begun_ns_ = clock_ns();
  const std::string user_folder_ = find_user_folder(root_.path());
  const DiscoverOptions& options_;
  const Selection selection_;
  const std::unique_ptr<RuleRecorder> recorder_;
  IgnoreTree rules_;
  std::vector<Pending> pending_;
  Discovery found_;
};

}  // namespace

std::string_view skip_reason_name(SkipReason reason) {
  return kReasonNames.at(static_cast<std::size_t>(reason));
}

bool is_own_data_name(std::string_view name) { return contains(kOwnData, name); }

std::string describe_link(const RootDirectory& root, const std::string& path) {
  const auto target = root.read_link(path);
  if (!target.ok()) return "a link";
  std::error_code failed;
  const std::filesystem::path end = std::filesystem::canonical(root.path() / path, failed);
  if (failed == std::errc::too_many_symbolic_link_levels) {
    return "a link that leads to itself: " + *target;
  }
  if (failed) return "a link that leads nowhere: " + *target;
  const std::string relative = end.lexically_relative(root.path()).string();
  if (relative.empty() || relative == ".." || relative.starts_with("../")) {
    return "a link that leads out of the repository: " + *target;
  }
  return "a link to " + relative;
}

std::string find_user_folder(const std::filesystem::path& root) {
  std::error_code failed;
  const auto folder = std::filesystem::weakly_canonical(user_directory(), failed);
  return failed || folder.empty() ? std::string() : path_below(root, folder).value_or("");
}

bool is_own_data(std::string_view path) {
  while (!path.empty()) {
    const std::size_t slash = std::min(path.find('/'), path.size());
    if (contains(kOwnData, path.substr(0, slash))) return true;
    path.remove_prefix(std::min(slash + 1, path.size()));
  }
  return false;
}

Result<Discovery> discover(const RootDirectory& root, const DiscoverOptions& options,
                           std::stop_token stop, const std::function<void(std::size_t)>& progress) {
  return TreeWalk(root, options).run(stop, progress);
}

}  // namespace codexmem::index
