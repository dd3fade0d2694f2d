// graph/stored/repository_map.h - the shape of a repository: its languages, folders, layers and
// centres.
//
// Computed from rows of the store, not from texts. Stateless except for the shared cache. Design:
// docs/how-it-works.md, "Overview".
#pragma once

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "graph/stored/facts_cache.h"
#include "store/code/code_reader.h"

namespace codexmem::graph {

/// The code of a language; prose and configuration do not count.
struct LanguageSize {
  std::string language;
  std::size_t files = 0, lines = 0;
};

/// A folder with code.
struct MappedFolder {
  std::string path;                  // "" is the root
  std::size_t files = 0, lines = 0;  // of code in it and below; of level 0 only in it
  std::size_t level = 0;             // 0: on the way to where most code is; 1: a part of the
                                     // repository, and so on
  bool is_secondary = false;         // holds only tests, examples, documentation, or others' code
};

/// Imports against the main direction.
struct Inversion {
  std::string from, to;     // folders, or files
  std::size_t imports = 0;  // pairs of files
  std::size_t others = 0;   // those the other way
  std::string path;         // one of the files that import
  std::uint32_t line = 0;   // where it does, 1-based; 0: not known
  std::string imported;     // the file that it imports there
};

struct CentralFile {
  std::string path;           // a folder if `is_package`
  bool is_package = false;    // imports name the folder and not its files
  std::size_t importers = 0;  // files, tests and examples not counted
};

struct RepositoryMap {
  std::vector<LanguageSize> languages;  // most lines first
  /// Level 0, then 1, the secondary ones, then the further levels; each by lines, most first. None
  /// whose names begin with a dot.
  std::vector<MappedFolder> folders;
  std::string main_folder;  // the last one of level 0: where most code is
  /// Parts of the main code as find_folder_layers() has them, by path: folders of levels 0 to 2, or
  /// the files of the one folder that has them all.
  std::vector<std::vector<std::string>> layers;
  std::vector<std::vector<std::string>> cycles;
  std::vector<Inversion> inversions;
  bool is_by_file = false;           // the parts are files
  std::size_t parts_left_out = 0;    // folders with little code beyond the limit
  std::vector<CentralFile> central;  // most importers first, then by path
};

struct MapLimits {
  std::size_t depth = 2;  // levels of folders
  std::size_t central = 20;
};

/// True for a file that is the repository's own work and no test, example or documentation: by its
/// path and, for what programs have written, by its flags. What a dot hides is for tools.
bool is_main_file(const store::FileRow& row);

/// True for a module that represents its folder: index, __init__.
bool stands_for_folder(const store::FileRow& row);

/// Reads files and imports, once for each generation of the store; 10 ms for 10,000 files after
/// that. Errors: kCancelled; the store's errors.
Result<RepositoryMap> map_repository(FactsCache& cache, store::CodeReader& reader,
                                     const MapLimits& limits, const std::stop_token& stop);

}  // namespace codexmem::graph
