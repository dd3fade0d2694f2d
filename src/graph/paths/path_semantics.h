// graph/paths/path_semantics.h - languages known by name whose imports name files.
//
// Their names are known by spelling, as everywhere else where nothing is resolved, but which file
// an import means follows from its text and from where the files lie. What each language writes
// is a row of the table in path_semantics.cpp. Tested by graph/path_imports_test.cpp.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "graph/core/language_semantics.h"

namespace codexmem::graph {

/// How a language's imports name files.
struct PathRules {
  std::string_view family;
  /// The endings tried behind the path: ".lua", "/init.lua".
  std::span<const std::string_view> endings;
  /// Dots separate the parts of a path, which are folders and a file: a.b is a/b.
  bool is_dotted = false;
  /// A file's name begins with a small letter, the module's with a capital one (OCaml).
  bool files_are_small = false;
  /// A plain path ("a.sh", not "./a.sh") is first looked for in the importing file's folder.
  bool looks_in_same_folder = false;
  /// A plain path is the nearest file whose path ends with it, in any folder.
  bool looks_anywhere = false;
  /// A path may be a folder, which means its first file.
  bool names_folders = false;
  /// A path may begin with a part known only at run time: "$DIR/lib/a.sh".
  bool has_variables = false;
  /// An included path (ImportKind::kInclude) is relative to the importing file's folder: Ruby's
  /// require_relative (graph/ruby/ruby_files.cpp).
  bool includes_are_relative = false;
  /// "::" separates the parts of a path (Perl): a::b is a/b.
  bool has_colons = false;
  /// A path is a URL or a part of one: "/a" is below some root, "?" and "#" end it, and what it
  /// leads to may be of any language.
  bool is_url = false;
  /// The file with a line `name: NAME`; `package:NAME/x` is then lib/x in the folder of that file.
  std::string_view package_file = {};
};

/// A row for each such language.
std::span<const PathRules> path_rules();

/// Finds what imports mean by `rules`, which outlives it.
std::unique_ptr<ModuleFinder> make_path_finder(const PathRules& rules, ProjectTree& tree);

class PathSemantics final : public LanguageSemantics {
 public:
  explicit PathSemantics(const PathRules& rules);

  std::unique_ptr<ModuleFinder> make_module_finder(ProjectTree& tree) const override;

 private:
  const PathRules& rules_;
};

}  // namespace codexmem::graph
