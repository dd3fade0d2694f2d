// index/tree_record.h - the tree as the last run saw it, so that the next one looks at what
// differs.
//
// A run over everything lists each folder, applies the ignore rules to each entry and compares each
// file with its row. The record keeps what came of that: each folder with the times of its listing,
// each entry with what it is and its stamp, and the stamps of the files that the rules come from.
// It is a file beside the store and speaks for one generation of it: when the store is another, or
// the record is damaged, there is none, and a run looks at everything. Design:
// docs/design/index.md, "The look". One thread.
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
#include "index/discover.h"
#include "index/ignore.h"
#include "index/root_directory.h"
#include "index/run_observer.h"
#include "index/selection.h"

namespace codexmem::index {

/// What tells whether a file or a folder is still what it was. A change_ns of 0 tells nothing: what
/// has it is looked at again.
struct Stamp {
  std::uint64_t size = 0;      // bytes; 0 for a folder
  std::int64_t mtime_ns = 0;   // as FileStat has it
  std::int64_t change_ns = 0;  // the time of the inode's change, which nobody can set back
  std::uint64_t inode = 0;
  std::uint64_t device = 0;

  bool operator==(const Stamp&) const = default;
};

Stamp stamp_of(const FileStat& stat);

/// The stamp to record of what was looked at at `looked_ns` or later: one without a change_ns when
/// a second change within the grain of the file system's clock would leave the times as they are.
Stamp stamp_to_record(Stamp stamp, std::int64_t looked_ns);

/// The present, in nanoseconds since 1970, UTC.
std::int64_t clock_ns();
/// Puts clock_ns() ahead, so that what a test has just written counts as old. For tests alone.
void put_clock_ahead(std::int64_t ns);

/// What was made of an entry. stored: never renumber.
enum class EntryRole : std::uint8_t {
  kFile = 0,      // to be read: it has a row, or a note of what it holds
  kTooLarge = 1,  // skipped for its size
  kLink = 2,      // skipped; where it leads is in `detail`
  kFolder = 3,    // entered: the record has it as a folder too
  kQuiet = 4,     // skipped for what does not change while the rules and the listing do not
};

struct RecordedEntry {
  std::string_view name;
  EntryRole role = EntryRole::kQuiet;
  EntryKind kind = EntryKind::kOther;
  bool by_git_list = false;  // the rules ignore it: git's list of tracked files decides
  IgnoreVerdict::Kind verdict = IgnoreVerdict::Kind::kKeep;  // where by_git_list
  Stamp stamp;              // of kFile and kTooLarge, and of ignore files
  std::string_view detail;  // of kLink
};

struct RecordedFolder {
  std::string_view path;               // "" for the root
  Stamp stamp;                         // from before it was listed
  bool has_git = false;                // a repository's top
  bool is_closed = false;              // it could not be listed
  bool is_vendored = false;            // its listing says that it is somebody else's
  std::vector<RecordedEntry> entries;  // by name
};

/// The path of an entry from the root.
std::string path_in(const RecordedFolder& folder, std::string_view name);

/// A file outside of the folders that decides which files are indexed.
struct RecordedRule {
  std::string path;  // absolute
  enum class How : std::uint8_t {
    kExact,     // any change counts
    kPresence,  // whether it is there, and is the same file or folder
    kGitList,   // git's list of tracked files, or what names it
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

  /// The record at `path` that speaks for `generation` of the store `store_id`, made with the same
  /// `settings`; nothing when there is none.
  static std::optional<TreeRecord> load(const std::filesystem::path& path,
                                        std::string_view store_id, std::int64_t generation,
                                        std::string_view settings);

  /// Replaces the file at `path`. Errors: kIo.
  Result<void> save(const std::filesystem::path& path, std::string_view store_id,
                    std::int64_t generation, std::string_view settings) const;

  /// By path. Views live as long as the record, moved or not.
  const std::vector<RecordedFolder>& folders() const { return folders_; }
  std::vector<RecordedFolder>& folders() { return folders_; }
  const std::vector<RecordedRule>& rules() const { return rules_; }
  std::vector<RecordedRule>& rules() { return rules_; }
  const RecordedFolder* find_folder(std::string_view path) const;

  /// Makes a lasting copy of `text`.
  std::string_view keep(std::string_view text);

  /// Puts what a walk over `selection` has found in the place of what is recorded of it.
  void merge(const TreeRecord& walked, const Selection& selection);

  /// Has each folder that was listed and not entered, since it was away or what leads to it was,
  /// looked at again: it gets a record without entries or a stamp.
  void add_missing_folders();

  /// Has these files looked at again, whatever their stamps are.
  void distrust(const std::set<std::string, std::less<>>& paths);

  /// By path and name, as the other members want it.
  void sort();

  /// Files that are indexed, and skipped ones by reason, when the record was made.
  std::uint64_t indexed = 0;
  std::array<std::uint64_t, kSkipReasonCount> skipped{};

 private:
  struct Text;
  std::unique_ptr<Text> text_;
  std::vector<RecordedFolder> folders_;
  std::vector<RecordedRule> rules_;
};

/// True for the name of a file that holds ignore rules.
inline bool is_ignore_file(std::string_view name) {
  return name == ".gitignore" || name == ".codexmemignore";
}

/// What decides a walk besides the files: of this user and his environment.
std::string tree_settings(std::uint64_t max_file_bytes);

/// Notes the files from which the rules of a walk come, with their stamps, and passes on what it
/// hears.
class RuleRecorder : public RunObserver {
 public:
  /// Both outlive this; `next` may be null.
  RuleRecorder(TreeRecord& record, RunObserver* next) : record_(record), next_(next) {}

  void on_folder(const std::string& folder) override;
  void on_file(const std::filesystem::path& file, Interest interest) override;

  /// Notes the repositories that may stand around `root` (absolute).
  void note_tops(const std::filesystem::path& root);

 private:
  TreeRecord& record_;
  RunObserver* next_;
};

/// The stamp of the rule's file now, links followed; `exists` tells whether it is there.
RecordedRule look_at_rule(RecordedRule rule);

}  // namespace codexmem::index
