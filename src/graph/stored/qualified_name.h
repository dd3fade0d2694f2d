// graph/stored/qualified_name.h - a symbol as a user writes it: name, Class.method, module.name,
// path::name, Class.method(int, String).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "graph/core/language_semantics.h"

namespace codexmem::graph {

struct QualifiedName {
  std::string name;                     // the last part
  std::vector<std::string> qualifiers;  // the parts before it, outermost first: classes or modules
  std::string path;                     // before "::" when it is a path, else empty
  std::vector<std::string> parameters;  // of an overload, as parameter_types() gives; else empty

  bool is_plain() const { return qualifiers.empty() && path.empty(); }

  /// True when a symbol called `name` in `container` (qualified, "" at top level) of the file at
  /// `file_path`, of languages of `family`, is one that this may mean. The qualifiers must end the
  /// sequence of folders, module and containers: `B.m` means m of a class B, of module B.py, or of
  /// package B.
  bool matches(std::string_view container, std::string_view file_path, Family family) const;

  /// The same with modules left out between the qualifiers: `pkg.Name` means what any module of the
  /// package has, as packages hand on what their modules define. For when nothing matches exactly.
  bool matches_within(std::string_view container, std::string_view file_path, Family family) const;
};

/// The types of the parameters that commas divide in `list`, without their qualifiers and type
/// arguments: "String", "int[]", "char*" of "final java.lang.String a, int... b, const char* c".
std::vector<std::string> parameter_types(std::string_view list);

/// Reads `text`; parts are separated by ".", "#" or "::". X.prototype.y is read as X.y.
QualifiedName parse_qualified_name(std::string_view text);

}  // namespace codexmem::graph
