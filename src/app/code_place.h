// app/code_place.h - a file or a symbol, typed as one word: a path, a name, or path::name.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "app/param_options.h"
#include "base/result.h"
#include "store/code/code_reader.h"

namespace codexmem::app {

/// A file of the index, and the symbol of it that was typed.
struct CodePlace {
  std::string path;  // relative to the root; as it was typed when it leads to nothing
  std::optional<std::string> symbol = {};
  std::string note = {};  // for people: other definitions of that name; empty: there are none
};

/// What `typed` names: a path, which `read_path` makes relative to the root, else a symbol, of
/// which the first definition in the order of find_symbols() is taken. What looks like a path and
/// is neither, by the repository at `root`, comes back as a path, for the question to refuse.
/// Of symbols those in files that `keep`, if it is a function, does not keep are left out. Errors:
/// kNotFound, naming what is near; those of the store.
Result<CodePlace> find_code_place(store::CodeReader& reader, const std::filesystem::path& root,
                                  const std::string& typed,
                                  const ParamOptions::PathReader& read_path,
                                  const std::function<bool(const std::string&)>& keep = {});

}  // namespace codexmem::app
