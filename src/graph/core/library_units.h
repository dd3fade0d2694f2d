// graph/core/library_units.h - the interfaces of a language's library, as source text.
//
// A library is a set of units: stub files in the language itself, with declarations and without
// bodies. Each is a package of Go, a class of Java. They are compiled in as one archive for each
// language; a unit is inflated and parsed when a question first needs it, and is then a FileModel
// like any file of the repository, but for FileModel::is_library. Immutable once made; thread-safe.
// The archives are made by bench/tables. Design: docs/design/graph.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace codexmem::graph {

class FileModel;

/// The archive of a library:
///
///     archive   = "CMXLIB01" size(directory) frame(directory) { frame(group) }
///     directory = count(groups) { size(group) } { count(units of group) { unit } }
///     unit      = name NUL size(text)             groups in their order, units sorted by name
///     group     = the texts of its units, one after the other
///
/// A size or count is 32 bits, little-endian, a frame one of Zstandard; the size of a frame is
/// that of its bytes as they stand in the archive.
struct LibraryArchive {
  std::string_view bytes = {};     // must outlive what is made of it
  std::string_view language = {};  // of its units, a name of parse/languages.h
};

class LibraryUnits {
 public:
  explicit LibraryUnits(LibraryArchive archive = {}) : archive_(archive) {}

  /// True if the library has a unit `name`: "net/http", "java/util/List". Reads the directory when
  /// it is first called. Of a damaged archive, false.
  bool has(std::string_view name) const;

  /// The unit; nullptr when there is none or the archive is damaged. What was read is shared by
  /// all threads and kept as long as it is held, and up to 64 MB beyond.
  std::shared_ptr<const FileModel> find(std::string_view name) const;

  /// The name of a unit.
  std::string name_of(const FileModel& unit) const;

  /// The text of a unit; empty when there is none.
  std::string text(std::string_view name) const;

  /// The names of all units, sorted.
  std::vector<std::string> names() const;

 private:
  struct Unit {
    std::string_view name;
    std::uint32_t group = 0;
    std::uint32_t offset = 0;  // of its text in the group
    std::uint32_t size = 0;
  };

  void read_directory() const;
  const Unit* find_unit(std::string_view name) const;

  LibraryArchive archive_;
  mutable std::once_flag once_;  // guards the making of what follows
  mutable std::string directory_;
  mutable std::vector<std::string_view> groups_;  // frames
  mutable std::vector<Unit> units_;               // by name
};

}  // namespace codexmem::graph
