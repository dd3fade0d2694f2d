// A dotted name is walked from each root: a folder with __init__ or a module file is a regular
// module, a folder with other Python files only a namespace package. Regular modules of any root
// take precedence over namespace packages, as in Python's import system. In the roots of projects,
// a name of the standard library is only found as a regular module, so that a folder called `test`
// is never taken for the library's module. Tested by graph/import_resolver_test.cpp.
#include "graph/python/python_resolver.h"

#include <algorithm>
#include <array>
#include <unordered_set>

#include "base/path.h"
#include "config/path_kind.h"
#include "text/json.h"
#include "base/text.h"
#include "text/json_comments.h"
#include "graph/uses/symbol_search.h"

namespace codexmem::graph {
namespace {

const std::unordered_set<std::string_view>& standard_library() {
  static const std::unordered_set<std::string_view> names = [] {
    constexpr std::string_view kNames =
        "__future__ __main__ _thread abc aifc argparse array ast asynchat asyncio asyncore atexit "
        "audioop base64 bdb binascii bisect builtins bz2 calendar cgi cgitb chunk cmath cmd code "
        "codecs codeop collections colorsys compileall concurrent configparser contextlib "
        "contextvars copy copyreg cProfile crypt csv ctypes curses dataclasses datetime dbm "
        "decimal "
        "difflib dis distutils doctest email encodings ensurepip enum errno faulthandler fcntl "
        "filecmp fileinput fnmatch formatter fractions ftplib functools gc getopt getpass gettext "
        "glob graphlib grp gzip hashlib heapq hmac html http idlelib imaplib imghdr imp importlib "
        "inspect io ipaddress itertools json keyword lib2to3 linecache locale logging lzma mailbox "
        "mailcap marshal math mimetypes mmap modulefinder msilib msvcrt multiprocessing netrc nis "
        "nntplib nt ntpath numbers operator optparse os ossaudiodev parser pathlib pdb pickle "
        "pickletools pipes pkgutil platform plistlib poplib posix posixpath pprint profile pstats "
        "pty pwd py_compile pyclbr pydoc queue quopri random re readline reprlib resource "
        "rlcompleter runpy sched secrets select selectors shelve shlex shutil signal site smtpd "
        "smtplib sndhdr socket socketserver spwd sqlite3 sre_compile sre_constants sre_parse ssl "
        "stat statistics string stringprep struct subprocess sunau symbol symtable sys sysconfig "
        "syslog tabnanny tarfile telnetlib tempfile termios test textwrap threading time timeit "
        "tkinter token tokenize tomllib trace traceback tracemalloc tty turtle turtledemo types "
        "typing unicodedata unittest urllib uu uuid venv warnings wave weakref webbrowser winreg "
        "winsound wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport zlib zoneinfo";
    std::unordered_set<std::string_view> set;
    for (const std::string_view name : split(kNames, ' ')) set.insert(name);
    return set;
  }();
  return names;
}

void add_unique(std::vector<std::string>& list, std::string value) {
  if (std::find(list.begin(), list.end(), value) == list.end()) list.push_back(std::move(value));
}

// Quoted strings of one line.
std::vector<std::string> quoted(std::string_view line) {
  std::vector<std::string> found;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] != '"' && line[i] != '\'') continue;
    const std::size_t end = line.find(line[i], i + 1);
    if (end == std::string_view::npos) break;
    found.emplace_back(line.substr(i + 1, end - i - 1));
    i = end;
  }
  return found;
}

}  // namespace

PythonResolver::PythonResolver(ProjectTree& tree) : tree_(tree) {
  external_.is_external = true;
  project_roots_[""];  // the repository itself is a project
  for (const char* name : {"pyproject.toml", "setup.cfg", "setup.py", "pytest.ini", "tox.ini"}) {
    for (const std::string_view path : tree.list_configs(name)) read_project(path);
  }
  for (const std::string_view path : tree.list_configs("pyrightconfig.json")) {
    read_pyright(path);
  }
  for (auto& [folder, roots] : project_roots_) {
    for (const char* source : {"src", "lib", "python", "source"}) {
      const std::string path = in_folder(folder, source);
      if (tree_.has_folder(path) && !is_regular_package(path)) add_unique(roots, path);
    }
    if (!is_regular_package(folder)) roots.insert(roots.begin(), folder);
    for (const std::string& root : roots) {
      library_roots_.insert(root);
      // A project inside test code is only visible from inside.
      if (!is_secondary_path(folder + "/")) add_unique(all_roots_, root);
    }
  }
  std::sort(all_roots_.begin(), all_roots_.end());
}

// Reads the package folders that a project's file names: `where = ["lib"]`, `package_dir = {"":
// "lib"}`, `package-dir`, `from = "lib"`, `pythonpath = ["."]`. Reading single lines is enough in
// practice; computed values are left to the other roots.
void PythonResolver::read_project(std::string_view path) {
  const std::string folder(folder_of(path));
  std::vector<std::string>& roots = project_roots_[folder];
  const std::optional<std::string> text = tree_.read(path);
  if (!text) return;
  const bool is_ini = path.ends_with(".cfg") || path.ends_with(".ini");
  for (const std::string_view line : split(*text, '\n')) {
    const std::string_view content = trim(line);
    if (content.starts_with("#")) continue;
    if (path.ends_with("setup.cfg") && content.starts_with("=")) {
      add_root(roots, folder, trim(content.substr(1)));  // below package_dir: "    = src"
      continue;
    }
    // A package is named with its folder: packages = ["backend/app"].
    if (content.starts_with("packages") && path.ends_with(".toml")) {
      for (const std::string& package : quoted(content)) {
        if (package.find('/') != std::string::npos) add_root(roots, folder, folder_of(package));
      }
    }
    bool names_folder = false;
    for (const std::string_view key :
         {"where", "package_dir", "package-dir", "pythonpath", "from", "\"\"", "''",
          "find_packages", "source-dir", "extraPaths", "mypy_path", "sources", "root"}) {
      if (content.find(key) != std::string_view::npos) names_folder = true;
    }
    if (!names_folder) continue;
    for (const std::string& value : quoted(content)) add_root(roots, folder, value);
    const std::size_t equals = content.find('=');
    if (is_ini && equals != std::string_view::npos) {  // where = src, pythonpath = src tests
      for (const std::string_view value : split(content.substr(equals + 1), ' ')) {
        add_root(roots, folder, trim(value));
      }
    }
  }
}

// The roots that a pyrightconfig.json gives: extraPaths and executionEnvironments.
void PythonResolver::read_pyright(std::string_view path) {
  const std::string folder(folder_of(path));
  const std::optional<std::string> text = tree_.read(path);
  if (!text) return;
  const Json json = Json::parse(strip_json_comments(*text), nullptr, false);
  if (!json.is_object()) return;
  std::vector<std::string>& roots = project_roots_[folder];
  const auto add_paths = [&](const Json& object) {
    const auto paths = object.find("extraPaths");
    if (paths == object.end() || !paths->is_array()) return;
    for (const Json& item : *paths) {
      if (item.is_string()) add_root(roots, folder, item.get<std::string>());
    }
  };
  add_paths(json);
  const auto environments = json.find("executionEnvironments");
  if (environments == json.end() || !environments->is_array()) return;
  for (const Json& environment : *environments) {
    if (!environment.is_object()) continue;
    const auto root = environment.find("root");
    if (root != environment.end() && root->is_string()) {
      add_root(roots, folder, root->get<std::string>());
    }
    add_paths(environment);
  }
}

void PythonResolver::add_root(std::vector<std::string>& roots, std::string_view folder,
                              std::string_view written) {
  if (written.empty() || written == ".") return;
  const auto root = join_path(folder, written);
  if (root && tree_.has_folder(*root) && !is_regular_package(*root)) add_unique(roots, *root);
}

bool PythonResolver::is_regular_package(std::string_view folder) const {
  return tree_.find(in_folder(folder, "__init__.py")) != nullptr ||
         tree_.find(in_folder(folder, "__init__.pyi")) != nullptr;
}

PythonModule PythonResolver::find_submodule(const PythonModule& package,
                                            std::string_view name) const {
  PythonModule module;
  if (!package.is_package) return module;
  const std::string path = in_folder(package.folder, name);
  for (const char* init : {"/__init__.py", "/__init__.pyi"}) {
    if ((module.file = tree_.find(path + init)) != nullptr) break;
  }
  if (module.file != nullptr) {
    module.is_package = true;
    module.folder = path;
    return module;
  }
  for (const char* extension : {".py", ".pyi"}) {
    if ((module.file = tree_.find(path + extension)) != nullptr) return module;
  }
  if (tree_.has_folder(path)) {
    module.is_package = true;
    module.folder = path;
  }
  return module;
}

PythonModule PythonResolver::find_at(std::string_view folder, std::string_view name) const {
  PythonModule module;
  module.is_package = true;
  module.folder = folder;
  for (const std::string_view part : split(name, '.')) {
    module = find_submodule(module, part);
    if (!module.found()) break;
  }
  return module;
}

PythonModule PythonResolver::find_relative(std::string_view source, std::string_view name) const {
  std::string_view folder = folder_of(source);
  std::size_t dots = 0;
  while (dots < name.size() && name[dots] == '.') ++dots;
  for (std::size_t level = 1; level < dots; ++level) {
    if (folder.empty()) return {};
    folder = folder_of(folder);
  }
  name.remove_prefix(dots);
  if (!name.empty()) return find_at(folder, name);
  PythonModule module;
  module.is_package = true;
  module.folder = folder;
  for (const char* init : {"__init__.py", "__init__.pyi"}) {
    if (module.file == nullptr) module.file = tree_.find(in_folder(folder, init));
  }
  return module;
}

const std::vector<std::string>& PythonResolver::list_roots(std::string_view source) {
  const std::string folder(folder_of(source));
  if (const auto known = roots_.find(folder); known != roots_.end()) return known->second;
  std::vector<std::string> roots;
  for (std::string_view at = folder;; at = folder_of(at)) {
    if (const auto project = project_roots_.find(std::string(at));
        project != project_roots_.end()) {
      for (const std::string& root : project->second) add_unique(roots, root);
    }
    if (at.empty()) break;
  }
  std::string_view outside = folder;
  while (!outside.empty() && is_regular_package(outside)) outside = folder_of(outside);
  add_unique(roots, std::string(outside));
  for (const std::string& root : all_roots_) add_unique(roots, root);
  return roots_[folder] = std::move(roots);
}

PythonModule PythonResolver::find_absolute(std::string_view source, std::string_view name) {
  const std::string_view top = name.substr(0, name.find('.'));
  const bool in_library = standard_library().contains(top);
  bool knows_top = false;
  PythonModule fallback;
  for (const std::string& root : list_roots(source)) {
    if (in_library && !library_roots_.contains(root)) continue;
    const PythonModule first = find_at(root, top);
    if (!first.found()) continue;
    const bool is_regular = first.file != nullptr;
    if (in_library && !is_regular) continue;
    PythonModule module = top.size() == name.size() ? first : find_at(root, name);
    if (is_regular) knows_top = true;
    if (!module.found()) continue;
    if (is_regular) return module;
    // A namespace package counts when it leads to a file, or may lead to one by `from it import`.
    if (module.file != nullptr || !fallback.found()) {
      if (fallback.file == nullptr) fallback = std::move(module);
    }
  }
  if (!knows_top && fallback.found()) return fallback;
  // Modules started from a folder above: backend/app without __init__, started in backend.
  const std::string_view folder = folder_of(source);
  for (std::string_view at = folder; !knows_top && !in_library && !at.empty();) {
    at = folder_of(at);
    if (is_regular_package(at)) continue;
    PythonModule module = find_at(at, name);
    if (module.file != nullptr) return module;
  }
  if (!knows_top && !in_library && is_regular_package(folder)) {
    // A file of a package that is run as a script has its own folder before all else.
    PythonModule sibling = find_at(folder, name);
    sibling.is_sibling = sibling.file != nullptr;
    if (sibling.is_sibling) return sibling;
  }
  PythonModule missing;
  missing.is_external = !knows_top;
  return missing;
}

const PythonModule& PythonResolver::resolve(std::string_view source, std::string_view name) {
  std::string key(folder_of(source));
  key += '\n';
  key += name;
  auto known = cache_.find(key);
  if (known == cache_.end()) {
    PythonModule module =
        name.starts_with(".") ? find_relative(source, name) : find_absolute(source, name);
    known = cache_.emplace(std::move(key), std::move(module)).first;
  }
  const PythonModule& module = known->second;
  // `import yaml` in package/yaml.py: not the file itself.
  if (module.is_sibling && module.file->path == source) return external_;
  return module;
}

}  // namespace codexmem::graph
