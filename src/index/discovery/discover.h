// index/discovery/discover.h - finds the files of a tree to index, and the reasons for the others.
//
// Walks folders without following links and never leaves the root. Reads ignore files but no source
// files: the content of a file is judged when it is read (index/discovery/decode.h). Design:
// docs/how-it-works.md, "Index".
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "index/discovery/root_directory.h"
#include "index/run/run_observer.h"

namespace codexmem::index {

class TreeRecord;

/// Why a path is not indexed. The names are stored.
enum class SkipReason : std::uint8_t {
  kIgnored,      // by an ignore file
  kTooLarge,     // more bytes than the limit
  kBinary,       // not text, by its name or its bytes
  kUnknownType,  // text of no language in the table
  kVendored,     // a package manager's folder with third-party code
  kSymlink,      // any link: a target inside the root is indexed at its own path
  kUnreadable,   // the system denied access
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

/// A file or folder that is not indexed. A skipped folder includes everything below it.
struct SkippedEntry {
  std::string path;  // relative to the root; a folder's ends with "/"; valid UTF-8
  SkipReason reason = SkipReason::kIgnored;
  std::string detail;  // for display: the rule, the limit, the system's message
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
  std::vector<std::string> only;    // exactly these paths and everything below; empty: no limit
  RunObserver* observer = nullptr;  // called for each folder and rule file; may be null
  TreeRecord* record = nullptr;     // an empty one to fill; may be null
};

/// Walks the tree. `progress`, if set, is called from time to time with the number of files found.
///
/// A path of `below` or `only` that does not exist, or is below a skipped entry, gives no file; in
/// the second case the skipped entry is reported. Folders of version control data (.git and the
/// like) and of our own store are left out without a report. Errors: kCancelled; kIo when the root
/// itself cannot be listed.
Result<Discovery> discover(const RootDirectory& root, const DiscoverOptions& options = {},
                           std::stop_token stop = {},
                           const std::function<void(std::size_t)>& progress = {});

/// True for the name of a folder that discover() leaves out without a report.
bool is_own_data_name(std::string_view name);

/// The description of the link at `path`, which must exist: "a link to src/a.py".
std::string describe_link(const RootDirectory& root, const std::string& path);

/// The path of the user's store from the root; empty when it is outside. Runs never enter it:
/// opening its files other than through SQLite and closing them would release all locks that the
/// process has on them.
std::string find_user_folder(const std::filesystem::path& root);

/// True if `path` is, or is below, a folder whose name discover() leaves out without a report.
bool is_own_data(std::string_view path);

}  // namespace codexmem::index
