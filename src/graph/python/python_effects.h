// graph/python/python_effects.h - how a Python module changes names when it runs, in addition to
// declaring them: globals()["x"] = ..., sys.modules[__name__] = ..., __getattr__.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "graph/core/hidden_names.h"

namespace codexmem::graph {

struct PythonEffects {
  std::string any_name;            // it may bind any name; why
  std::string any_import;          // it may give importers any name; why
  bool extends_path = false;       // submodules may be elsewhere
  bool makes_modules = false;      // it puts others into sys.modules
  std::set<std::string> assigned;  // globals()["name"] = ...
};

/// Valid as long as the Resolver of `hidden`.
const PythonEffects& python_effects(HiddenNames& hidden, const FileModel& file);

/// The effect on the names of a module that is accessed as an object; `before` and `behind` are the
/// text around that expression: no effect, one name, or any name.
enum class Touch : std::uint8_t { kNone, kOne, kAny };

/// globals() and, at the module's level, vars() and locals(): a dictionary. `name` is set with
/// kOne.
Touch touch_of_names(const LibraryTables& library, std::string_view before, std::string_view behind,
                     std::string_view& name);

}  // namespace codexmem::graph
