// index/discover.h - the files of a tree that may be indexed, and why the others are not.
//
// Walks folders without following links and never leaves the root; reads ignore files, but no
// source file: what a file holds is judged when it is read (index/decode.h). Design:
// docs/design/index.md.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "index/root_directory.h"
#include "index/run_observer.h"

namespace codexmem::index {

class TreeRecord;

/// Why a path is not indexed. The names are stored.
enum class SkipReason : std::uint8_t {
  kIgnored,      // an ignore file says so
  kTooLarge,     // more bytes than the limit
  kBinary,       // no text, by its name or by its bytes
  kUnknownType,  // text of no language in the table
  kVendored,     // a package manager's folder of other people's code
  kSymlink,      // a link, wherever it leads: what is inside the root is indexed at its own path
  kUnreadable,   // the system refuses
  kNotRegular,   // a socket, a FIFO, a device
  kNameNotUtf8,  // paths are kept as UTF-8
};
inline constexpr std::size_t kSkipReasonCount = 9;

/// The stored word: "ignored", "too_large", "binary", "unknown_type", "vendored", "symlink",
/// "unreadable", "not_regular", "name_not_utf8".
std::string_view skip_reason_name(SkipReason reason);

/// A regular file that is neither ignored nor too large.
struct FoundFile {
  std::string path;  // relative to the root
  std::uint64_t size = 0;
  std::int64_t mtime_ns = 0;
};

/// A file or folder that is not indexed. A skipped folder stands for all below it.
struct SkippedEntry {
  std::string path;  // relative to the root; a folder's ends with "/"; valid UTF-8
  SkipReason reason = SkipReason::kIgnored;
  std::string detail;  // for people: the rule, the limit, the system's message
  std::uint64_t size = 0;
  std::int64_t mtime_ns = 0;
};

struct Discovery {
  std::vector<FoundFile> files;       // in byte order of path
  std::vector<SkippedEntry> skipped;  // in byte order of path
};

struct DiscoverOptions {
  std::uint64_t max_file_bytes = std::uint64_t{1} << 20;
  std::string below;  // only this folder or file, relative to the root; empty: everything
  std::vector<std::string> only;    // exactly these paths and what lies below; empty: no limit
  RunObserver* observer = nullptr;  // told of each folder and rule file; may be null
  TreeRecord* record = nullptr;     // an empty one, to be filled; may be null
};

/// Walks the tree. `progress`, if given, is called now and then with the number of files found.
///
/// A path of `below` or `only` that does not exist, or lies below something that is skipped, gives
/// no file; in the latter case what is skipped is reported. Folders that hold version control data
/// (.git and the like) or our own store are passed over in silence. Errors: kCancelled; kIo when
/// the root itself cannot be listed.
Result<Discovery> discover(const RootDirectory& root, const DiscoverOptions& options = {},
                           std::stop_token stop = {},
                           const std::function<void(std::size_t)>& progress = {});

/// True for the name of a folder that discover() passes over in silence.
bool is_own_data_name(std::string_view name);

/// What is told of the link at `path`, which exists: "a link to src/a.py".
std::string describe_link(const RootDirectory& root, const std::string& path);

/// The user's store from the root; empty when it lies elsewhere. Whoever opens its files beside
/// SQLite and closes them gives up all locks that the process has on them: no run enters it.
std::string find_user_folder(const std::filesystem::path& root);

/// True if `path` is, or lies below, a folder that discover() passes over in silence, by its name.
bool is_own_data(std::string_view path);

}  // namespace codexmem::index
