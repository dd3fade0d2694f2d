// Commits of the default branch are walked once for all stages, the newest first, down to the time
// at which the oldest stage left it. Patch ids cost most, so they are made only of commits with the
// same files.
//
// Tested by tests/git/branch_memory_test.py.
#include "index/git/branch_fates.h"

#include <fmt/core.h>
#include <git2.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <string_view>
#include <utility>

#include "index/git/commit_changes.h"
#include "index/git/git_branches.h"
#include "index/git/git_files.h"
#include "index/git/git_handles.h"
#include "index/git/git_log.h"

namespace codexmem::index {
namespace fs = std::filesystem;
namespace {

using store::BranchStage;

constexpr std::size_t kMaxLogs = 200;
constexpr std::size_t kMaxCompared = 3'000;  // commits of the default branch in one look
constexpr std::size_t kMaxOwn = 500;         // commits of one branch
constexpr std::chrono::milliseconds kJudgingTime{2'000};
constexpr std::int64_t kClockSlackSeconds = 24 * 3600;

}  // namespace

struct BranchFates::Impl {
  struct Subject {  // a stage, and what git has of it
    BranchStage* stage = nullptr;
    std::optional<git_oid> tip, former_tip;
    std::optional<git_oid> carrier;      // nothing: no commit carries it
    CommitChange change;                 // of the carrier
    std::vector<CommitChange> branches;  // the whole branch, at its tips that have the carrier
    std::vector<git_oid> known;          // tips of the default branch that were compared before
    std::string state;
    std::string how;  // it was merged
  };

  RepositoryHandle repository;
  std::string common;
  std::string branch;
  std::optional<git_oid> head;
  DefaultBranch trunk;
  std::map<std::string, GitLog> logs;  // by path
  std::optional<CommitChanges> changes;
  std::map<std::string, std::vector<git_oid>> own;              // by tip
  std::map<std::pair<std::string, std::string>, bool> parents;  // whether one contains another
  std::chrono::steady_clock::time_point deadline = {};

  bool is_late() const { return std::chrono::steady_clock::now() > deadline; }

  static std::optional<git_oid> parse(std::string_view hex) {
    git_oid id;
    if (hex.size() != GIT_OID_HEXSZ || git_oid_fromstrn(&id, hex.data(), hex.size()) != 0) {
      return std::nullopt;
    }
    return id;
  }

  bool has(const git_oid& id) const { return find_commit(repository.get(), id) != nullptr; }

  bool contains(const git_oid& commit, const git_oid& other) {
    if (git_oid_equal(&commit, &other) != 0) return true;
    const auto [at, is_new] = parents.try_emplace({hex_of(commit), hex_of(other)}, false);
    if (is_new) at->second = git_graph_descendant_of(repository.get(), &commit, &other) == 1;
    return at->second;
  }

  bool is_on_trunk(const git_oid& commit) {
    return std::ranges::any_of(trunk.tips,
                               [&](const git_oid& tip) { return contains(tip, commit); });
  }

  // ---- The branch's commits

  // The commits that `tip` has and the default branch has not, the newest first.
  const std::vector<git_oid>& own_commits(const git_oid& tip) {
    const auto [at, is_new] = own.try_emplace(hex_of(tip));
    git_revwalk* raw = nullptr;
    if (!is_new || git_revwalk_new(&raw, repository.get()) != 0) return at->second;
    const WalkHandle walk(raw);
    git_revwalk_sorting(walk.get(), GIT_SORT_TIME);
    git_revwalk_push(walk.get(), &tip);
    for (const git_oid& id : trunk.tips) git_revwalk_hide(walk.get(), &id);
    git_oid id;
    while (at->second.size() < kMaxOwn && !is_late() && git_revwalk_next(&id, walk.get()) == 0) {
      at->second.push_back(id);
    }
    return at->second;
  }

  // `tip` has the carrier, or another commit of the branch is the same change.
  bool has_change(const git_oid& tip, const Subject& subject) {
    if (!subject.carrier) return false;
    if (contains(tip, *subject.carrier)) return true;
    return std::ranges::any_of(own_commits(tip), [&](const git_oid& id) {
      const CommitHandle commit = find_commit(repository.get(), id);
      return commit != nullptr && changes->is_same(commit.get(), subject.change);
    });
  }

  // ---- The branch

  fs::path log_path(const std::string& name) const {
    return fs::path(common) / "logs/refs/heads" / name;
  }

  static bool is_name(const std::string& name) {
    return git_reference_is_valid_name(("refs/heads/" + name).c_str()) == 1;
  }

  const GitLog& log_at(const fs::path& path) {
    const auto [at, is_new] = logs.try_emplace(path.string());
    if (is_new) at->second = read_git_log(path);
    return at->second;
  }
  const GitLog& log_of(const std::string& name) {
    static const GitLog kNone;
    return is_name(name) ? log_at(log_path(name)) : kNone;
  }

  // The branch `name` is another one than the stage's, made later.
  bool is_remade(const std::string& name, const BranchStage& stage) {
    const GitLog& log = log_of(name);
    const std::string birth = birth_of(log);
    if (!birth.empty() && !stage.place.birth.empty()) return birth != stage.place.birth;
    if (birth.empty() || stage.place.head.empty()) return false;
    return std::ranges::none_of(
        log, [&](const LogLine& line) { return line.after == stage.place.head; });
  }

  // The name that the stage's branch has now; empty: none.
  std::string new_name_of(const BranchStage& stage) {
    const std::string renamed =
        fmt::format("Branch: renamed refs/heads/{} to refs/heads/", stage.place.branch);
    git_reference_iterator* raw = nullptr;
    if (git_reference_iterator_glob_new(&raw, repository.get(), "refs/heads/*") != 0) return "";
    const GitHandle<git_reference_iterator, &git_reference_iterator_free> all(raw);
    const char* name = nullptr;
    for (std::size_t looked = 0;
         looked < kMaxLogs && git_reference_next_name(&name, all.get()) == 0; ++looked) {
      const std::string other = std::string(name).substr(std::string_view("refs/heads/").size());
      const GitLog& log = log_of(other);
      const bool is_renamed = std::ranges::any_of(log, [&](const LogLine& line) {
        return line.time_s >= stage.made_at_ms / 1'000 && line.message.starts_with(renamed);
      });
      if (is_renamed && !is_remade(other, stage)) return other;
    }
    return "";
  }

  std::optional<git_oid> tip_of(BranchStage& stage) {
    std::string& name = stage.place.branch;
    if (!is_name(name)) return std::nullopt;
    const auto tip = commit_of(repository.get(), "refs/heads/" + name);
    if (tip && !is_remade(name, stage)) return tip;
    if (std::string renamed = new_name_of(stage); !renamed.empty()) {
      name = std::move(renamed);
      return commit_of(repository.get(), "refs/heads/" + name);
    }
    // The local branch is gone; the remote may still have it.
    const auto remote = commit_of(repository.get(), "refs/remotes/origin/" + name);
    const auto known = parse(stage.carrier.empty() ? stage.place.head : stage.carrier);
    if (remote && known && !is_on_trunk(*known) && contains(*remote, *known)) return remote;
    return std::nullopt;
  }

  // ---- The commit that carries a stage

  // True for one new commit on top of the one before.
  bool is_on_top(const LogLine& line) const {
    const auto after = parse(line.after);
    const CommitHandle commit = after ? find_commit(repository.get(), *after) : nullptr;
    if (commit == nullptr) return true;  // git has removed it since
    const unsigned count = git_commit_parentcount(commit.get());
    return line.message.starts_with("commit") || count == 0 ||
           (count == 1 && hex_of(*git_commit_parent_id(commit.get(), 0)) == line.before);
  }

  // The first commit of `log` after the stage, of the lines for which `is_of_branch` is true. If
  // `must_begin`, the log has to have been at the stage's commit.
  template <typename IsOfBranch>
  std::string first_commit(const GitLog& log, const BranchStage& stage, bool must_begin,
                           const IsOfBranch& is_of_branch) const {
    const std::int64_t made_s = stage.made_at_ms / 1'000;
    std::optional<std::size_t> from;
    for (std::size_t i = 0; i < log.size(); ++i) {
      if (log[i].after == stage.place.head && log[i].time_s <= made_s && is_of_branch(i)) {
        from = i + 1;
      }
    }
    if (!from && must_begin && !stage.place.head.empty()) return "";
    // A branch that is somewhere else when it is checked out again may be another one.
    std::string at = from ? stage.place.head : "";
    for (std::size_t i = from.value_or(0); i < log.size(); ++i) {
      const LogLine& line = log[i];
      if (!is_of_branch(i) || (!from && line.time_s < made_s)) continue;
      if (is_new_commit(line) && is_on_top(line)) {
        return at.empty() || line.before == at ? line.after : "";
      }
      if (line.message.starts_with("checkout:") && !at.empty() && line.after != at) return "";
      at = line.after;
    }
    return "";
  }

  // HEAD's logs know commits of a branch that is gone.
  std::string first_commit_of_heads(const BranchStage& stage) {
    std::vector<fs::path> paths = {fs::path(common) / "logs/HEAD"};
    std::error_code failed;
    for (fs::directory_iterator entry(fs::path(common) / "worktrees", failed), end;
         !failed && entry != end && paths.size() < kMaxLogs; entry.increment(failed)) {
      paths.push_back(entry->path() / "logs/HEAD");
    }
    for (const fs::path& path : paths) {
      const GitLog& log = log_at(path);
      const std::vector<std::string> names = branches_of(log);
      std::string found = first_commit(
          log, stage, true, [&](std::size_t line) { return names[line] == stage.place.branch; });
      if (!found.empty()) return found;
    }
    return "";
  }

  void find_carrier(BranchStage& stage, const std::optional<git_oid>& tip) {
    const std::string before = stage.carrier;
    const GitLog& log = log_of(stage.place.branch);
    if (stage.carrier.empty() && !stage.place.branch.empty()) {
      if (tip && !log.empty()) {
        stage.carrier = first_commit(log, stage, false, [](std::size_t) { return true; });
      } else {
        stage.carrier = first_commit_of_heads(stage);
      }
      // Without any log, the branch itself says what came after.
      const auto head_then = parse(stage.place.head);
      if (stage.carrier.empty() && tip && log.empty() && head_then) {
        for (const git_oid& id : own_commits(*tip)) {
          if (!contains(*head_then, id)) stage.carrier = hex_of(id);  // the oldest is the last
        }
      }
    }
    for (const LogLine& line : log) {
      if (line.message.starts_with("commit (amend)") && !stage.carrier.empty() &&
          line.before == stage.carrier) {
        stage.carrier = line.after;
      }
    }
    if (stage.carrier != before) {
      stage.patch.clear();
      stage.files.clear();
      stage.signature.clear();
    }
  }

  // Fills in the carrier and its change, which is noted, for git removes old commits.
  void read_carrier(Subject& subject) {
    BranchStage& stage = *subject.stage;
    subject.carrier = parse(!stage.carrier.empty() ? stage.carrier
                            : stage.place.is_own   ? stage.place.head
                                                   : std::string());
    if (!subject.carrier) return;
    if (const CommitHandle commit = find_commit(repository.get(), *subject.carrier)) {
      changes->patch_of(commit.get());
      subject.change = changes->of(commit.get());
      stage.patch = subject.change.patch;
      stage.files = subject.change.files;
      stage.signature = subject.change.signature;
    } else {
      subject.change.patch = stage.patch;
      subject.change.files = stage.files;
      subject.change.signature = stage.signature;
    }
  }

  // The changes of a whole branch up to `tip`.
  CommitChange whole_branch(const git_oid& tip) {
    for (const git_oid& trunk_tip : trunk.tips) {
      git_oid base;
      if (git_merge_base(&base, repository.get(), &tip, &trunk_tip) != 0) continue;
      const CommitHandle before = find_commit(repository.get(), base);
      const CommitHandle after = find_commit(repository.get(), tip);
      if (before != nullptr && after != nullptr) return changes->between(before.get(), after.get());
    }
    return {};
  }

  // ---- Where that commit went

  std::string how_named(const git_commit* commit, const Subject& subject) {
    const CommitChange& change = changes->of(commit);
    if (names_commit(change.message, hex_of(*subject.carrier))) {
      return "merged by a commit that names it";
    }
    const std::string number = change_id_of(subject.change.message);
    if (!number.empty() && number == change_id_of(change.message)) {
      return "merged with the same Change-Id";
    }
    const auto& tip = subject.tip ? subject.tip : subject.former_tip;
    const std::string& email = subject.change.email;
    const bool is_of_author =
        !email.empty() && (change.email == email || names_author(change.message, email));
    if (!tip || subject.branches.empty() || !is_of_author) return "";
    std::size_t count = 0;
    bool are_listed = true;
    for (const git_oid& each : own_commits(*tip)) {
      const CommitHandle own_commit = find_commit(repository.get(), each);
      if (own_commit == nullptr || git_commit_parentcount(own_commit.get()) > 1) continue;
      are_listed = are_listed &&
                   lists_subject(change.message, subject_of(changes->of(own_commit.get()).message));
      ++count;
    }
    if (count > 0 && are_listed) return "squashed";
    const bool is_request =
        count == 1 &&
        is_request_of(subject_of(change.message), subject_of(subject.change.message)) &&
        change.files == subject.branches.front().files;
    return is_request ? "squashed" : "";
  }

  std::string how_in(const git_commit* commit, const Subject& subject) {
    if (changes->is_same(commit, subject.change)) return "rebased or picked";
    for (const CommitChange& whole : subject.branches) {
      if (!whole.files.empty() && changes->of(commit).files == whole.files &&
          changes->patch_of(commit) == whole.patch) {
        return "squashed";
      }
    }
    return how_named(commit, subject);
  }

  // Looks for the carriers of `subjects` in the default branch. Returns false when there was no
  // time for all of it.
  bool find_in_trunk(std::vector<Subject*>& subjects) {
    if (subjects.empty()) return true;
    // What was compared before, if that is so for all of them.
    std::vector<git_oid> known = subjects.front()->known;
    std::int64_t oldest_s = INT64_MAX;
    for (const Subject* subject : subjects) {
      const bool is_same_known = std::ranges::equal(
          known, subject->known,
          [](const git_oid& a, const git_oid& b) { return git_oid_equal(&a, &b) != 0; });
      if (!is_same_known) known.clear();
      git_oid base;
      std::int64_t left_s = subject->stage->made_at_ms / 1'000;
      for (const git_oid& tip : trunk.tips) {
        if (git_merge_base(&base, repository.get(), &tip, &*subject->carrier) != 0) continue;
        const CommitHandle commit = find_commit(repository.get(), base);
        if (commit != nullptr)
          left_s = std::min(left_s, std::int64_t{git_commit_time(commit.get())});
      }
      oldest_s = std::min(oldest_s, left_s - kClockSlackSeconds);
    }
    git_revwalk* raw = nullptr;
    if (git_revwalk_new(&raw, repository.get()) != 0) return true;
    const WalkHandle walk(raw);
    git_revwalk_sorting(walk.get(), GIT_SORT_TIME);
    for (const git_oid& tip : trunk.tips) git_revwalk_push(walk.get(), &tip);
    for (const git_oid& tip : known) git_revwalk_hide(walk.get(), &tip);
    git_oid id;
    for (std::size_t i = 0; i < kMaxCompared && git_revwalk_next(&id, walk.get()) == 0; ++i) {
      if (is_late()) return false;
      const CommitHandle commit = find_commit(repository.get(), id);
      if (commit == nullptr) continue;
      if (git_commit_time(commit.get()) < oldest_s) break;
      for (Subject* subject : subjects) {
        if (subject->how.empty()) subject->how = how_in(commit.get(), *subject);
      }
    }
    return true;
  }

  // ---- Judging

  bool is_checked_out(const BranchStage& stage) const {
    return !stage.is_aside && !branch.empty() && stage.place.branch == branch;
  }

  // What the answer for a stage depends on: first its own, then the tips of the default branch.
  std::string state_of(const Subject& subject) const {
    const auto& tip = subject.tip ? subject.tip : subject.former_tip;
    std::string state = (tip ? hex_of(*tip) : "-") + ' ' + subject.stage->carrier;
    for (const git_oid& trunk_tip : trunk.tips) state += ' ' + hex_of(trunk_tip);
    return state;
  }

  // The tips of the default branch for which the stage was judged, if its own part is the same.
  static std::vector<git_oid> judged_tips(const BranchStage& stage, std::string_view state) {
    const std::size_t own_part = state.find(' ', state.find(' ') + 1);
    std::vector<git_oid> tips;
    if (own_part == std::string_view::npos ||
        !stage.judged.starts_with(state.substr(0, own_part + 1))) {
      return tips;
    }
    std::string_view rest = std::string_view(stage.judged).substr(own_part);
    while (rest.size() > GIT_OID_HEXSZ) {
      if (const auto id = parse(rest.substr(1, GIT_OID_HEXSZ))) tips.push_back(*id);
      rest.remove_prefix(GIT_OID_HEXSZ + 1);
    }
    return tips;
  }

  Subject read(BranchStage& stage) {
    Subject subject;
    subject.stage = &stage;
    subject.former_tip = parse(stage.tip);
    subject.tip = tip_of(stage);
    find_carrier(stage, subject.tip);
    read_carrier(subject);
    // Without a log only this shows that a branch is a later one of its name.
    if (subject.tip && subject.carrier && log_of(stage.place.branch).empty() &&
        !is_on_trunk(*subject.tip) && !has_change(*subject.tip, subject)) {
      subject.tip.reset();
    }
    if (subject.tip) stage.tip = hex_of(*subject.tip);
    const bool is_checked_out = !branch.empty() && stage.place.branch == branch;
    stage.is_aside = !subject.tip && !stage.place.branch.empty() &&
                     !(is_checked_out && !commit_of(repository.get(), "refs/heads/" + branch));
    subject.state = state_of(subject);
    subject.known = judged_tips(stage, subject.state);
    return subject;
  }

  std::string why_waiting(const Subject& subject) {
    if (!trunk.is_known) return "git does not say which branch is the default one";
    if (subject.stage->is_aside) return "the branch is gone, and its commits are not merged";
    if (!subject.carrier) return "nothing was committed on the branch since";
    if (subject.tip && is_on_trunk(*subject.tip)) {
      return "the branch is merged without the commit that came after";
    }
    return fmt::format("the branch is not merged into {}", trunk.name);
  }

  std::vector<BranchFate> judge(std::span<BranchStage> stages) {
    deadline = std::chrono::steady_clock::now() + kJudgingTime;
    std::vector<BranchFate> fates(stages.size());
    std::vector<Subject> subjects;
    std::vector<Subject*> open;
    subjects.reserve(stages.size());
    for (std::size_t i = 0; i < stages.size(); ++i) {
      if (is_late()) {  // as far as the name says
        fates[i].is_here = is_checked_out(stages[i]);
        subjects.emplace_back();
        continue;
      }
      Subject& subject = subjects.emplace_back(read(stages[i]));
      fates[i].is_here = is_checked_out(stages[i]) || (head && has_change(*head, subject));
      stages[i].why = why_waiting(subject);
      if (!trunk.is_known || !subject.carrier || stages[i].judged == subject.state) continue;
      if (is_on_trunk(*subject.carrier)) {
        subject.how = "merged";
        continue;
      }
      // A squash has all that the branch had then.
      for (const auto& tip : {subject.tip, subject.former_tip}) {
        if (tip && has(*tip) && has_change(*tip, subject)) {
          subject.branches.push_back(whole_branch(*tip));
        }
      }
      open.push_back(&subject);
    }
    const bool is_whole = find_in_trunk(open);
    for (std::size_t i = 0; i < stages.size(); ++i) {
      Subject& subject = subjects[i];
      if (subject.stage == nullptr) continue;
      fates[i].landed = subject.how;
      if (subject.how.empty() && is_whole) stages[i].judged = subject.state;
      if (subject.how.empty() && !is_whole) stages[i].why = "there was no time to look for it";
      // One that waits though it was merged has lost to another: it is seen on its branch alone.
      if (!subject.how.empty() && stages[i].place.branch != branch) fates[i].is_here = false;
    }
    return fates;
  }
};

BranchFates::BranchFates(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
BranchFates::~BranchFates() = default;

Result<std::unique_ptr<BranchFates>> BranchFates::open(const fs::path& root) {
  CODEXMEM_ASSIGN(const fs::path top, find_git_top(root, /*here_only=*/true));
  auto impl = std::make_unique<Impl>();
  CODEXMEM_ASSIGN(impl->repository, open_git(top));
  git_repository* const repository = impl->repository.get();
  impl->common = git_repository_commondir(repository);
  impl->branch = branch_of(repository);
  impl->head = commit_of(repository, "HEAD");
  impl->trunk = find_default_branch(repository);
  impl->changes.emplace(repository);
  return std::unique_ptr<BranchFates>(new BranchFates(std::move(impl)));
}

const std::string& BranchFates::repository() const { return impl_->common; }

bool BranchFates::may_adopt(const store::BranchStage& stage) const {
  std::error_code failed;
  const auto commit = Impl::parse(stage.carrier.empty() ? stage.place.head : stage.carrier);
  return !fs::exists(stage.place.repository, failed) && commit && impl_->has(*commit);
}

std::optional<store::BranchPlace> BranchFates::place() const {
  const bool is_own = impl_->head && !impl_->is_on_trunk(*impl_->head);
  const bool is_trunk = !impl_->branch.empty() && impl_->branch == impl_->trunk.name;
  // A HEAD detached at a commit of the default branch is on no branch.
  if (is_trunk || impl_->trunk.tips.empty() || (impl_->branch.empty() && !is_own) ||
      (!impl_->branch.empty() && !Impl::is_name(impl_->branch))) {
    return std::nullopt;
  }
  store::BranchPlace place;
  place.repository = impl_->common;
  place.branch = impl_->branch;
  if (impl_->head) place.head = hex_of(*impl_->head);
  place.birth = birth_of(impl_->log_of(place.branch));
  place.is_own = is_own;
  return place;
}

std::string BranchFates::state(std::span<const store::BranchStage> stages) const {
  std::string state = impl_->common + '\n' + impl_->branch + '\n';
  if (impl_->head) state += hex_of(*impl_->head);
  for (const git_oid& tip : impl_->trunk.tips) state += ' ' + hex_of(tip);
  for (const store::BranchStage& stage : stages) {
    const std::string& name = stage.place.branch;
    state += fmt::format("\n{} {} {} {}", static_cast<std::int64_t>(stage.id), name, stage.judged,
                         stage.why);
    if (!Impl::is_name(name)) continue;
    for (const char* const folder : {"refs/heads/", "refs/remotes/origin/"}) {
      const auto tip = commit_of(impl_->repository.get(), folder + name);
      state += ' ' + (tip ? hex_of(*tip) : "-");
    }
    std::error_code failed;
    state += fmt::format(" {}", fs::file_size(impl_->log_path(name), failed));
  }
  return state;
}

std::vector<BranchFate> BranchFates::judge(std::span<store::BranchStage> stages) {
  return impl_->judge(stages);
}

}  // namespace codexmem::index
