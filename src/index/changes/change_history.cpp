// Commits are taken from HEAD by time, in the order of `git log`: a queue holds the commits whose
// children were taken. Each is compared with its first parent only by trees, so a commit costs the
// trees that differ and no file contents. Merges do not count, because they repeat their commits. A
// commit whose parent is missing, at the border of a shallow clone, does not count either: it would
// seem to change every file.
//
// The changes of a commit are immutable. They are kept under the commit's id, and a new HEAD reads
// only new commits. 1,000 commits of a large repository take about 0.3 s and a few megabytes.
//
// Tested by index/change_history_test.cpp.
#include "index/changes/change_history.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <map>
#include <mutex>
#include <queue>
#include <set>
#include <stop_token>
#include <thread>
#include <unordered_map>
#include <utility>

#include "base/log.h"
#include "base/path.h"
#include "base/stop_scope.h"
#include "index/git/git_files.h"
#include "index/git/git_handles.h"
#include "index/git/tree_compare.h"

namespace codexmem::index {
namespace fs = std::filesystem;
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kPatience{1000};
constexpr std::chrono::milliseconds kPause{10};

// Until when a lock is waited for. By the system's clock: ThreadSanitizer does not see waits by the
// steady one. Should that clock be set back, the wait ends with the holder's turn.
std::chrono::system_clock::time_point in_time(std::chrono::milliseconds patience) {
  return std::chrono::system_clock::now() + patience;
}

constexpr TreeLimits kCommitLimits{.entries = 20'000, .time = std::chrono::milliseconds(500)};
constexpr std::size_t kMaxAddedFiles = 200'000;  // of all commits
constexpr std::size_t kMaxMovedFiles = 5'000;    // of a commit that moves folders
// More are not followed: no merge by people has as many.
constexpr unsigned kMaxParents = 100;

using PathNumber = std::uint32_t;
constexpr PathNumber kNoPath = ~PathNumber{};

// What a commit counts by, of those that changed a file or of all, for each newer one; tried with
// half and twice as much on commits of sixteen repositories (bench/impact.md).
constexpr double kOlderCommit = 0.95, kOlderLately = 0.917;
constexpr std::size_t kLatelyCommits = 60;

struct Commit {
  std::vector<PathNumber> files;                         // none if it does not count
  std::vector<std::pair<PathNumber, PathNumber>> moved;  // from, to
  std::vector<PathNumber> added;                         // but not moved
  std::int64_t time = 0;
  std::uint32_t author = 0;
  std::size_t place = 0;  // 0: the newest
};

// The moves among the files that a commit removed and added: equal contents, else the only two of
// one name. The removed ones are taken out of `gone`.
std::vector<std::pair<std::string, std::string>> find_moves(
    std::map<std::string, std::string>& gone, const std::map<std::string, std::string>& come) {
  std::vector<std::pair<std::string, std::string>> moves;
  std::set<std::string> taken;
  const auto pair_by = [&](auto key_of_file) {
    std::map<std::string, std::vector<std::string>> left;  // by key
    std::map<std::string, std::size_t> count;
    for (const auto& [path, id] : gone) left[key_of_file(path, id)].push_back(path);
    for (const auto& [path, id] : come) {
      if (!taken.contains(path)) ++count[key_of_file(path, id)];
    }
    for (const auto& [path, id] : come) {
      if (taken.contains(path)) continue;
      const std::string key = key_of_file(path, id);
      const auto from = left.find(key);
      if (from == left.end() || from->second.size() != 1 || count[key] != 1) continue;
      moves.emplace_back(from->second.front(), path);
      gone.erase(from->second.front());
      taken.insert(path);
    }
  };
  pair_by([](const std::string&, const std::string& id) { return id; });
  pair_by([](const std::string& path, const std::string&) { return std::string(file_name(path)); });
  return moves;
}

// The oid as a map key.
std::string key_of(const git_oid& id) {
  return {reinterpret_cast<const char*>(id.id), sizeof id.id};
}

// The history of one repository; its owner's mutex guards it.
class RepositoryHistory {
 public:
  RepositoryHistory(fs::path top, std::string revision)
      : top_(std::move(top)), revision_(std::move(revision)) {}

  // Reads new commits, at most until `deadline`.
  Result<void> refresh(Clock::time_point deadline) {
    auto opened = open_git(top_);
    if (!opened.ok()) {
      log_debug("no history: {}", opened.error().message());
      clear();
      return {};
    }
    git_repository* const repository = opened->get();
    git_object* raw = nullptr;
    const int code = git_revparse_single(&raw, repository, (revision_ + "^{commit}").c_str());
    const ObjectHandle commit(raw);
    if (code != 0) {  // no commit yet
      clear();
      return {};
    }
    const git_oid head = *git_object_id(raw);
    if (head_ == key_of(head) && !is_cut_) return {};
    is_shallow_ = git_repository_is_shallow(repository) == 1;
    return read(repository, head, deadline);
  }

  FileHistory find(const std::string& path) const {
    FileHistory history;
    history.looked_at = commits_.size();
    history.is_shallow = is_shallow_;
    history.is_cut = is_cut_;
    const auto known = numbers_.find(path);
    const PathNumber wanted = known == numbers_.end() ? kNoPath : known->second;
    std::map<PathNumber, ChangedFile> counts;
    std::unordered_map<PathNumber, double> lately;
    std::unordered_map<PathNumber, PathNumber> today;  // the names of files moved since
    const auto name_today = [&](PathNumber file) {
      const auto at = today.find(file);
      return at == today.end() ? file : at->second;
    };
    double weight = 1, late = 1;
    for (const Commit* commit : in_order()) {
      std::vector<PathNumber> files;
      for (const PathNumber file : commit->files) files.push_back(name_today(file));
      if (!files.empty() && late > std::pow(kOlderLately, kLatelyCommits)) {
        for (const PathNumber file : files) lately[file] += late;
        late *= kOlderLately;
      }
      if (std::ranges::find(files, wanted) != files.end()) {
        ++history.commits;
        weight *= kOlderCommit;
        history.weight += weight;
        for (const PathNumber file : files) {
          ++counts[file].commits;
          counts[file].weight += weight / std::log2(1 + static_cast<double>(files.size()));
        }
      }
      for (const auto& [from, to] : commit->moved) today[from] = name_today(to);
    }
    counts.erase(wanted);
    for (const auto& [file, count] : counts) {
      history.together.push_back({*paths_[file], count.commits, count.weight});
    }
    for (const auto& [file, sum] : lately) history.lately.emplace(*paths_[file], sum);
    std::stable_sort(history.together.begin(), history.together.end(),
                     [](const ChangedFile& a, const ChangedFile& b) {
                       return a.commits != b.commits ? a.commits > b.commits : a.path < b.path;
                     });
    return history;
  }

  // Paths start at the top of the repository.
  ChangeCounts count() const {
    ChangeCounts counts;
    counts.looked_at = commits_.size();
    counts.is_shallow = is_shallow_;
    std::vector<std::size_t> commits(paths_.size());
    for (const auto& [key, commit] : commits_) {
      for (const PathNumber file : commit.files) ++commits[file];
    }
    for (std::size_t file = 0; file < commits.size(); ++file) {
      if (commits[file] > 0) counts.commits.emplace(*paths_[file], commits[file]);
    }
    return counts;
  }

  // Paths start at the top of the repository.
  ChangeTimeline timeline() const {
    ChangeTimeline made;
    made.is_shallow = is_shallow_;
    std::unordered_map<PathNumber, PathNumber> today;  // the names of files moved since
    const auto names_today = [&](const std::vector<PathNumber>& files) {
      std::vector<std::string> names;
      for (const PathNumber file : files) {
        const auto at = today.find(file);
        names.push_back(*paths_[at == today.end() ? file : at->second]);
      }
      return names;
    };
    for (const Commit* commit : in_order()) {
      if (!commit->files.empty() || !commit->added.empty()) {
        made.commits.push_back(
            {commit->time, commit->author, names_today(commit->files), names_today(commit->added)});
      }
      for (const auto& [from, to] : commit->moved) {
        const auto at = today.find(to);
        today[from] = at == today.end() ? to : at->second;
      }
    }
    std::ranges::reverse(made.commits);
    return made;
  }

  bool is_cut() const { return is_cut_; }
  std::size_t known_commits() const { return commits_.size() + broken_off_.size(); }

 private:
  std::vector<const Commit*> in_order() const {
    std::vector<const Commit*> commits;
    for (const auto& [key, commit] : commits_) commits.push_back(&commit);
    std::ranges::sort(commits, {}, &Commit::place);
    return commits;
  }

  void clear() {
    head_.clear();
    commits_.clear();
    broken_off_.clear();
    is_shallow_ = is_cut_ = false;
  }

  Result<void> read(git_repository* repository, const git_oid& head, Clock::time_point deadline) {
    const auto is_later = [](const std::pair<git_time_t, std::string>& a,
                             const std::pair<git_time_t, std::string>& b) { return a < b; };
    std::priority_queue<std::pair<git_time_t, std::string>,
                        std::vector<std::pair<git_time_t, std::string>>, decltype(is_later)>
        next(is_later);
    std::map<std::string, CommitHandle> waiting;
    std::set<std::string> seen;
    const auto add = [&](const git_oid& id) {
      std::string key = key_of(id);
      if (!seen.insert(key).second) return true;
      CommitHandle commit = find_commit(repository, id);
      if (!commit) return false;
      next.emplace(git_commit_time(commit.get()), key);
      waiting.emplace(std::move(key), std::move(commit));
      return true;
    };
    std::unordered_map<std::string, Commit> commits;
    is_cut_ = false;
    add(head);
    while (!next.empty() && commits.size() < kMaxCommits) {
      if (auto stop = go_on(); !stop.ok()) {
        keep(std::move(commits));
        return stop;
      }
      if (Clock::now() > deadline) {
        is_cut_ = true;
        break;
      }
      const std::string key = next.top().second;
      next.pop();
      const CommitHandle commit = std::move(waiting.extract(key).mapped());
      bool has_parents = true;
      const unsigned parents = std::min(git_commit_parentcount(commit.get()), kMaxParents);
      for (unsigned i = 0; i < parents; ++i) {
        has_parents = add(*git_commit_parent_id(commit.get(), i)) && has_parents;
      }
      const Commit* const known = find_known(key);
      Commit read = known != nullptr ? *known
                    : has_parents    ? changed_files(repository, commit.get())
                                     : Commit();
      read.place = commits.size();
      commits.emplace(key, std::move(read));
    }
    if (is_cut_) {
      keep(std::move(commits));
    } else {
      commits_ = std::move(commits);
      broken_off_.clear();
      head_ = key_of(head);
    }
    return {};
  }

  const Commit* find_known(const std::string& key) const {
    for (const auto* const known : {&commits_, &broken_off_}) {
      if (const auto found = known->find(key); found != known->end()) return &found->second;
    }
    return nullptr;
  }

  // Keeps the commits of an interrupted reading, so that the next one need not read them again,
  // even if commits_, for another head, has more.
  void keep(std::unordered_map<std::string, Commit> commits) {
    is_cut_ = true;
    broken_off_.insert(commits.begin(), commits.end());
    if (commits.size() > commits_.size()) commits_ = std::move(commits);
  }

  // The files changed by a commit; no files if it does not count.
  Commit changed_files(git_repository* repository, const git_commit* commit) {
    if (git_commit_parentcount(commit) > 1) return {};
    const TreeHandle tree = tree_of(commit);
    TreeHandle before;
    if (git_commit_parentcount(commit) == 1) {
      const CommitHandle parent = find_commit(repository, *git_commit_parent_id(commit, 0));
      if (parent) before = tree_of(parent.get());
      if (!before) return {};
    }
    if (!tree) return {};
    std::vector<std::string> paths;
    std::map<std::string, std::string> gone, come;  // with the ids of their contents
    const auto compared = compare_trees(
        repository, before.get(), tree.get(), kCommitLimits, [&](const TreeDifference& difference) {
          if (difference.new_id == nullptr) {
            gone.emplace(difference.path, key_of(*difference.old_id));
          } else {
            paths.push_back(difference.path);
            if (difference.old_id == nullptr) {
              come.emplace(difference.path, key_of(*difference.new_id));
            }
          }
          return gone.size() + paths.size() <= kMaxMovedFiles;
        });
    // A commit that is too large to compare counts no more than one with too many files.
    if (!compared.ok() || gone.size() + paths.size() > kMaxMovedFiles) return {};
    Commit read;
    read.time = git_commit_time(commit);
    read.author = author_of(commit);
    for (auto& [from, to] : find_moves(gone, come)) {
      come.erase(to);
      read.moved.emplace_back(number_of(std::move(from)), number_of(std::move(to)));
    }
    if (added_ += come.size(); added_ <= kMaxAddedFiles) {
      for (const auto& [path, id] : come) read.added.push_back(number_of(path));
    }
    for (auto& [path, id] : gone) paths.push_back(path);
    if (paths.size() > kMaxCommitFiles) return read;
    for (std::string& path : paths) read.files.push_back(number_of(std::move(path)));
    return read;
  }

  std::uint32_t author_of(const git_commit* commit) {
    const git_signature* const author = git_commit_author(commit);
    const std::string email = author == nullptr || author->email == nullptr ? "" : author->email;
    return authors_.try_emplace(email, static_cast<std::uint32_t>(authors_.size())).first->second;
  }

  PathNumber number_of(std::string path) {
    const auto [at, is_new] =
        numbers_.try_emplace(std::move(path), static_cast<PathNumber>(paths_.size()));
    if (is_new) paths_.push_back(&at->first);
    return at->second;
  }

  const fs::path top_;
  const std::string revision_;
  std::string head_;  // that commits_ belong to; may be empty
  bool is_shallow_ = false, is_cut_ = false;
  std::unordered_map<std::string, Commit> commits_;
  std::unordered_map<std::string, Commit> broken_off_;   // from interrupted readings since commits_
                                                         // was complete
  std::unordered_map<std::string, PathNumber> numbers_;  // the addresses of keys are stable
  std::vector<const std::string*> paths_;
  std::unordered_map<std::string, std::uint32_t> authors_;  // by e-mail address
  std::size_t added_ = 0;                                   // files, in all commits
};

}  // namespace

struct ChangeHistory::Impl {
  Impl(fs::path of, std::string until) : root(std::move(of)), revision(std::move(until)) {}

  RepositoryHistory& at(const fs::path& top) {
    return repositories.try_emplace(top, top, revision).first->second;
  }

  // Continues in the background when a count ran out of time. `mutex` is held.
  void read_on(const fs::path& top) {
    if (is_reading) return;
    is_reading = true;
    reader = std::jthread([this, top](const std::stop_token& stop) {
      const StopScope scope(stop);
      try {
        // The pause between turns lets a query for a single file's history take the lock.
        while (read_a_while(top)) std::this_thread::sleep_for(kPause);
      } catch (const std::exception& error) {
        log_warn("no history: {}", error.what());
        const std::lock_guard lock(mutex);
        is_reading = false;
      }
    });
  }

  // False when everything is read, or a turn made no progress.
  bool read_a_while(const fs::path& top) {
    const std::lock_guard lock(mutex);
    RepositoryHistory& history = at(top);
    const std::size_t before = history.known_commits();
    is_reading = history.refresh(Clock::now() + kPatience).ok() && history.is_cut() &&
                 history.known_commits() > before;
    return is_reading;
  }

  const fs::path root;
  const std::string revision;
  std::timed_mutex mutex;                              // guards the rest
  std::map<fs::path, RepositoryHistory> repositories;  // by their tops
  bool is_reading = false;
  std::jthread reader;  // last: it ends before the members that it uses
};

namespace {

// Git's paths begin at the top of its repository, which may be above or below the root: one prefix
// to remove from a path of the root for git, and one to remove from git's path for the root.
struct Prefixes {
  std::string left_out, added;

  Prefixes(const fs::path& top, const fs::path& root) {
    const auto as_folder = [](std::string folder) {
      return folder.empty() ? folder : folder + "/";
    };
    left_out = as_folder(path_below(top, root).value_or(""));
    added = as_folder(path_below(root, top).value_or(""));
  }
  bool has(std::string_view path) const { return path.starts_with(left_out); }
  std::string of_root(std::string_view path) const {
    return added + std::string(path.substr(left_out.size()));
  }
};

}  // namespace

ChangeHistory::ChangeHistory(fs::path root, std::string revision)
    : impl_(std::make_unique<Impl>(std::move(root), std::move(revision))) {}
ChangeHistory::~ChangeHistory() = default;

Result<FileHistory> ChangeHistory::find(const std::string& path) {
  const fs::path file = impl_->root / path;
  // In an old revision, the file's folder may no longer exist.
  const auto top = find_git_top(impl_->revision == "HEAD" ? file.parent_path() : impl_->root,
                                /*here_only=*/false);
  if (!top.ok()) return FileHistory();
  const auto inside = path_below(*top, file);
  if (!inside) return FileHistory();
  const std::unique_lock lock(impl_->mutex, in_time(kPatience));
  if (!lock.owns_lock()) {
    FileHistory unread;
    unread.is_cut = true;
    return unread;
  }
  RepositoryHistory& history = impl_->at(*top);
  CODEXMEM_TRY(history.refresh(Clock::now() + kPatience));
  FileHistory found = history.find(*inside);
  const Prefixes prefixes(*top, impl_->root);
  std::erase_if(found.together,
                [&](const ChangedFile& other) { return !prefixes.has(other.path); });
  for (ChangedFile& other : found.together) other.path = prefixes.of_root(other.path);
  std::unordered_map<std::string, double> lately;
  for (const auto& [other, sum] : found.lately) {
    if (prefixes.has(other)) lately.emplace(prefixes.of_root(other), sum);
  }
  found.lately = std::move(lately);
  return found;
}

template <typename Made, typename Make>
Result<Made> ChangeHistory::read_all(std::chrono::milliseconds patience, const Make& make) {
  const auto top = find_git_top(impl_->root, /*here_only=*/false);
  if (!top.ok()) return Made();
  Made unfinished;
  unfinished.is_unfinished = true;
  const auto deadline = Clock::now() + patience;
  const std::unique_lock lock(impl_->mutex, in_time(patience));
  if (!lock.owns_lock()) return unfinished;
  RepositoryHistory& history = impl_->at(*top);
  CODEXMEM_TRY(history.refresh(deadline));
  if (history.is_cut()) {
    impl_->read_on(*top);
    return unfinished;
  }
  return make(history, Prefixes(*top, impl_->root));
}

Result<ChangeCounts> ChangeHistory::count(std::chrono::milliseconds patience) {
  return read_all<ChangeCounts>(patience,
                                [](const RepositoryHistory& history, const Prefixes& prefixes) {
                                  ChangeCounts counts = history.count();
                                  std::unordered_map<std::string, std::size_t> here;
                                  for (const auto& [path, commits] : counts.commits) {
                                    if (prefixes.has(path))
                                      here.emplace(prefixes.of_root(path), commits);
                                  }
                                  counts.commits = std::move(here);
                                  return counts;
                                });
}

Result<ChangeTimeline> ChangeHistory::timeline(std::chrono::milliseconds patience) {
  return read_all<ChangeTimeline>(
      patience, [](const RepositoryHistory& history, const Prefixes& prefixes) {
        ChangeTimeline made = history.timeline();
        for (TimedCommit& commit : made.commits) {
          for (std::vector<std::string>* const paths : {&commit.changed, &commit.added}) {
            std::erase_if(*paths, [&](const std::string& path) { return !prefixes.has(path); });
            for (std::string& path : *paths) path = prefixes.of_root(path);
          }
        }
        std::erase_if(made.commits, [](const TimedCommit& each) {
          return each.changed.empty() && each.added.empty();
        });
        return made;
      });
}

}  // namespace codexmem::index
