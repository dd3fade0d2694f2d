// A manifest with a name publishes a package; its roots are the words that imports of it begin
// with. Where code does not name packages (Java, C#, Ruby, Elixir, C), the folder of the imported
// file decides which package it belongs to, and a quick check goes by the words of paths. Tested by
// graph/across_test.cpp.
#include "graph/across/published.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/ascii.h"
#include "base/path.h"
#include "base/text.h"
#include "config/path_kind.h"
#include "graph/core/language_semantics.h"

namespace codexmem::graph {
namespace {

// Folders of a project that setuptools does not take for packages.
constexpr std::array<std::string_view, 22> kUnpublishedFolders = {
    "test",    "tests",        "testing", "docs",       "doc",      "examples",
    "example", "scripts",      "tools",   "bin",        "build",    "benchmarks",
    "bench",   "tasks",        "fabfile", "site_scons", "exercise", "exercises",
    "htmlcov", "requirements", "utils",   "ci"};

// The last two parts of `path`, in lower case and without "_".
std::array<std::string, 2> last_words(std::string_view path) {
  std::array<std::string, 2> words;
  std::size_t word = 0;
  for (std::size_t i = path.size(); i-- > 0;) {
    const char c = path[i];
    if (c == '_' || c == '*' || c == '<' || c == '>' || c == '"') continue;
    if (!is_alnum(c) && c != '-') {
      if (!words[word].empty() && ++word == words.size()) break;
      continue;
    }
    words[word] += to_lower(c);
  }
  for (std::string& one : words) std::ranges::reverse(one);
  return words;
}

// Packages are found by these words of paths; in other ecosystems by their roots.
bool goes_by_paths(Ecosystem ecosystem) {
  return ecosystem == Ecosystem::kMaven || ecosystem == Ecosystem::kNuget ||
         ecosystem == Ecosystem::kGem || ecosystem == Ecosystem::kHex ||
         ecosystem == Ecosystem::kCmake;
}

bool is_in_package_folder(std::string_view path, std::string_view folder) {
  return folder.empty() ||
         (path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/');
}

std::string_view npm_package_of(std::string_view specifier) {
  std::size_t slash = specifier.find('/');
  if (specifier.starts_with('@') && slash != std::string_view::npos) {
    slash = specifier.find('/', slash + 1);
  }
  return specifier.substr(0, slash);
}

// `path` without its quotes or angle brackets.
std::string_view include_path(std::string_view path) {
  if (path.size() > 1 && (path.front() == '<' || path.front() == '"')) {
    path = path.substr(1, path.size() - 2);
  }
  return path;
}

// True if a dependency names a place instead of a version in a registry: "file:../a", "../a",
// "owner/a".
bool asks_for_place(const std::optional<std::string>& required) {
  return required && (required->empty() || *required == "*" ||
                      required->find_first_of(":/") != std::string::npos);
}

bool begins_with_root(std::string_view path, std::string_view root, char separator) {
  return path.starts_with(root) && (path.size() == root.size() || path[root.size()] == separator);
}

}  // namespace

std::string_view ecosystem_name(Ecosystem ecosystem) {
  switch (ecosystem) {
    case Ecosystem::kNpm:
      return "npm";
    case Ecosystem::kPython:
      return "Python";
    case Ecosystem::kGo:
      return "Go";
    case Ecosystem::kMaven:
      return "Maven";
    case Ecosystem::kCargo:
      return "Cargo";
    case Ecosystem::kComposer:
      return "Composer";
    case Ecosystem::kGem:
      return "RubyGems";
    case Ecosystem::kHex:
      return "Hex";
    case Ecosystem::kNuget:
      return "NuGet";
    case Ecosystem::kCmake:
      return "CMake";
  }
  return {};
}

std::optional<Ecosystem> ecosystem_of(parse::Family family) {
  struct Row {
    std::string_view language;
    Ecosystem ecosystem;
  };
  static constexpr std::array<Row, 12> kRows = {{{"typescript", Ecosystem::kNpm},
                                                 {"python", Ecosystem::kPython},
                                                 {"go", Ecosystem::kGo},
                                                 {"java", Ecosystem::kMaven},
                                                 {"kotlin", Ecosystem::kMaven},
                                                 {"rust", Ecosystem::kCargo},
                                                 {"php", Ecosystem::kComposer},
                                                 {"ruby", Ecosystem::kGem},
                                                 {"elixir", Ecosystem::kHex},
                                                 {"csharp", Ecosystem::kNuget},
                                                 {"c", Ecosystem::kCmake},
                                                 {"cpp", Ecosystem::kCmake}}};
  static const auto table = [] {
    std::array<std::optional<Ecosystem>, 256> by_family{};
    for (const Row& row : kRows) {
      const parse::Family of = family_of(row.language);
      if (of != parse::Family::kNone) by_family[static_cast<std::size_t>(of)] = row.ecosystem;
    }
    return by_family;
  }();
  return table[static_cast<std::size_t>(family)];
}

std::string_view member_folder_of(std::string_view path) { return path.substr(0, path.find('/')); }

PublishedPackages::PublishedPackages(ProjectTree& tree) {
  const auto read_all = [&](std::string_view name, auto read) {
    for (const std::string_view path : tree.list_configs(name)) {
      const auto text = tree.read(path);
      if (!text) continue;
      if (auto manifest = read(path, *text)) add(std::move(*manifest));
    }
  };
  read_all("package.json", [](std::string_view path, const std::string& text) {
    return read_npm_manifest(folder_of(path), text);
  });
  read_all("composer.json", [](std::string_view path, const std::string& text) {
    return read_composer_manifest(folder_of(path), text);
  });
  read_all("go.mod", [](std::string_view path, const std::string& text) {
    return read_go_manifest(folder_of(path), text);
  });
  read_all("Cargo.toml", [](std::string_view path, const std::string& text) {
    return read_cargo_manifest(folder_of(path), text);
  });
  read_all("pom.xml", [](std::string_view path, const std::string& text) {
    return read_pom_manifest(folder_of(path), text);
  });
  for (const char* name : {"build.gradle", "build.gradle.kts"}) {
    read_all(name, [&](std::string_view path, const std::string& text) {
      const std::string_view folder = folder_of(path);
      std::string settings;
      for (const char* file : {"settings.gradle", "settings.gradle.kts"}) {
        if (settings.empty()) settings = tree.read(in_folder(folder, file)).value_or("");
      }
      const auto properties = tree.read(in_folder(folder, "gradle.properties"));
      return read_gradle_manifest(folder, text, settings, properties.value_or(""));
    });
  }
  read_python(tree);
  read_all("*.gemspec", [&](std::string_view path, const std::string& text) {
    auto manifest = read_gem_manifest(folder_of(path), text);
    if (manifest && manifest->package.version.empty()) {
      std::string inner = manifest->package.name;
      std::ranges::replace(inner, '-', '/');
      const auto source =
          tree.read(in_folder(folder_of(path), "lib/" + inner + "/version.rb")).value_or("");
      const std::size_t at = source.find("VERSION");
      const std::size_t quote = source.find_first_of("\"'", at);
      if (at != std::string::npos && quote != std::string::npos && quote - at < 16) {
        const std::size_t end = source.find(source[quote], quote + 1);
        if (end != std::string::npos) {
          manifest->package.version = source.substr(quote + 1, end - quote - 1);
        }
      }
    }
    return manifest;
  });
  read_all("Gemfile", [](std::string_view path, const std::string& text) {
    return read_gem_manifest(folder_of(path), text);
  });
  read_all("mix.exs", [](std::string_view path, const std::string& text) {
    return read_mix_manifest(folder_of(path), text);
  });
  read_all("*.csproj", [](std::string_view path, const std::string& text) {
    return read_csproj_manifest(folder_of(path), file_stem(path), text);
  });
  read_all("Directory.Packages.props", [](std::string_view path, const std::string& text) {
    auto manifest = read_csproj_manifest(folder_of(path), "", text);
    manifest->package.name.clear();
    return manifest;
  });
  read_all("CMakeLists.txt", [](std::string_view path, const std::string& text) {
    return read_cmake_manifest(folder_of(path), text);
  });
  for (auto& [folder, manifests] : manifests_) {
    for (const Manifest& manifest : manifests) {
      const PublishedPackage& package = manifest.package;
      const bool is_published = !package.name.empty() && !is_secondary_path(folder + "/");
      if (is_published) packages_.push_back(package);
    }
  }
  // The manifests of a CMake project's subfolders add folders to the project, too.
  for (const auto& [folder, manifests] : manifests_) {
    for (const Manifest& part : manifests) {
      if (part.package.ecosystem != Ecosystem::kCmake || !part.package.name.empty()) continue;
      PublishedPackage* whole = nullptr;
      for (PublishedPackage& package : packages_) {
        const bool is_around =
            package.ecosystem == Ecosystem::kCmake && is_in_package_folder(folder, package.folder);
        if (is_around && (whole == nullptr || package.folder.size() > whole->folder.size())) {
          whole = &package;
        }
      }
      if (whole == nullptr) continue;
      whole->roots.insert(whole->roots.end(), part.package.roots.begin(), part.package.roots.end());
    }
  }
  note_words(tree);
}

void PublishedPackages::add(Manifest manifest) {
  std::vector<Manifest>& here = manifests_[manifest.package.folder];
  // Several manifests of one project are merged: pyproject.toml and setup.py in the same folder.
  for (Manifest& other : here) {
    const bool is_one = other.package.ecosystem == manifest.package.ecosystem &&
                        (other.package.name.empty() || manifest.package.name.empty() ||
                         other.package.name == manifest.package.name);
    if (!is_one) continue;
    if (other.package.name.empty()) other.package.name = manifest.package.name;
    if (other.package.version.empty()) other.package.version = manifest.package.version;
    other.required.merge(manifest.required);
    return;
  }
  here.push_back(std::move(manifest));
}

// The top modules of a distribution: all packages below src, lib or python; else the package with
// the distribution's name; else the only one.
void PublishedPackages::read_python(ProjectTree& tree) {
  std::vector<std::string> folders;
  for (const std::string_view name :
       {"pyproject.toml", "setup.cfg", "setup.py", "requirements.txt"}) {
    for (const std::string_view path : tree.list_configs(name)) {
      const auto text = tree.read(path);
      if (!text) continue;
      if (auto manifest = read_python_manifest(folder_of(path), name, *text)) {
        folders.emplace_back(folder_of(path));
        add(std::move(*manifest));
      }
    }
  }
  if (folders.empty()) return;
  std::map<std::string, std::set<std::string>, std::less<>> packages;  // by the folder around
  for (const ProjectFile& file : tree.files()) {
    const std::string_view name = file_name(file.path);
    if (name != "__init__.py" && name != "__init__.pyi") continue;
    const std::string_view package = folder_of(file.path);
    packages[std::string(folder_of(package))].emplace(file_name(package));
  }
  for (const std::string& folder : folders) {
    for (Manifest& manifest : manifests_[folder]) {
      PublishedPackage& package = manifest.package;
      if (package.ecosystem != Ecosystem::kPython || package.name.empty()) continue;
      std::string module = package.name;
      std::ranges::replace(module, '-', '_');
      std::string inner = package.name;  // of a namespace: google-cloud-storage
      std::ranges::replace(inner, '-', '/');
      std::set<std::string> roots;
      for (const std::string_view source : {"src", "lib", "python", ""}) {
        const std::string root = source.empty() ? folder : in_folder(folder, source);
        const auto found = packages.find(root);
        if (tree.find(in_folder(root, module + ".py")) != nullptr) roots.insert(module);
        if (inner.find('/') != std::string::npos &&
            tree.find(in_folder(root, inner + "/__init__.py")) != nullptr) {
          std::string dotted = inner;
          std::ranges::replace(dotted, '/', '.');
          roots.insert(dotted);
        }
        if (found == packages.end()) continue;
        std::set<std::string> published;
        for (const std::string& name : found->second) {
          if (python_distribution(name) == package.name) roots.insert(name);
          if (std::ranges::find(kUnpublishedFolders, name) == kUnpublishedFolders.end()) {
            published.insert(name);
          }
        }
        if (!source.empty() || (roots.empty() && published.size() == 1)) {
          roots.merge(published);
        }
      }
      package.roots.assign(roots.begin(), roots.end());
    }
  }
}

void PublishedPackages::note(Ecosystem ecosystem, std::string_view word, std::string_view path) {
  std::string key = std::to_string(static_cast<int>(ecosystem)) + ":";
  key += word;
  words_[std::move(key)].emplace(member_folder_of(path));
}

bool PublishedPackages::is_elsewhere(Ecosystem ecosystem, std::string_view word,
                                     std::string_view source) const {
  std::string key = std::to_string(static_cast<int>(ecosystem)) + ":";
  key += word;
  const auto found = words_.find(key);
  if (found == words_.end()) return false;
  const std::string_view own = member_folder_of(source);
  return std::ranges::any_of(found->second, [&](const std::string& one) { return one != own; });
}

void PublishedPackages::note_words(ProjectTree& tree) {
  const auto note_last = [&](Ecosystem ecosystem, std::string_view path, std::string_view of) {
    for (const std::string& word : last_words(path)) {
      if (!word.empty()) note(ecosystem, word, of);
    }
  };
  std::set<std::pair<Ecosystem, std::string>> publishing;
  for (const PublishedPackage& package : packages_) {
    publishing.emplace(package.ecosystem, member_folder_of(package.folder));
    if (goes_by_paths(package.ecosystem)) {
      // A namespace need not match a folder.
      if (package.ecosystem == Ecosystem::kNuget)
        note_last(package.ecosystem, package.name, package.folder);
      continue;
    }
    for (const std::string& root : package.roots) {
      const bool has_parts =
          package.ecosystem == Ecosystem::kPython || package.ecosystem == Ecosystem::kComposer;
      note(package.ecosystem,
           has_parts ? std::string_view(root).substr(0, root.find_first_of(".\\")) : root,
           package.folder);
    }
  }
  for (const ProjectFile& file : tree.files()) {
    const auto ecosystem = ecosystem_of(file.family);
    if (!ecosystem || !goes_by_paths(*ecosystem)) continue;
    if (!publishing.contains({*ecosystem, std::string(member_folder_of(file.path))})) continue;
    const std::string_view path = std::string_view(file.path).substr(0, file.path.rfind('.'));
    note_last(*ecosystem, path, file.path);
  }
}

bool PublishedPackages::may_be_published(const ProjectFile& source, std::string_view path) const {
  const auto ecosystem = ecosystem_of(source.family);
  if (!ecosystem || path.empty()) return false;
  switch (*ecosystem) {
    case Ecosystem::kNpm:
      return is_elsewhere(*ecosystem, npm_package_of(path), source.path);
    case Ecosystem::kPython:
      return is_elsewhere(*ecosystem, path.substr(0, path.find('.')), source.path);
    case Ecosystem::kCargo:
      if (path.starts_with("::")) path.remove_prefix(2);
      return is_elsewhere(*ecosystem, path.substr(0, path.find("::")), source.path);
    case Ecosystem::kComposer:
      if (path.starts_with('\\')) path.remove_prefix(1);
      return is_elsewhere(*ecosystem, path.substr(0, path.find('\\')), source.path);
    case Ecosystem::kGo:
      for (std::string_view module = path; !module.empty(); module = folder_of(module)) {
        if (is_elsewhere(*ecosystem, module, source.path)) return true;
      }
      return false;
    case Ecosystem::kCmake:
      path = path.substr(0, path.rfind('.'));
      [[fallthrough]];
    case Ecosystem::kMaven:
    case Ecosystem::kGem:
    case Ecosystem::kHex:
    case Ecosystem::kNuget:
      break;
  }
  for (const std::string& word : last_words(path)) {
    if (!word.empty() && is_elsewhere(*ecosystem, word, source.path)) return true;
  }
  return false;
}

bool PublishedPackages::imports(const ProjectFile& source, const PublishedPackage& package,
                                std::string_view path, std::string_view target) const {
  const auto has_root = [&](char separator) {
    return std::ranges::any_of(package.roots, [&](const std::string& root) {
      return begins_with_root(path, root, separator);
    });
  };
  switch (package.ecosystem) {
    case Ecosystem::kNpm:
      return npm_package_of(path) == package.name;
    case Ecosystem::kPython:
      return has_root('.');
    case Ecosystem::kGo:
      return has_root('/');
    case Ecosystem::kCargo:
      if (path.starts_with("::")) path.remove_prefix(2);
      return has_root(':');
    case Ecosystem::kComposer:
      if (path.starts_with('\\')) path.remove_prefix(1);
      return has_root('\\');
    case Ecosystem::kMaven:
    case Ecosystem::kNuget:
      return !is_secondary_path(target);
    case Ecosystem::kGem:
    case Ecosystem::kHex:
      return is_in_package_folder(target, in_folder(package.folder, "lib"));
    case Ecosystem::kCmake:
      break;
  }
  // A header is published in a folder that users of the library include from: one declared for
  // them, or one called `include`. A path without a folder may mean any project's header: the
  // importer has to name the project.
  path = include_path(path);
  if (path.find('/') == std::string_view::npos && !required(source.path, package)) return false;
  const auto is_present = [&](std::string_view root) {
    return target.size() == root.size() + 1 + path.size() && is_in_package_folder(target, root) &&
           target.ends_with(path);
  };
  return is_present(in_folder(package.folder, "include")) ||
         std::ranges::any_of(package.roots, is_present);
}

const PublishedPackage* PublishedPackages::find(const ProjectFile& source, std::string_view path,
                                                std::string_view target) const {
  const auto ecosystem = ecosystem_of(source.family);
  if (!ecosystem || member_folder_of(source.path) == member_folder_of(target)) return nullptr;
  const PublishedPackage* best = nullptr;
  for (const PublishedPackage& package : packages_) {
    if (package.ecosystem != *ecosystem || !is_in_package_folder(target, package.folder)) continue;
    if (best != nullptr && best->folder.size() >= package.folder.size()) continue;
    if (!imports(source, package, path, target)) continue;
    if (package.is_private && !asks_for_place(required(source.path, package))) continue;
    best = &package;
  }
  return best;
}

std::optional<std::string> PublishedPackages::required(std::string_view source,
                                                       const PublishedPackage& package) const {
  std::optional<std::string> found;
  for (std::string_view folder = folder_of(source); !folder.empty(); folder = folder_of(folder)) {
    const auto here = manifests_.find(folder);
    if (here == manifests_.end()) continue;
    for (const Manifest& manifest : here->second) {
      if (manifest.package.ecosystem != package.ecosystem) continue;
      const auto version = manifest.required.find(package.name);
      if (version == manifest.required.end()) continue;
      if (!version->second.empty()) return version->second;
      found = std::string();  // its version may be said further up
    }
  }
  return found;
}

}  // namespace codexmem::graph
