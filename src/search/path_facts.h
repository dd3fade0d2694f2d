// search/path_facts.h - what a path says about its file. Pure; thread-safe.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace codexmem::search {

/// A factor on the score of a file, for what its path says.
struct PathCut {
  double factor = 1;
  /// The stem of the word that undoes the cut when a query has it, or one that matches it
  /// (stems_match): who asks for examples gets them.
  /// "" for a cut that stays.
  std::string undone_by;
};

/// The cut of a test, or of an example.
inline constexpr double kTestFactor = 0.4;

/// The cuts of the file at `path` (relative to the root): 0.4 when it is a test or an example, 0.4
/// when it is legacy or generated, 0.8 when it is for another operating system than this one. Tests
/// stay below the code that they test even when a query says "test": most often it asks for what
/// tests use. What is a test, an example or old is said by
/// config/path_kind.h.
std::vector<PathCut> path_cuts(std::string_view path);

/// The factor on the score of files in `language`: configuration and prose stand below code.
double language_prior(std::string_view language);

/// The folders `v1`, `v2`, ... of a tree, which hold one interface several times.
class VersionFolders {
 public:
  /// Takes note of the folders that the file at `path` is in.
  void add(std::string_view path);

  /// A cut of 0.5, undone by the version's name, when a folder of `path` has a newer version beside
  /// it; else a factor of 1.
  PathCut cut_of(std::string_view path) const;

 private:
  std::map<std::string, int, std::less<>> newest_;  // by the folder around them
};

/// True when a folder of `path` is a version.
bool is_in_version_folder(std::string_view path);

/// The distinct stems of the base name without its last extension.
std::vector<std::string> base_name_stems(std::string_view path);

/// The distinct stems of the last three directory names.
std::vector<std::string> directory_stems(std::string_view path);

/// The ASCII letters and digits of `name`, in lower case.
std::string reduced_name(std::string_view name);

/// True when `path` ends with one of `extensions`, each with or without its dot, ASCII case
/// ignored. None means yes.
bool has_extension(std::string_view path, const std::vector<std::string>& extensions);

}  // namespace codexmem::search
