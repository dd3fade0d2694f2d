// index/discovery/tree_record.h - the tree as the last run saw it, so that the next run reads only
// differences.
//
// A full run lists each folder, applies the ignore rules to each entry and compares each file with
// its row. The record keeps the results: each folder with the times of its listing, each entry with
// its role and stamp, and the stamps of the files that contain rules. It is a file in the store's
// folder and valid for one generation of the store: when the store has changed, or the record is
// damaged, it is not used, and a run reads everything. Design: docs/how-it-works.md, "Index".
// One thread.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "index/discovery/discover.h"
#include "index/discovery/ignore.h"
#include "index/discovery/root_directory.h"
#include "index/run/run_observer.h"
#include "index/discovery/selection.h"

namespace codexmem::index {

/// Shows whether a file or folder is unchanged. With a change_ns of 0 it is unknown, and the entry
/// is checked again.
struct Stamp {
  std::uint64_t size = 0;      // bytes; 0 for a folder
  std::int64_t mtime_ns = 0;   // as in FileStat
  std::int64_t change_ns = 0;  // the time of the inode's change, which cannot be set back
  std::uint64_t inode = 0;
  std::uint64_t device = 0;

  bool operator==(const Stamp&) const = default;
};

Stamp stamp_of(const FileStat& stat);

/// The stamp to record for an entry that was read at `looked_ns` or later: without a change_ns if a
/// second change within the clock's granularity would leave the times unchanged.
Stamp stamp_to_record(Stamp stamp, std::int64_t looked_ns);

/// The time to store for a file modified at `mtime_ns` and just read, or noted as skipped: one that
/// cannot match if a second write within the clock's granularity could have been missed, so that
/// the next run compares its hash.
std::int64_t time_to_store(std::int64_t mtime_ns);

/// The current time, in nanoseconds since 1970, UTC.
std::int64_t clock_ns();
/// Advances clock_ns(), so that files that a test has just written count as old. Only for tests.
void put_clock_ahead(std::int64_t ns);

/// How an entry was handled. stored: never renumber.
enum class EntryRole : std::uint8_t {
  kFile = 0,      // to be read: it has a row, or a note about its content
  kTooLarge = 1,  // skipped for its size
  kLink = 2,      // skipped; `detail` has its target
  kFolder = 3,    // entered: the record also contains it as a folder
  kQuiet = 4,     // skipped for a reason that changes only with the rules or the listing
};

struct RecordedEntry {
  std::string_view name;
  EntryRole role = EntryRole::kQuiet;
  EntryKind kind = EntryKind::kOther;
  bool by_git_list = false;  // the rules ignore it, but git's list of tracked files decides
  IgnoreVerdict::Kind verdict = IgnoreVerdict::Kind::kKeep;  // if by_git_list
  Stamp stamp;              // of kFile, kTooLarge, and ignore files
  std::string_view detail;  // of kLink
};

struct RecordedFolder {
  std::string_view path;               // "" for the root
  Stamp stamp;                         // from before it was listed
  bool has_git = false;                // it is the top of a repository
  bool is_closed = false;              // it could not be listed
  bool is_vendored = false;            // its listing shows third-party code
  std::vector<RecordedEntry> entries;  // by name
};

/// The path of an entry from the root.
std::string path_in(const RecordedFolder& folder, std::string_view name);

/// A file outside the folders that affects which files are indexed.
struct RecordedRule {
  std::string path;  // absolute
  enum class How : std::uint8_t {
    kExact,     // any change counts
    kPresence,  // whether it exists, and is the same file or folder
    kGitList,   // git's list of tracked files, or a file that names it
  } how = How::kExact;
  RunObserver::Interest interest = RunObserver::Interest::kRules;
  bool exists = false;
  Stamp stamp;

  auto key() const { return std::pair(path, how); }
};

class TreeRecord {
 public:
  TreeRecord();
  TreeRecord(TreeRecord&&) noexcept;
  TreeRecord& operator=(TreeRecord&&) noexcept;
  ~TreeRecord();

  /// The record at `path` that is valid for `generation` of the store `store_id` and was made with
  /// the same `settings`; nothing if it does not exist.
  static std::optional<TreeRecord> load(const std::filesystem::path& path,
                                        std::string_view store_id, std::int64_t generation,
                                        std::string_view settings);

  /// Replaces the file at `path`. Errors: kIo.
  Result<void> save(const std::filesystem::path& path, std::string_view store_id,
                    std::int64_t generation, std::string_view settings) const;

  /// By path. Views stay valid as long as the record, even if it is moved.
  const std::vector<RecordedFolder>& folders() const { return folders_; }
  std::vector<RecordedFolder>& folders() { return folders_; }
  const std::vector<RecordedRule>& rules() const { return rules_; }
  std::vector<RecordedRule>& rules() { return rules_; }
  const RecordedFolder* find_folder(std::string_view path) const;
  /// The entry at `path`; null if it was not seen.
  RecordedEntry* find_entry(std::string_view path);

  /// Copies `text` into the record.
  std::string_view keep(std::string_view text);

  /// Replaces the recorded part for `selection` with the results of a walk over it.
  void merge(const TreeRecord& walked, const Selection& selection);

  /// Adds an empty record without a stamp for each folder that was listed but not entered, because
  /// it or a folder above it was missing; the next look then checks it.
  void add_missing_folders();

  /// Makes the next look check these files, whatever their stamps are.
  void distrust(const std::set<std::string, std::less<>>& paths);

  /// Sorts by path and name, as other members require.
  void sort();

  /// Number of indexed files, and of skipped ones by reason, when the record was made.
  std::uint64_t indexed = 0;
  std::array<std::uint64_t, kSkipReasonCount> skipped{};

 private:
  struct Text;
  std::unique_ptr<Text> text_;
  std::vector<RecordedFolder> folders_;
  std::vector<RecordedRule> rules_;
};

/// True for the name of a file with ignore rules.
inline bool is_ignore_file(std::string_view name) {
  return name == ".gitignore" || name == ".codexmemignore";
}

/// The settings, user and environment that affect a walk.
std::string tree_settings(std::uint64_t max_file_bytes);

/// Notes the files that contain the rules of a walk, with their stamps, and forwards the calls.
class RuleRecorder : public RunObserver {
 public:
  /// Both arguments must outlive this object; `next` may be null.
  RuleRecorder(TreeRecord& record, RunObserver* next) : record_(record), next_(next) {}

  void on_folder(const std::string& folder) override;
  void on_file(const std::filesystem::path& file, Interest interest) override;

  /// Notes the repositories that may be around `root` (absolute).
  void note_tops(const std::filesystem::path& root);

 private:
  TreeRecord& record_;
  RunObserver* next_;
};

/// The current stamp of the rule's file, links followed; sets `exists`.
RecordedRule look_at_rule(RecordedRule rule);

}  // namespace codexmem::index
