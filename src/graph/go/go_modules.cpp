// Tested by graph/import_resolver_test.cpp.
#include "graph/go/go_modules.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/path.h"
#include "graph/core/language_semantics.h"
#include "graph/go/go_semantics.h"

namespace codexmem::graph {
namespace {

constexpr std::string_view kSpace = " \t\r";

std::string_view next_word(std::string_view& line) {
  const std::size_t begin = line.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) {
    line = {};
    return {};
  }
  const std::size_t end = std::min(line.find_first_of(kSpace, begin), line.size());
  std::string_view word = line.substr(begin, end - begin);
  line.remove_prefix(end);
  if (word.size() > 1 && (word.front() == '"' || word.front() == '`')) {
    word = word.substr(1, word.size() - 2);
  }
  return word;
}

// What follows `prefix` and a '/' in `path`; "" if they are equal, nothing if it does not begin so.
std::optional<std::string_view> rest_after(std::string_view path, std::string_view prefix) {
  if (path == prefix) return std::string_view();
  if (path.size() > prefix.size() && path.starts_with(prefix) && path[prefix.size()] == '/') {
    return path.substr(prefix.size() + 1);
  }
  return std::nullopt;
}

bool is_in(std::string_view folder, std::string_view outer) {
  return outer.empty() || rest_after(folder, outer).has_value();
}

}  // namespace

GoModuleFinder::GoModuleFinder(ProjectTree& tree) : tree_(tree) {
  for (const ProjectFile& file : tree.files()) {
    if (!file.path.ends_with(".go")) continue;
    const ProjectFile*& known = packages_[std::string(folder_of(file.path))];
    const bool is_better =
        known != nullptr && is_go_test_file(known->path) && !is_go_test_file(file.path);
    if (known == nullptr || is_better) known = &file;
  }
  for (const std::string_view path : tree.list_configs("go.mod")) read_module(path);
  std::ranges::sort(modules_, {}, &Module::folder);
  for (const std::string_view path : tree.list_configs("go.work")) read_workspace(path);
}

// The modules that a go.work uses.
void GoModuleFinder::read_workspace(std::string_view path) {
  const auto text = tree_.read(path);
  if (!text) return;
  bool is_use = false;
  for (std::size_t at = 0; at < text->size();) {
    const std::size_t end = std::min(text->find('\n', at), text->size());
    std::string_view line = std::string_view(*text).substr(at, end - at);
    at = end + 1;
    line = line.substr(0, line.find("//"));
    std::string_view word = next_word(line);
    if (word == ")") {
      is_use = false;
      continue;
    }
    const bool begins = !is_use && word == "use";
    if (begins) word = next_word(line);
    if (begins && word == "(") {
      is_use = true;
      continue;
    }
    if (word.empty() || (!begins && !is_use)) continue;
    const auto folder = join_path(folder_of(path), word);
    for (Module& module : modules_) {
      if (folder && module.folder == *folder) module.workspace = path;
    }
  }
}

// True if an import in `from` may mean `other` as it is in the tree, and not a published version of
// it.
bool GoModuleFinder::sees(const Module& from, const Module& other) const {
  return !from.required.contains(other.path) ||
         (!from.workspace.empty() && from.workspace == other.workspace);
}

void GoModuleFinder::read_module(std::string_view path) {
  const auto text = tree_.read(path);
  if (!text) return;
  Module module;
  module.folder = folder_of(path);
  std::string block;  // of a directive in parentheses
  for (std::size_t at = 0; at < text->size();) {
    const std::size_t end = std::min(text->find('\n', at), text->size());
    std::string_view line = std::string_view(*text).substr(at, end - at);
    at = end + 1;
    line = line.substr(0, line.find("//"));
    std::string_view rest = line;
    std::string_view word = next_word(rest);
    if (word.empty()) continue;
    if (word == ")") {
      block.clear();
      continue;
    }
    std::string directive = block;
    if (block.empty()) {
      directive = word;
      word = next_word(rest);
      if (word == "(") {
        block = directive;
        continue;
      }
    }
    if (directive == "module") {
      module.path = word;
    } else if (directive == "require") {
      module.required.emplace(word, next_word(rest));
    } else if (directive == "replace") {
      std::string_view target = next_word(rest);
      if (target != "=>") target = next_word(rest);  // a version precedes it
      target = next_word(rest);
      if (!target.starts_with("./") && !target.starts_with("../") && target != "." &&
          target != "..") {
        continue;
      }
      if (const auto folder = join_path(module.folder, target)) {
        module.replaced.emplace(word, *folder);
      }
    }
  }
  if (!module.path.empty()) modules_.push_back(std::move(module));
}

// The module that a folder is part of: the nearest go.mod above.
const GoModuleFinder::Module* GoModuleFinder::module_of(std::string_view folder) const {
  const Module* best = nullptr;
  for (const Module& module : modules_) {
    if (!is_in(folder, module.folder)) continue;
    if (best == nullptr || module.folder.size() > best->folder.size()) best = &module;
  }
  return best;
}

const ProjectFile* GoModuleFinder::in_folder_of(std::string_view folder) const {
  const auto found = packages_.find(std::string(folder));
  return found == packages_.end() ? nullptr : found->second;
}

const ProjectFile* GoModuleFinder::in_module(const Module& module,
                                             std::string_view import_path) const {
  const auto rest = rest_after(import_path, module.path);
  if (!rest) return nullptr;
  const ProjectFile* found =
      in_folder_of(rest->empty() ? module.folder : in_folder(module.folder, *rest));
  // A folder that has a go.mod of its own is another module's.
  if (found == nullptr || module_of(folder_of(found->path)) != &module) return nullptr;
  return found;
}

const ProjectFile* GoModuleFinder::find_package(std::string_view folder,
                                                std::string_view import_path) const {
  const Module* own = module_of(folder);
  if (own != nullptr) {
    if (const ProjectFile* found = in_module(*own, import_path)) return found;
    std::string_view longest;
    for (const auto& [path, target] : own->replaced) {
      if (path.size() > longest.size() && rest_after(import_path, path)) longest = path;
    }
    if (!longest.empty()) {
      const std::string& target = own->replaced.find(std::string(longest))->second;
      const std::string_view rest = *rest_after(import_path, longest);
      const ProjectFile* found = in_folder_of(rest.empty() ? target : in_folder(target, rest));
      if (found != nullptr) return found;
    }
  }
  // vendor/ of the module; without a module, of the folder or a folder above.
  for (std::string_view above = folder;; above = folder_of(above)) {
    if (own == nullptr || above == own->folder) {
      const std::string vendored = in_folder(above, "vendor/") + std::string(import_path);
      if (const ProjectFile* found = in_folder_of(vendored)) return found;
    }
    if (above.empty()) break;
  }
  const ProjectFile* best = nullptr;
  std::size_t longest = 0;
  for (const Module& module : modules_) {
    if (&module == own || module.path.size() <= longest) continue;
    if (own != nullptr && !sees(*own, module)) continue;
    if (const ProjectFile* found = in_module(module, import_path)) {
      best = found;
      longest = module.path.size();
    }
  }
  if (best != nullptr || own != nullptr) return best;
  for (const std::string_view root : {"", "src"}) {
    if (const ProjectFile* found = in_folder_of(in_folder(root, import_path))) return found;
  }
  return nullptr;
}

ResolvedImport GoModuleFinder::resolve(std::string_view source, const parse::FileFacts& facts,
                                       const parse::Import& import) {
  ResolvedImport resolved;
  resolved.symbols = imported_names(facts, import);
  const std::string_view folder = folder_of(source);
  std::string_view path = import.path;
  const ProjectFile* found = nullptr;
  if (path.starts_with("./") || path.starts_with("../")) {
    if (const auto joined = join_path(folder, path)) found = in_folder_of(*joined);
    if (found == nullptr) return resolved;
  } else {
    found = find_package(folder, path);
  }
  if (found != nullptr) {
    const std::string_view target = folder_of(found->path);
    resolved.targets.push_back({found->id, found->path,
                                (target.empty() ? std::string(".") : std::string(target)) + "/",
                                resolved.symbols});
    return resolved;
  }
  const Module* own = module_of(folder);
  // In the module itself, but not there.
  if (own != nullptr && rest_after(path, own->path)) return resolved;
  resolved.is_external = true;
  resolved.package = path;
  if (own != nullptr && path.substr(0, path.find('/')).find('.') != std::string_view::npos) {
    for (std::string_view module = path; !module.empty(); module = folder_of(module)) {
      const auto required = own->required.find(std::string(module));
      if (required == own->required.end()) continue;
      resolved.package = required->first + "@" + required->second;
      break;
    }
  }
  return resolved;
}

}  // namespace codexmem::graph
