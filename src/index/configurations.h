// index/configurations.h - the configuration files that the imports of an index were resolved with.
//
// What an import means depends on files such as tsconfig.json, whatever their names are: one may
// extend another, and some are ignored, or not there yet. So a run notes what resolving has read,
// or looked for in vain, and the next one resolves all imports again when any of it differs. One
// thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "graph/import_resolver.h"
#include "index/root_directory.h"
#include "index/run_observer.h"

namespace codexmem::index {

/// Reads configuration files for the resolver and notes what it has given.
class Configurations : public graph::ConfigSource {
 public:
  /// `observer`, which may be null, is told of each file before it is looked at. Both outlive this.
  Configurations(const RootDirectory& root, RunObserver* observer)
      : root_(root), observer_(observer) {}

  /// The notes of an earlier run, in addition to what there is. False if `stored` is no such notes.
  bool load(std::string_view stored);

  /// The notes, as load() takes them: a JSON object, path -> [size, time, SHA-256] or null for a
  /// file that cannot be read.
  std::string to_json() const;

  /// True if a file that is noted reads otherwise now.
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
