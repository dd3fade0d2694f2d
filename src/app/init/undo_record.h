// app/init/undo_record.h - what files were before init changed them, so that uninit gives the very
// bytes back.
//
// Kept in init.json of the user's data directory (mode 0600): for each file the hash of what init
// made of it and the one piece that turns it back, in hexadecimal digits: files of people hold
// bytes that are no UTF-8. A file that anybody has changed since is not given back but taken apart
// (app/init/client_config.h). Belongs to one thread.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace codexmem::app {

/// A file as it was.
struct FileBefore {
  bool existed = false;
  std::string text;
  std::filesystem::path made_folder;  // the outermost that was made for it; empty: none
};

class UndoRecord {
 public:
  /// Reads the record in `directory`; without one, or from a damaged one, nothing is known.
  explicit UndoRecord(std::filesystem::path directory);

  /// What the file `path`, which holds `now`, was before init; nothing if it was changed since.
  std::optional<FileBefore> find(const std::filesystem::path& path, std::string_view now) const;

  /// The file `path`, which was `before`, holds `now`.
  void note(const std::filesystem::path& path, const FileBefore& before, std::string_view now);

  void forget(const std::filesystem::path& path);

  /// The folder around `path` that was made for another file; empty if there is no such folder.
  std::filesystem::path made_folder_around(const std::filesystem::path& path) const;

  /// Writes the changes; does nothing without a directory. Errors: see
  /// store::prepare_user_directory(); kIo.
  Result<void> save();

 private:
  struct Entry {
    std::string hash, hash_before;  // SHA-256 of what init wrote, and of what was there
    bool existed = false;
    // before = now with `length` bytes from `at` replaced by `bytes`
    std::size_t at = 0, length = 0;
    std::string bytes, made_folder;
  };

  std::filesystem::path directory_;
  std::map<std::string, Entry> entries_;
  bool changed_ = false;
};

}  // namespace codexmem::app
