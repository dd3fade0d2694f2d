// ask/code/code_place.h - a file or a symbol, written as one word: a path, a name, or path::name.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "base/result.h"
#include "store/code/code_reader.h"

namespace codexmem::ask {

/// A file of the index, and the symbol of it that was typed.
struct CodePlace {
  std::string path;  // relative to the root; as it was typed when it leads to nothing
  std::optional<std::string> symbol = {};
  std::string note = {};  // for people: other definitions of that name; may be empty
};

/// Resolves `typed`. A path is made relative to the root by `read_path`. Any other text is a
/// symbol; the first definition in the order of find_symbols() is taken. Text that looks like a
/// path but is neither in the repository at `root` is returned as a path, so that the question
/// refuses it. If `keep` is set, symbols in files that it rejects are left out. Errors: kNotFound,
/// which lists similar names; errors of the store.
Result<CodePlace> find_code_place(store::CodeReader& reader, const std::filesystem::path& root,
                                  const std::string& typed,
                                  const std::function<std::string(const std::string&)>& read_path,
                                  const std::function<bool(const std::string&)>& keep = {});

}  // namespace codexmem::ask
