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
  unsigned mode = 0644;               // of a file that is made
  std::filesystem::path moved_to;     // what is there gets this name; empty: it is replaced
  std::filesystem::path moved_from;   // what `after` shows has this name until then; empty: none
  std::filesystem::path made_folder;  // goes with the file if it is empty then

  bool changes_nothing() const { return existed ? !remove && before == after : after.empty(); }
};

/// A change of the file that `path` leads to, links followed, with what it holds now. Errors:
/// kUnsupported when it is no regular file, larger than 64 MiB or a link that leads nowhere; kIo.
Result<FileChange> begin_change(const std::filesystem::path& path);

/// True for a file that others than its owner may read or write.
bool is_open_to_others(const std::filesystem::path& path);

/// The change as a unified diff of the file called `name`.
std::string shown(const FileChange& change, const std::string& name);

/// Does it: the file is replaced as a whole and keeps its mode and owner. Returns the outermost
/// folder that was made for it, or nothing. Errors: kBusy when the file is no longer what `before`
/// says; kIo, and then what was there is there.
Result<std::filesystem::path> make_change(const FileChange& change);

}  // namespace codexmem::app
