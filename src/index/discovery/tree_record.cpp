// The file, all numbers little-endian, none aligned:
//
//   record   magic[8] byte_order:u32 checksum:u32 body
//   body     generation:i64 store_id:text settings:text indexed:u64 skipped:u64 x 9
//            folders:u32 folder* rules:u32 rule*
//   folder   path:text stamp device:u64 flags:u8 entries:u32 entry*
//   entry    name:text role:u8 kind:u8 flags:u8 verdict:u8 [stamp [device:u64]] [detail:text]
//   stamp    size:u64 mtime_ns:i64 change_ns:i64 inode:u64
//   rule     path:text how:u8 interest:u8 exists:u8 stamp device:u64
//   text     size:u32 byte* NUL
//
// The checksum is a CRC-32 of the body: the file is derived data and never synced, so a torn file
// must be detected. It does not resist attackers: anyone who knows the store's id can write to the
// store itself.
//
// Tested by index/tree_look_test.cpp.
#include "index/discovery/tree_record.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <type_traits>
#include <utility>

#include "base/crc32.h"
#include "base/now.h"
#include "base/file.h"
#include "base/path.h"
#include "config/user_directory.h"

namespace codexmem::index {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::string_view kTreeMagic = "cxmtree1";
constexpr std::size_t kHeadBytes = 16;
constexpr std::size_t kMaxRecordBytes = std::size_t{1} << 30;

// The kernel's clock for file times has steps of up to 10 ms; some file systems store whole
// seconds.
constexpr std::int64_t kFineGrainNs = 20'000'000;
constexpr std::int64_t kCoarseGrainNs = 2'000'000'000;

// The granularity of the clock that gave a file time.
std::int64_t clock_grain(std::int64_t time_ns) {
  return time_ns % 1'000'000'000 == 0 ? kCoarseGrainNs : kFineGrainNs;
}

enum EntryBits : std::uint8_t { kByGitList = 1, kHasStamp = 2, kHasDetail = 4, kElsewhere = 8 };
enum FolderBits : std::uint8_t { kHasGit = 1, kIsClosed = 2, kIsVendored = 4 };

class Writer {
 public:
  template <typename T>
  void number(T value) {
    static_assert(std::is_integral_v<T>);
    const std::size_t at = bytes.size();
    bytes.resize(at + sizeof(T));
    std::memcpy(bytes.data() + at, &value, sizeof(T));
  }
  void text(std::string_view value) {
    number(static_cast<std::uint32_t>(value.size()));
    bytes.append(value);
    bytes.push_back('\0');
  }
  void stamp(const Stamp& value) {
    number(value.size);
    number(value.mtime_ns);
    number(value.change_ns);
    number(value.inode);
  }

  std::string bytes;
};

// Reads the format of Writer; `failed` if bytes are missing.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  template <typename T>
  T number() {
    static_assert(std::is_integral_v<T>);
    T value{};
    if (bytes_.size() < sizeof(T)) {
      failed = true;
      bytes_ = {};
      return value;
    }
    std::memcpy(&value, bytes_.data(), sizeof(T));
    bytes_.remove_prefix(sizeof(T));
    return value;
  }
  std::string_view text() {
    const auto size = number<std::uint32_t>();
    if (bytes_.size() <= size || bytes_[size] != '\0') {
      failed = true;
      bytes_ = {};
      return {};
    }
    const std::string_view value = bytes_.substr(0, size);
    bytes_.remove_prefix(std::size_t{size} + 1);
    return value;
  }
  Stamp stamp() {
    Stamp value;
    value.size = number<std::uint64_t>();
    value.mtime_ns = number<std::int64_t>();
    value.change_ns = number<std::int64_t>();
    value.inode = number<std::uint64_t>();
    return value;
  }
  // A number of items of at least `bytes` bytes each, which must fit in the rest.
  std::size_t count(std::size_t bytes) {
    const auto value = number<std::uint32_t>();
    if (value > bytes_.size() / bytes) failed = true;
    return failed ? 0 : value;
  }
  bool at_end() const { return bytes_.empty(); }

  bool failed = false;

 private:
  std::string_view bytes_;
};

void write_entry(Writer& out, const RecordedEntry& entry, const RecordedFolder& folder) {
  const bool has_stamp = entry.stamp != Stamp();
  const bool elsewhere = has_stamp && entry.stamp.device != folder.stamp.device;
  std::uint8_t bits = 0;
  if (entry.by_git_list) bits |= kByGitList;
  if (has_stamp) bits |= kHasStamp;
  if (elsewhere) bits |= kElsewhere;
  if (!entry.detail.empty()) bits |= kHasDetail;
  out.text(entry.name);
  out.number(static_cast<std::uint8_t>(entry.role));
  out.number(static_cast<std::uint8_t>(entry.kind));
  out.number(bits);
  out.number(static_cast<std::uint8_t>(entry.verdict));
  if (has_stamp) out.stamp(entry.stamp);
  if (elsewhere) out.number(entry.stamp.device);
  if (!entry.detail.empty()) out.text(entry.detail);
}

RecordedEntry read_entry(Reader& in, const RecordedFolder& folder) {
  RecordedEntry entry;
  entry.name = in.text();
  entry.role = static_cast<EntryRole>(in.number<std::uint8_t>());
  entry.kind = static_cast<EntryKind>(in.number<std::uint8_t>());
  const auto bits = in.number<std::uint8_t>();
  entry.verdict = static_cast<IgnoreVerdict::Kind>(in.number<std::uint8_t>());
  entry.by_git_list = (bits & kByGitList) != 0;
  if ((bits & kHasStamp) != 0) {
    entry.stamp = in.stamp();
    entry.stamp.device =
        (bits & kElsewhere) != 0 ? in.number<std::uint64_t>() : folder.stamp.device;
  }
  if ((bits & kHasDetail) != 0) entry.detail = in.text();
  if (entry.role > EntryRole::kQuiet || entry.kind > EntryKind::kOther) in.failed = true;
  return entry;
}

bool by_path(const RecordedFolder& a, const RecordedFolder& b) { return a.path < b.path; }
bool by_name(const RecordedEntry& a, const RecordedEntry& b) { return a.name < b.name; }

std::atomic<std::int64_t> ahead_ns{0};

}  // namespace

std::string path_in(const RecordedFolder& folder, std::string_view name) {
  std::string path(folder.path);
  if (!path.empty()) path += '/';
  return path += name;
}

// The data that a record's views point to.
struct TreeRecord::Text {
  std::string file;
  std::deque<std::string> kept;
};

TreeRecord::TreeRecord() : text_(std::make_unique<Text>()) {}
TreeRecord::TreeRecord(TreeRecord&&) noexcept = default;
TreeRecord& TreeRecord::operator=(TreeRecord&&) noexcept = default;
TreeRecord::~TreeRecord() = default;

std::int64_t clock_ns() { return ahead_ns.load(std::memory_order_relaxed) + now_ns(); }

void put_clock_ahead(std::int64_t ns) { ahead_ns.store(ns, std::memory_order_relaxed); }

Stamp stamp_of(const FileStat& stat) {
  return {stat.kind == EntryKind::kDirectory ? 0 : stat.size, stat.mtime_ns, stat.change_ns,
          stat.inode, stat.device};
}

std::int64_t time_to_store(std::int64_t mtime_ns) {
  return mtime_ns + clock_grain(mtime_ns) < clock_ns() ? mtime_ns : mtime_ns - 1;
}

Stamp stamp_to_record(Stamp stamp, std::int64_t looked_ns) {
  if (stamp.change_ns > looked_ns - clock_grain(stamp.change_ns)) stamp.change_ns = 0;
  return stamp;
}

std::optional<TreeRecord> TreeRecord::load(const std::filesystem::path& path,
                                           std::string_view store_id, std::int64_t generation,
                                           std::string_view settings) {
  auto bytes = read_file(path, kMaxRecordBytes);
  if (!bytes.ok() || bytes->size() < kHeadBytes || !bytes->starts_with(kTreeMagic)) return {};
  TreeRecord record;
  record.text_->file = *std::move(bytes);
  const std::string_view file = record.text_->file;
  Reader head(file.substr(kTreeMagic.size(), kHeadBytes - kTreeMagic.size()));
  if (head.number<std::uint32_t>() != 1) return {};
  if (head.number<std::uint32_t>() != crc32(file.substr(kHeadBytes))) return {};
  Reader in(file.substr(kHeadBytes));
  if (in.number<std::int64_t>() != generation || in.text() != store_id || in.text() != settings) {
    return {};
  }
  record.indexed = in.number<std::uint64_t>();
  for (std::uint64_t& count : record.skipped) count = in.number<std::uint64_t>();
  record.folders_.resize(in.count(50));
  for (RecordedFolder& folder : record.folders_) {
    folder.path = in.text();
    folder.stamp = in.stamp();
    folder.stamp.device = in.number<std::uint64_t>();
    const auto bits = in.number<std::uint8_t>();
    folder.has_git = (bits & kHasGit) != 0;
    folder.is_closed = (bits & kIsClosed) != 0;
    folder.is_vendored = (bits & kIsVendored) != 0;
    folder.entries.resize(in.count(9));
    for (RecordedEntry& entry : folder.entries) entry = read_entry(in, folder);
    if (!std::is_sorted(folder.entries.begin(), folder.entries.end(), by_name)) in.failed = true;
    if (in.failed) return {};
  }
  record.rules_.resize(in.count(40));
  for (RecordedRule& rule : record.rules_) {
    rule.path = in.text();
    rule.how = static_cast<RecordedRule::How>(in.number<std::uint8_t>());
    rule.interest = static_cast<RunObserver::Interest>(in.number<std::uint8_t>());
    rule.exists = in.number<std::uint8_t>() != 0;
    rule.stamp = in.stamp();
    rule.stamp.device = in.number<std::uint64_t>();
    if (rule.how > RecordedRule::How::kGitList) in.failed = true;
  }
  const bool is_sound = !in.failed && in.at_end() && !record.folders_.empty() &&
                        record.folders_.front().path.empty() &&
                        std::is_sorted(record.folders_.begin(), record.folders_.end(), by_path);
  if (!is_sound) return {};
  return record;
}

Result<void> TreeRecord::save(const std::filesystem::path& path, std::string_view store_id,
                              std::int64_t generation, std::string_view settings) const {
  Writer out;
  out.bytes = kTreeMagic;
  out.number(std::uint32_t{1});
  out.number(std::uint32_t{0});
  out.number(generation);
  out.text(store_id);
  out.text(settings);
  out.number(indexed);
  for (const std::uint64_t count : skipped) out.number(count);
  out.number(static_cast<std::uint32_t>(folders_.size()));
  for (const RecordedFolder& folder : folders_) {
    out.text(folder.path);
    out.stamp(folder.stamp);
    out.number(folder.stamp.device);
    std::uint8_t bits = 0;
    if (folder.has_git) bits |= kHasGit;
    if (folder.is_closed) bits |= kIsClosed;
    if (folder.is_vendored) bits |= kIsVendored;
    out.number(bits);
    out.number(static_cast<std::uint32_t>(folder.entries.size()));
    for (const RecordedEntry& entry : folder.entries) write_entry(out, entry, folder);
  }
  out.number(static_cast<std::uint32_t>(rules_.size()));
  for (const RecordedRule& rule : rules_) {
    out.text(rule.path);
    out.number(static_cast<std::uint8_t>(rule.how));
    out.number(static_cast<std::uint8_t>(rule.interest));
    out.number(static_cast<std::uint8_t>(rule.exists));
    out.stamp(rule.stamp);
    out.number(rule.stamp.device);
  }
  const std::uint32_t checksum = crc32(std::string_view(out.bytes).substr(kHeadBytes));
  std::memcpy(out.bytes.data() + kHeadBytes - sizeof(checksum), &checksum, sizeof(checksum));
  return replace_file(path, out.bytes, Sync::kNo);
}

const RecordedFolder* TreeRecord::find_folder(std::string_view path) const {
  const auto found = std::partition_point(folders_.begin(), folders_.end(),
                                          [&](const auto& folder) { return folder.path < path; });
  return found == folders_.end() || found->path != path ? nullptr : &*found;
}

RecordedEntry* TreeRecord::find_entry(std::string_view path) {
  const auto* const folder = find_folder(folder_of(path));
  if (folder == nullptr) return nullptr;
  auto& entries = folders_[static_cast<std::size_t>(folder - folders_.data())].entries;
  const auto found = std::ranges::find(entries, file_name(path), &RecordedEntry::name);
  return found == entries.end() ? nullptr : &*found;
}

std::string_view TreeRecord::keep(std::string_view text) { return text_->kept.emplace_back(text); }

void TreeRecord::sort() {
  std::sort(folders_.begin(), folders_.end(), by_path);
  for (RecordedFolder& folder : folders_) {
    std::sort(folder.entries.begin(), folder.entries.end(), by_name);
  }
}

void TreeRecord::merge(const TreeRecord& walked, const Selection& selection) {
  std::erase_if(folders_, [&](const RecordedFolder& folder) {
    return !folder.path.empty() && selection.holds(folder.path);
  });
  for (RecordedFolder& folder : folders_) {
    if (!selection.leads_to(folder.path)) continue;
    const RecordedFolder* const found = walked.find_folder(folder.path);
    if (found != nullptr && !found->is_closed) continue;
    // The selected entry in it was not seen: the next look lists it.
    folder.stamp.change_ns = 0;
    std::erase_if(folder.entries, [&](const RecordedEntry& entry) {
      return selection.holds(path_in(folder, entry.name));
    });
  }
  const auto copied = [&](const RecordedFolder& from) {
    RecordedFolder folder = from;
    folder.path = keep(from.path);
    for (RecordedEntry& entry : folder.entries) {
      entry.name = keep(entry.name);
      if (!entry.detail.empty()) entry.detail = keep(entry.detail);
    }
    return folder;
  };
  std::vector<RecordedFolder> added;
  for (const RecordedFolder& found : walked.folders()) {
    RecordedFolder folder = copied(found);
    if (found.path.empty() || !selection.holds(found.path)) {
      // It is on the path to a selected entry: keep the other entries.
      const auto known = std::lower_bound(folders_.begin(), folders_.end(), found, by_path);
      if (known != folders_.end() && known->path == found.path) {
        std::erase_if(known->entries, [&](const RecordedEntry& entry) {
          return selection.holds(path_in(*known, entry.name)) ||
                 std::ranges::any_of(folder.entries,
                                     [&](const auto& other) { return other.name == entry.name; });
        });
        for (RecordedEntry& entry : folder.entries) known->entries.push_back(entry);
        continue;
      }
      folder.stamp.change_ns = 0;  // the other entries are unknown
    }
    added.push_back(std::move(folder));
  }
  for (RecordedFolder& folder : added) folders_.push_back(std::move(folder));
  for (const RecordedRule& rule : walked.rules()) {
    const bool is_known = std::ranges::any_of(
        rules_, [&](const RecordedRule& other) { return other.key() == rule.key(); });
    if (!is_known) rules_.push_back(rule);
  }
  sort();
}

void TreeRecord::add_missing_folders() {
  std::vector<RecordedFolder> missing;
  for (const RecordedFolder& folder : folders_) {
    for (const RecordedEntry& entry : folder.entries) {
      if (entry.role != EntryRole::kFolder) continue;
      const std::string path = path_in(folder, entry.name);
      if (find_folder(path) == nullptr) missing.emplace_back().path = keep(path);
    }
  }
  if (missing.empty()) return;
  for (RecordedFolder& folder : missing) folders_.push_back(std::move(folder));
  sort();
}

void TreeRecord::distrust(const std::set<std::string, std::less<>>& paths) {
  for (const std::string& path : paths) {
    if (RecordedEntry* const entry = find_entry(path)) entry->stamp.change_ns = 0;
  }
}

std::string tree_settings(std::uint64_t max_file_bytes) {
  std::string settings = std::to_string(max_file_bytes) + '\n' + std::to_string(::geteuid());
  for (const char* name : {"HOME", "XDG_CONFIG_HOME"}) {
    const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): never set here
    settings += '\n';
    if (value != nullptr) settings += value;
  }
  return settings + '\n' + user_directory().string();
}

RecordedRule look_at_rule(RecordedRule rule) {
  struct stat info {};
  rule.exists = ::stat(rule.path.c_str(), &info) == 0;
  rule.stamp = {};
  if (!rule.exists) return rule;
  FileStat stat = to_file_stat(info);
  if (rule.how == RecordedRule::How::kPresence) {
    stat.size = 0;
    stat.mtime_ns = 0;
    stat.change_ns = 1;  // it is not compared
  }
  rule.stamp = stamp_of(stat);
  return rule;
}

void RuleRecorder::on_folder(const std::string& folder) {
  if (next_ != nullptr) next_->on_folder(folder);
}

void RuleRecorder::on_file(const std::filesystem::path& file, Interest interest) {
  if (next_ != nullptr) next_->on_file(file, interest);
  if (interest == Interest::kConfiguration) return;
  RecordedRule rule;
  rule.path = file.string();
  rule.interest = interest;
  // Checked-out content shows in the files and in git's list.
  const bool is_list = interest == Interest::kTracked || file.filename() == "HEAD";
  if (is_list) rule.how = RecordedRule::How::kGitList;
  const std::int64_t now = clock_ns();
  rule = look_at_rule(std::move(rule));
  rule.stamp = stamp_to_record(rule.stamp, now);
  record_.rules().push_back(std::move(rule));
}

void RuleRecorder::note_tops(const std::filesystem::path& root) {
  for (std::filesystem::path folder = root;; folder = folder.parent_path()) {
    RecordedRule rule;
    rule.path = (folder / ".git").string();
    rule.how = RecordedRule::How::kPresence;
    record_.rules().push_back(look_at_rule(std::move(rule)));
    if (folder == folder.parent_path()) return;
  }
}

}  // namespace codexmem::index
