#include "graph/paths/path_semantics.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string>

#include "base/path.h"
#include "base/text.h"
#include "graph/core/files_by_name.h"
#include "graph/core/module_finder.h"
#include "graph/core/project_tree.h"

namespace codexmem::graph {
namespace {

constexpr std::string_view kAsWritten[] = {""};
constexpr std::string_view kShell[] = {"", ".sh", ".bash"};
constexpr std::string_view kLua[] = {".lua", "/init.lua", ""};
constexpr std::string_view kJulia[] = {"", ".jl"};
constexpr std::string_view kHaskell[] = {".hs", ".hsc"};
constexpr std::string_view kOCaml[] = {".ml", ".mli"};
constexpr std::string_view kPerl[] = {".pm", ""};
constexpr std::string_view kTerraform[] = {"/main.tf", ""};
// Of templates that others include, which may be called as they are.
constexpr std::string_view kTemplates[] = {"", ".html", ".ejs", ".html.erb", ".html.heex", ".hbs"};
constexpr std::string_view kPubspec[] = {"pubspec.yaml"};

constexpr PathRules kRules[] = {
    {.family = "shell",
     .endings = kShell,
     .looks_in_same_folder = true,
     .looks_anywhere = true,
     .has_variables = true},
    {.family = "lua", .endings = kLua, .is_dotted = true, .looks_anywhere = true},
    {.family = "dart",
     .endings = kAsWritten,
     .looks_in_same_folder = true,
     .package_file = kPubspec[0]},
    {.family = "zig", .endings = kAsWritten, .looks_in_same_folder = true},
    {.family = "julia", .endings = kJulia, .looks_in_same_folder = true, .looks_anywhere = true},
    {.family = "r", .endings = kAsWritten, .looks_in_same_folder = true, .looks_anywhere = true},
    {.family = "solidity", .endings = kAsWritten, .looks_anywhere = true},
    {.family = "haskell", .endings = kHaskell, .is_dotted = true, .looks_anywhere = true},
    {.family = "ocaml",
     .endings = kOCaml,
     .is_dotted = true,
     .files_are_small = true,
     .looks_anywhere = true},
    {.family = "protobuf", .endings = kAsWritten, .looks_anywhere = true},
    {.family = "hcl", .endings = kTerraform, .names_folders = true},
    {.family = "perl", .endings = kPerl, .looks_anywhere = true, .has_colons = true},
    {.family = "html",
     .endings = kAsWritten,
     .looks_in_same_folder = true,
     .looks_anywhere = true,
     .is_url = true},
};

// The part of a shell path behind variables and commands: "lib/a.sh" of `$(dirname "$0")/lib/a.sh`;
// empty when the file's name is known only at run time.
std::string_view behind_expansions(std::string_view path) {
  const std::size_t last = path.find_last_of("$`)}");
  const std::size_t slash = path.find('/', last == std::string_view::npos ? 0 : last);
  return slash == std::string_view::npos ? std::string_view{} : path.substr(slash + 1);
}

// `text` without blanks and quotes around it.
std::string_view bare(std::string_view text) {
  text = trim(text);
  const bool is_quoted = text.size() > 1 && text.front() == text.back() &&
                         (text.front() == '"' || text.front() == '\'');
  return is_quoted ? text.substr(1, text.size() - 2) : text;
}

// The name of the package that a pubspec declares.
std::string_view declared_name(std::string_view text) {
  constexpr std::string_view kName = "name:";
  for (const std::string_view line : split(text, '\n')) {
    if (line.starts_with(kName)) return bare(line.substr(kName.size()));
  }
  return {};
}

// "socket" of "socket.core", "@scope/name" of "@scope/name/file.sol".
std::string package_name(std::string_view path, bool is_dotted) {
  if (is_dotted) return std::string(path);
  std::size_t end = path.find('/');
  if (path.starts_with('@') && end != std::string_view::npos) end = path.find('/', end + 1);
  return std::string(path.substr(0, end));
}

// The path of a URL without query and fragment; empty for a data URL, or when a template fills in a
// part.
std::string_view path_of_url(std::string_view url) {
  url = trim(url);
  if (url.starts_with("data:") || url.find_first_of("{}<>$%\n") != std::string_view::npos)
    return {};
  return url.substr(0, url.find_first_of("?#"));
}

// "a/b/c.d" of "a::b/c.d".
std::string with_slashes(std::string_view path) {
  std::string made;
  for (std::size_t at = 0; at < path.size();) {
    const std::size_t end = std::min(path.find("::", at), path.size());
    made += path.substr(at, end - at);
    if (end < path.size()) made += '/';
    at = end == path.size() ? end : end + 2;
  }
  return made;
}

class PathModuleFinder final : public ModuleFinder {
 public:
  PathModuleFinder(const PathRules& rules, ProjectTree& tree) : rules_(rules), tree_(tree) {
    const parse::Family family = family_of(rules.family);
    for (const ProjectFile& file : tree.files()) {
      if (rules.is_url || file.family == family) by_name_.add(file);
    }
    if (rules.package_file.empty() || by_name_.empty()) return;
    for (const std::string_view path : tree.list_configs(rules.package_file)) {
      const std::optional<std::string> text = tree.read(path);
      if (text) packages_.emplace(declared_name(*text), folder_of(path));
    }
  }

  ResolvedImport resolve(std::string_view source, const parse::FileFacts& facts,
                         const parse::Import& import) override {
    ResolvedImport resolved;
    resolved.symbols = imported_names(facts, import);
    if (const ProjectFile* file = find(source, import, resolved)) {
      resolved.targets.push_back({file->id, file->path, "", resolved.symbols});
    }
    return resolved;
  }

 private:
  // The file that `import` of the file at `source` means. nullptr: none, and `resolved` says
  // whether it is of a package from outside.
  const ProjectFile* find(std::string_view source, const parse::Import& import,
                          ResolvedImport& resolved) const {
    std::string_view path = import.path;
    const bool is_expanded = rules_.has_variables && path.find('$') != std::string_view::npos;
    if (is_expanded) path = behind_expansions(path);
    if (rules_.is_url) path = path_of_url(path);
    if (path.empty()) return nullptr;
    if (rules_.is_url && import.kind == parse::ImportKind::kImport) {
      return find_template(source, path);
    }
    if (rules_.is_url && path.starts_with("//")) {
      resolved.is_external = true;
      resolved.package = path;
      return nullptr;
    }
    const std::string slashed = rules_.has_colons ? with_slashes(path) : std::string();
    if (rules_.has_colons) path = slashed;
    if (const std::size_t colon = path.find(':'); colon != std::string_view::npos) {
      return find_in_package(path.substr(0, colon), path.substr(colon + 1), resolved);
    }
    if (rules_.is_url && path.starts_with('/')) {
      // Below the root of the site, which may be any folder.
      path.remove_prefix(1);
      if (const ProjectFile* found = of_family(path)) return found;
      return by_name_.nearest(path, source);
    }
    if (path.starts_with('/')) {
      resolved.is_external = true;
      resolved.package = path;
      return nullptr;
    }
    const bool is_include = import.kind == parse::ImportKind::kInclude;
    const bool is_relative = path.starts_with('.') || (is_include && rules_.includes_are_relative);
    std::string file(path);
    if (rules_.is_dotted && !is_relative) std::ranges::replace(file, '.', '/');
    if (rules_.files_are_small) {
      const std::size_t at = file.rfind('/') + 1;  // 0 when there is no folder
      if (file[at] >= 'A' && file[at] <= 'Z') file[at] = static_cast<char>(file[at] - 'A' + 'a');
    }
    for (const std::string_view ending : rules_.endings) {
      const std::string wanted = file + std::string(ending);
      if (is_relative || rules_.looks_in_same_folder) {
        const std::optional<std::string> nearby = join_path(folder_of(source), wanted);
        if (const ProjectFile* found = nearby ? of_family(*nearby) : nullptr) return found;
      }
      if (is_relative && !is_expanded) continue;
      if (const ProjectFile* found = of_family(wanted)) return found;
      // (A plain name in a URL means a file in the page's own folder.)
      const bool is_nearby = rules_.is_url && wanted.find('/') == std::string::npos;
      if (!rules_.looks_anywhere || is_nearby) continue;
      if (const ProjectFile* found = by_name_.nearest(wanted, source)) return found;
    }
    if (is_relative && rules_.names_folders) {
      if (const auto folder = join_path(folder_of(source), file)) return first_of(*folder);
    }
    // An include names a file; when the file does not exist, it is not a package.
    resolved.is_external = !is_relative && !(is_include && rules_.looks_in_same_folder);
    if (resolved.is_external) {
      resolved.package = rules_.has_colons ? import.path : package_name(path, rules_.is_dotted);
    }
    return nullptr;
  }

  // A template by its path from a folder of templates, its own or any other: Django and Jinja know
  // no own folder, the others begin there. Rails' partials begin with "_".
  const ProjectFile* find_template(std::string_view source, std::string_view path) const {
    const std::string partial = in_folder(folder_of(path), fmt::format("_{}", file_name(path)));
    for (const std::string_view name : {path, std::string_view(partial)}) {
      for (const std::string_view ending : kTemplates) {
        const std::string wanted = std::string(name) + std::string(ending);
        const std::optional<std::string> nearby = join_path(folder_of(source), wanted);
        const ProjectFile* const own = nearby ? of_family(*nearby) : nullptr;
        if (own != nullptr && (!source.ends_with(".html") || path.starts_with('.'))) return own;
        for (const std::string_view root : {"templates", "template", "views", "layouts"}) {
          const auto* const found = by_name_.nearest(fmt::format("{}/{}", root, wanted), source);
          if (found != nullptr) return found;
        }
        if (own != nullptr) return own;
        if (const ProjectFile* found = by_name_.nearest(wanted, source)) return found;
      }
    }
    return nullptr;
  }

  const ProjectFile* find_in_package(std::string_view scheme, std::string_view path,
                                     ResolvedImport& resolved) const {
    const std::string_view name = path.substr(0, path.find('/'));
    if (scheme == "package") {
      if (const auto package = packages_.find(std::string(name)); package != packages_.end()) {
        const std::string below = "lib" + std::string(path.substr(name.size()));
        return of_family(in_folder(package->second, below));
      }
    }
    resolved.is_external = true;
    resolved.package = scheme == "package" ? name : fmt::format("{}:{}", scheme, path);
    return nullptr;
  }

  const ProjectFile* of_family(std::string_view path) const {
    const ProjectFile* file = tree_.find(path);
    if (file == nullptr || rules_.is_url) return file;
    return file->family == family_of(rules_.family) ? file : nullptr;
  }

  // The first file of the language in a folder, by name.
  const ProjectFile* first_of(std::string_view folder) const {
    const std::string inside = std::string(folder) + "/";
    const auto files = tree_.files();
    auto at = std::ranges::lower_bound(files, inside, {}, &ProjectFile::path);
    for (; at != files.end() && at->path.starts_with(inside); ++at) {
      if (folder_of(at->path) == folder && of_family(at->path) != nullptr) return &*at;
    }
    return nullptr;
  }

  const PathRules& rules_;
  ProjectTree& tree_;
  FilesByName by_name_;
  std::map<std::string, std::string, std::less<>> packages_;  // name to folder
};

LanguageTraits traits_of(const PathRules& rules) {
  LanguageTraits traits;
  traits.knowledge = Knowledge::kImports;
  if (!rules.package_file.empty()) traits.files.configuration = kPubspec;
  return traits;
}

}  // namespace

std::span<const PathRules> path_rules() { return kRules; }

std::unique_ptr<ModuleFinder> make_path_finder(const PathRules& rules, ProjectTree& tree) {
  return std::make_unique<PathModuleFinder>(rules, tree);
}

PathSemantics::PathSemantics(const PathRules& rules)
    : LanguageSemantics(traits_of(rules)), rules_(rules) {}

std::unique_ptr<ModuleFinder> PathSemantics::make_module_finder(ProjectTree& tree) const {
  return make_path_finder(rules_, tree);
}

}  // namespace codexmem::graph
