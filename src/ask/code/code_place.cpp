#include "ask/code/code_place.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "base/text.h"
#include "graph/uses/symbol_search.h"

namespace codexmem::ask {
namespace {

constexpr std::size_t kMaxNames = 3;  // that a note or an error lists

Result<bool> is_indexed(store::CodeReader& reader, const std::string& path) {
  CODEXMEM_ASSIGN(const auto file, reader.find_file(path));
  return file.has_value();
}

// "2 more definitions are called render: a.py::render, b.py::render".
std::string note_others(const std::string& name, const std::vector<std::string>& others) {
  const std::vector<std::string> some(others.begin(),
                                      others.begin() + std::min(others.size(), kMaxNames));
  const bool one = others.size() == 1;
  return fmt::format("{} more definition{} called {}: {}{}", others.size(), one ? " is" : "s are",
                     name, join(some, ", "), others.size() > some.size() ? ", ..." : "");
}

}  // namespace

Result<CodePlace> find_code_place(store::CodeReader& reader, const std::filesystem::path& root,
                                  const std::string& typed,
                                  const std::function<std::string(const std::string&)>& read_path,
                                  const std::function<bool(const std::string&)>& keep) {
  const std::string path = read_path(typed);
  CODEXMEM_ASSIGN(const bool is_file, is_indexed(reader, path));
  if (is_file) return CodePlace{path};
  if (const std::size_t colons = typed.find("::"); colons != std::string::npos) {
    const std::string before = read_path(typed.substr(0, colons));
    CODEXMEM_ASSIGN(const bool is_in_file, is_indexed(reader, before));
    if (is_in_file) return CodePlace{before, typed.substr(colons + 2)};
  }
  graph::SymbolQuery query;
  query.symbol = typed;
  auto found = graph::find_symbols(reader, query);
  if (found.ok() && keep) {
    std::erase_if(found->results,
                  [&](const graph::SymbolMatch& match) { return !keep(match.path); });
  }
  if (!found.ok() && found.error().code() != ErrorCode::kInvalidArgument) return found.error();
  if (found.ok() && !found->results.empty() &&
      found->results.front().match == graph::NameMatch::kExact) {
    const graph::SymbolMatch& first = found->results.front();
    // Overloads are shown together; a prototype does not count as another.
    std::vector<std::string> names;
    for (const graph::SymbolMatch& match : found->results) {
      if (!names.empty() && is_prototype(match.symbol)) continue;
      std::string name = match.path + "::" + match.symbol.qualified_name();
      if (std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(std::move(name));
    }
    names.erase(names.begin());
    return CodePlace{first.path, first.symbol.qualified_name(),
                     names.empty() ? "" : note_others(first.symbol.name, names)};
  }
  // A folder, a file that is not indexed, or a mistyped path: the question reports the error.
  std::error_code ignored;
  const std::string file = path.substr(0, path.find("::"));
  if (file.find('/') != std::string::npos || std::filesystem::exists(root / file, ignored)) {
    return file == path ? CodePlace{path} : CodePlace{file, path.substr(file.size() + 2)};
  }
  std::vector<std::string> near;
  CODEXMEM_ASSIGN(const auto nearest_path, graph::find_nearest_path(reader, file));
  if (nearest_path && file.find('.') != std::string::npos) near.push_back(*nearest_path);
  if (near.empty() && found.ok()) {
    for (const graph::SymbolMatch& match : found->results) {
      near.push_back(match.symbol.qualified_name());
    }
    near.insert(near.end(), found->suggestions.begin(), found->suggestions.end());
  }
  near.resize(std::min(near.size(), kMaxNames));
  return Error{ErrorCode::kNotFound,
               fmt::format("no file and no symbol is called '{}'{}", typed,
                           near.empty() ? "" : "; did you mean: " + join(near, ", "))};
}

}  // namespace codexmem::ask
