// app/init/file_change.h - one configuration file to be written, taken away or moved, and how it is
// shown and done.
#pragma once

#include <filesystem>
#include <string>

#include "app/init/undo_record.h"
#include "base/result.h"

namespace codexmem::app {

struct FileChange {
  std::filesystem::path path;
  std::string before, after;
  bool existed = false;
  bool remove = false;                // the file goes; `after` is empty then
  unsigned mode = 0644;               // of a new file
  std::filesystem::path moved_to;     // the old file gets this name; empty: it is replaced
  std::filesystem::path moved_from;   // the name before of the file with the text `after`; or empty
  std::filesystem::path made_folder;  // goes with the file if it is empty then

  bool changes_nothing() const { return existed ? !remove && before == after : after.empty(); }
};

/// A change of the file at `path`, links followed, with its current text. Errors: kUnsupported when
/// it is not a regular file, is larger than 64 MiB or is a broken link; kIo.
Result<FileChange> begin_change(const std::filesystem::path& path);

/// True if others than its owner may read or write the file.
bool is_open_to_others(const std::filesystem::path& path);

/// The change as a unified diff of the file called `name`.
std::string shown(const FileChange& change, const std::string& name);

/// Makes the change: the file is replaced as a whole and keeps its mode and owner. Returns the
/// outermost folder that was made for it, or nothing. Errors: kBusy when the file no longer holds
/// `before`; kIo, and then the old file is unchanged.
Result<std::filesystem::path> make_change(const FileChange& change);

}  // namespace codexmem::app
