// A folder with an unchanged stamp has the same entries: every new, removed or replaced name
// changes its time. So its files are checked one by one without a listing. A write within the
// clock's granularity after a stamp was taken would not change it; such stamps are recorded without
// a time (stamp_to_record), and never match.
//
// Only the file systems in a short list are known to change a folder's time with its entries; on
// others each folder is listed.
//
// Tested by index/tree_look_test.cpp.
#include "index/discovery/tree_look.h"

#include <sys/vfs.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <iterator>
#include <thread>
#include <utility>

#include "index/discovery/discover.h"
#include "index/discovery/ignore.h"

namespace codexmem::index {
namespace {

constexpr std::size_t kFoldersAtOnce = 32;
// Maximum number of entries that depend on git's list of tracked files; with more, a walk is
// simpler.
constexpr std::size_t kMaxByGitList = 2000;

// ext2 to 4, XFS, Btrfs, F2FS, tmpfs, overlayfs, ZFS, bcachefs: numbers from statfs(2).
constexpr std::array<std::uint32_t, 8> kSoundFileSystems = {
    0xEF53, 0x58465342, 0x9123683E, 0xF2F52010, 0x01021994, 0x794C7630, 0x2FC12FC1, 0xCA451A4E};

bool has_sound_folder_times(const RootDirectory& root) {
  struct statfs info {};
  return ::statfs(root.path().c_str(), &info) == 0 &&
         std::ranges::find(kSoundFileSystems, static_cast<std::uint32_t>(info.f_type)) !=
             kSoundFileSystems.end();
}

bool is_same(const Stamp& recorded, const Stamp& now) {
  return recorded.change_ns != 0 && recorded == now;
}

// The results of one thread.
struct Found {
  std::vector<std::string> changed, differing;
  bool has_new_rules = false;
  bool is_renewed = false;
};

class Looker {
 public:
  Looker(const RootDirectory& root, TreeRecord& record)
      : root_(root),
        record_(record),
        trusts_folders_(has_sound_folder_times(root)),
        user_folder_(find_user_folder(root.path())) {}

  // Checks folders until all are done.
  Found run(const std::stop_token& stop) {
    Found found;
    auto& folders = record_.folders();
    for (;;) {
      const std::size_t begin = next_.fetch_add(kFoldersAtOnce);
      if (begin >= folders.size() || stop.stop_requested() || found.has_new_rules) return found;
      const std::size_t end = std::min(folders.size(), begin + kFoldersAtOnce);
      for (std::size_t i = begin; i < end; ++i) look_at(folders[i], found);
    }
  }

 private:
  void look_at(RecordedFolder& folder, Found& found) {
    const std::string path(folder.path);
    const std::int64_t now_ns = clock_ns();
    auto open = root_.open_folder(path);
    if (!open.ok()) {
      if (folder.is_closed && open.error().code() != ErrorCode::kNotFound) return;
      if (path.empty()) found.has_new_rules = true;  // the walk will report why
      found.changed.push_back(path);
      return;
    }
    if (folder.is_closed) {
      if (auto entries = open->list(); entries.ok()) found.changed.push_back(path);
      return;
    }
    const Stamp stamp = stamp_of(open->stat());
    const bool is_listed = !trusts_folders_ || !is_same(folder.stamp, stamp) ||
                           stamp.device != record_.folders().front().stamp.device;
    if (folder.is_vendored) {
      if (is_listed) found.changed.push_back(path);
      return;
    }
    if (!is_listed) {
      for (const RecordedEntry& entry : folder.entries) {
        if (entry.role == EntryRole::kLink) {
          look_at_link(folder, entry, found);
        } else if (entry.stamp != Stamp()) {
          look_at_file(folder, entry, open->find(entry.name.data()), found);
        }
      }
      return;
    }
    auto entries = open->list();
    if (!entries.ok()) {
      found.changed.push_back(path);
      return;
    }
    const std::size_t before = found.changed.size();
    compare_listing(folder, *entries, found);
    // The run will update the changed entries; until then the folder is listed again.
    const Stamp renewed = stamp_to_record(stamp, now_ns);
    if (found.changed.size() == before && renewed.change_ns != 0 && renewed != folder.stamp) {
      folder.stamp = renewed;
      found.is_renewed = true;
    }
  }

  void look_at_file(const RecordedFolder& folder, const RecordedEntry& entry,
                    const std::optional<FileStat>& now, Found& found) {
    if (now && now->kind == entry.kind && is_same(entry.stamp, stamp_of(*now))) return;
    if (is_ignore_file(entry.name)) {
      found.has_new_rules = true;
      return;
    }
    found.changed.push_back(path_in(folder, entry.name));
    if (entry.stamp.change_ns != 0) found.differing.push_back(found.changed.back());
  }

  void look_at_link(const RecordedFolder& folder, const RecordedEntry& entry, Found& found) {
    std::string path = path_in(folder, entry.name);
    if (describe_link(root_, path) != entry.detail) found.changed.push_back(std::move(path));
  }

  void compare_listing(const RecordedFolder& folder, const std::vector<DirectoryEntry>& entries,
                       Found& found) {
    auto known = folder.entries.begin();
    const auto differs = [&](std::string_view name) {
      if (is_ignore_file(name)) found.has_new_rules = true;
      // This file determines what the whole folder is.
      const bool is_whole = name == "pyvenv.cfg" && !folder.path.empty();
      found.changed.push_back(is_whole ? std::string(folder.path) : path_in(folder, name));
    };
    bool has_git = false;
    for (const DirectoryEntry& entry : entries) {
      const bool is_directory = entry.stat.kind == EntryKind::kDirectory;
      if (entry.name == ".git") {
        has_git = has_git || is_directory || entry.stat.kind == EntryKind::kFile;
        continue;
      }
      if (is_directory && is_own_data_name(entry.name)) continue;
      for (; known != folder.entries.end() && known->name < entry.name; ++known) {
        differs(known->name);
      }
      if (known == folder.entries.end() || known->name != entry.name ||
          known->kind != entry.stat.kind) {
        if (!is_directory || path_in(folder, entry.name) != user_folder_) differs(entry.name);
      } else if (known->role == EntryRole::kLink) {
        look_at_link(folder, *known, found);
      } else if (known->stamp != Stamp()) {
        look_at_file(folder, *known, entry.stat, found);
      }
      if (known != folder.entries.end() && known->name == entry.name) ++known;
    }
    for (; known != folder.entries.end(); ++known) differs(known->name);
    // (The root's .git is a rule: RuleRecorder::note_tops().)
    if (!folder.path.empty() && has_git != folder.has_git) found.has_new_rules = true;
  }

  const RootDirectory& root_;
  TreeRecord& record_;  // each thread changes the folders that it checks
  const bool trusts_folders_;
  const std::string user_folder_;
  std::atomic<std::size_t> next_{0};
};

enum class Rules { kSame, kGitList, kOther };

// Compares the rules outside the folders; changed ones that are git's list of tracked files get new
// stamps.
Rules look_at_rules(TreeRecord& record, RunObserver* observer, bool& is_renewed) {
  Rules found = Rules::kSame;
  for (RecordedRule& rule : record.rules()) {
    if (observer != nullptr && rule.how != RecordedRule::How::kPresence) {
      observer->on_file(rule.path, rule.interest);
    }
    const std::int64_t now_ns = clock_ns();
    RecordedRule now = look_at_rule(rule);
    if (rule.exists == now.exists && (!now.exists || is_same(rule.stamp, now.stamp))) continue;
    const bool is_list = rule.how == RecordedRule::How::kGitList && rule.exists == now.exists;
    if (!is_list) return Rules::kOther;
    found = Rules::kGitList;
    now.stamp = stamp_to_record(now.stamp, now_ns);
    is_renewed = is_renewed || now.stamp.change_ns != 0;
    rule = std::move(now);
  }
  return found;
}

// True if all recorded files of ignore rules are unchanged. Checked before the folders are watched,
// because a folder that is now ignored must not be watched.
bool has_same_ignore_files(const RootDirectory& root, const TreeRecord& record) {
  for (const RecordedFolder& folder : record.folders()) {
    for (const RecordedEntry& entry : folder.entries) {
      if (!is_ignore_file(entry.name)) continue;
      const auto open = root.open_folder(std::string(folder.path));
      const auto now = open.ok() ? open->find(entry.name.data()) : std::nullopt;
      if (!now || now->kind != entry.kind || !is_same(entry.stamp, stamp_of(*now))) return false;
    }
  }
  return true;
}

// True if git's tracked files give the same decisions.
bool decides_as_before(const RootDirectory& root, const TreeRecord& record) {
  std::vector<std::pair<std::string, const RecordedEntry*>> entries;
  for (const RecordedFolder& folder : record.folders()) {
    for (const RecordedEntry& entry : folder.entries) {
      if (!entry.by_git_list) continue;
      if (entries.size() == kMaxByGitList) return false;
      entries.emplace_back(path_in(folder, entry.name), &entry);
    }
  }
  if (entries.empty()) return true;
  IgnoreTree rules(root);
  return std::ranges::all_of(entries, [&](const auto& each) {
    const bool is_directory = each.second->kind == EntryKind::kDirectory;
    const IgnoreVerdict now = rules.judge_from_root(each.first, is_directory);
    return now.by_git_list && now.kind == each.second->verdict;
  });
}

}  // namespace

Result<std::optional<TreeLook>> look_at_tree(const RootDirectory& root, TreeRecord& record,
                                             RunObserver* observer, unsigned threads,
                                             const std::stop_token& stop) {
  TreeLook look;
  const Rules rules = look_at_rules(record, observer, look.is_renewed);
  if (rules == Rules::kOther) return std::optional<TreeLook>();
  if (rules == Rules::kGitList && !decides_as_before(root, record)) {
    return std::optional<TreeLook>();
  }
  if (!has_same_ignore_files(root, record)) return std::optional<TreeLook>();
  if (observer != nullptr) {
    for (const RecordedFolder& folder : record.folders()) {
      observer->on_folder(std::string(folder.path));
    }
  }
  Looker looker(root, record);
  const std::size_t useful = record.folders().size() / kFoldersAtOnce + 1;
  std::vector<Found> found(std::clamp<std::size_t>(threads, 1, useful));
  {
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < found.size(); ++i) {
      others.emplace_back([&, i] { found[i] = looker.run(stop); });
    }
    found[0] = looker.run(stop);
  }
  if (stop.stop_requested()) return Error{ErrorCode::kCancelled, "indexing was cancelled"};
  for (Found& each : found) {
    if (each.has_new_rules) return std::optional<TreeLook>();
    look.is_renewed = look.is_renewed || each.is_renewed;
    std::ranges::move(each.changed, std::back_inserter(look.changed));
    std::ranges::move(each.differing, std::back_inserter(look.differing));
  }
  std::sort(look.changed.begin(), look.changed.end());
  look.changed.erase(std::unique(look.changed.begin(), look.changed.end()), look.changed.end());
  return std::optional(std::move(look));
}

}  // namespace codexmem::index
