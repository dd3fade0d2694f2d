// graph/core/library_units.h - the interfaces of a language's library, as source text.
//
// A library is a set of units: stub files in the language itself, with declarations and without
// bodies. A unit is a package of Go or a class of Java. All units of a language are compiled in as
// one archive; a unit is inflated and parsed when a question first needs it, and is then a
// FileModel like any file of the repository, except that FileModel::is_library is set. Immutable
// once built; thread-safe. The archives are written by bench/tables. Design: docs/how-it-works.md,
// "Names".
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
/// A size or count is 32 bits, little-endian; a frame is a Zstandard frame, and its size is its
/// compressed size in bytes.
struct LibraryArchive {
  std::string_view bytes = {};     // must outlive the LibraryUnits
  std::string_view language = {};  // of its units, a name of parse/rules/languages.h
};

class LibraryUnits {
 public:
  explicit LibraryUnits(LibraryArchive archive = {}) : archive_(archive) {}

  /// True if the library has a unit `name`: "net/http", "java/util/List". Reads the directory when
  /// it is first called. Of a damaged archive, false.
  bool has(std::string_view name) const;

  /// The unit; nullptr when it does not exist or the archive is damaged. Units are shared by all
  /// threads; up to 64 MB of them stay in memory after their last user.
  std::shared_ptr<const FileModel> find(std::string_view name) const;

  /// The name of a unit.
  std::string name_of(const FileModel& unit) const;

  /// The text of a unit; empty when the unit does not exist.
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
