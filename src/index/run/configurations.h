// index/run/configurations.h - the configuration files used to resolve an index's imports.
//
// The meaning of an import depends on files such as tsconfig.json with arbitrary names: one may
// extend another, and some are ignored or do not exist yet. So a run notes the files that resolving
// has read, or did not find, and the next run resolves all imports again when any of them differs.
// One thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "graph/imports/import_resolver.h"
#include "index/discovery/root_directory.h"
#include "index/run/run_observer.h"

namespace codexmem::index {

/// Reads configuration files for the resolver and notes their content.
class Configurations : public graph::ConfigSource {
 public:
  /// `observer` (may be null) is called for each file before it is read. Both must outlive this
  /// object.
  Configurations(const RootDirectory& root, RunObserver* observer)
      : root_(root), observer_(observer) {}

  /// Adds the notes of an earlier run. False if `stored` is not valid.
  bool load(std::string_view stored);

  /// The notes in the format of load(): a JSON object, path -> [size, time, SHA-256] or null for a
  /// file that cannot be read.
  std::string to_json() const;

  /// True if the content of a noted file has changed.
  bool have_changed();

  bool has_note(const std::string& path) const { return notes_.contains(path); }

  void clear() { notes_.clear(); }

  std::optional<std::string> read(std::string_view path) override;

 private:
  struct Note {
    std::uint64_t size = 0;
    std::int64_t mtime_ns = 0;
    std::string hash;
  };
  using MaybeNote = std::optional<Note>;

  std::optional<std::string> read_bytes(const std::string& path, FileStat& stat) const;
  static Note note_of(std::string_view bytes, const FileStat& stat);

  const RootDirectory& root_;
  RunObserver* observer_;
  std::map<std::string, MaybeNote> notes_;
};

}  // namespace codexmem::index
