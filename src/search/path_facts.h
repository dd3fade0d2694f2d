// search/path_facts.h - ranking data from a file's path. Pure; thread-safe.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace codexmem::search {

/// A factor on the score of a file, from its path.
struct PathCut {
  double factor = 1;
  /// The stem of the word that removes the cut if the query contains it, or a stem that matches it
  /// (stems_match): a query for examples must find them. "" for a permanent cut.
  std::string undone_by;
};

/// The cut of a test, or of an example.
inline constexpr double kTestFactor = 0.4;

/// The cuts of the file at `path` (relative to the root): 0.4 if it is a test or an example, 0.4 if
/// it is legacy, generated or a shell's completions, 0.8 if it is for another operating system. Tests rank below the code
/// they test even for a query with the word "test": most such queries are about code that tests
/// use. config/path_kind.h classifies tests, examples and legacy code.
std::vector<PathCut> path_cuts(std::string_view path);

/// The factor on the score of files in `language`: configuration and prose rank below code.
double language_prior(std::string_view language);

/// True for the languages of data and settings (JSON, XML), and for those and prose.
bool is_data_language(std::string_view language);
bool is_text_language(std::string_view language);

/// The folders `v1`, `v2`, ... of a tree, which contain several versions of an interface.
class VersionFolders {
 public:
  /// Notes the folders of the file at `path`.
  void add(std::string_view path);

  /// A cut of 0.5, removed by the version's name, if a folder of `path` has a newer version next to
  /// it; otherwise a factor of 1.
  PathCut cut_of(std::string_view path) const;

 private:
  std::map<std::string, int, std::less<>> newest_;  // by the parent folder
};

/// True if a folder of `path` is a version.
bool is_in_version_folder(std::string_view path);

/// The distinct stems of the base name without its last extension.
std::vector<std::string> base_name_stems(std::string_view path);

/// The distinct stems of the last three directory names.
std::vector<std::string> directory_stems(std::string_view path);

/// The ASCII letters and digits of `name`, in lower case.
std::string reduced_name(std::string_view name);

/// True if `path` ends with one of `extensions`, each with or without its dot, ASCII case ignored.
/// Also true if `extensions` is empty.
bool has_extension(std::string_view path, const std::vector<std::string>& extensions);

}  // namespace codexmem::search
