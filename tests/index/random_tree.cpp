#include "random_tree.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <map>
#include <sstream>

namespace codexmem::index {
namespace fs = std::filesystem;

namespace {

const std::vector<std::string> kFolders = {"",
                                           "src",
                                           "src",
                                           "src/lib",
                                           "src/lib",
                                           "src/lib/deep",
                                           "packages/alpha/src",
                                           "web",
                                           "py/pkg",
                                           "py/pkg",
                                           "py/pkg/sub",
                                           "py/other",
                                           "packages/alpha/lib",
                                           "packages/beta",
                                           "docs",
                                           "py/pkg/sub/deeper",
                                           "build",
                                           "Src",
                                           "node_modules/x"};

// The same names everywhere, so that imports find something, and something else after a change.
const std::vector<std::string> kNames = {"index", "util",  "core", "model",
                                         "Store", "store", "main", "__init__"};

const std::vector<std::string> kExtensions = {
    ".ts", ".ts",  ".ts", ".tsx",  ".js",   ".js",   ".jsx", ".mjs", ".py",     ".py",
    ".py", ".pyi", ".md", ".json", ".d.ts", ".yaml", ".txt", "",     ".min.js", ".weird"};

const std::vector<std::string> kWords = {"load",    "save",  "parse",     "render",     "Order",
                                         "Invoice", "total", "user_name", "HttpClient", "retry",
                                         "größe",   "queue", "flush",     "x1",         "MAX_SIZE"};

std::string extension_of(const std::string& path) {
  const std::string name = path.substr(path.rfind('/') + 1);
  const std::size_t dot = name.rfind('.');
  return dot == std::string::npos ? "" : name.substr(dot);
}

bool is_python(const std::string& path) { return path.ends_with(".py") || path.ends_with(".pyi"); }

bool is_script(const std::string& path) {
  const std::string extension = extension_of(path);
  return extension == ".ts" || extension == ".tsx" || extension == ".js" || extension == ".jsx" ||
         extension == ".mjs";
}

std::vector<std::string> split_lines(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    lines.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return lines;
}

std::string join_lines(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line;
  return text;
}

}  // namespace

struct RandomTree::Kind {
  std::size_t weight;
  std::string (RandomTree::*make)();
};

const std::vector<RandomTree::Kind>& RandomTree::kinds() {
  static const std::vector<Kind> list = {
      {24, &RandomTree::edit},
      {4, &RandomTree::edit_in_the_same_moment},
      {4, &RandomTree::probe},
      {3, &RandomTree::empty},
      {10, &RandomTree::create},
      {4, &RandomTree::copy},
      {6, &RandomTree::remove},
      {1, &RandomTree::remove_folder},
      {8, &RandomTree::rename},
      {3, &RandomTree::rename_folder},
      {4, &RandomTree::swap},
      {3, &RandomTree::change_case},
      {3, &RandomTree::touch},
      {6, &RandomTree::change_ignore_file},
      {14, &RandomTree::change_configuration},
      {4, &RandomTree::toggle_package},
      {2, &RandomTree::become_large},
      {3, &RandomTree::become_binary},
      {2, &RandomTree::become_link},
      {2, &RandomTree::become_folder},
      {3, &RandomTree::toggle_generated},
      {1, &RandomTree::toggle_mode},
      {5, &RandomTree::restore},
      {6, &RandomTree::switch_branch},
      {3, &RandomTree::git_index},
      {1, &RandomTree::toggle_nested_repository},
  };
  return list;
}

RandomTree::RandomTree(std::uint64_t seed, bool has_locks)
    : random_(seed), has_git_(seed % 2 == 0), has_locks_(has_locks) {
  for (const auto& entry :
       fs::recursive_directory_iterator(fs::path(CODEXMEM_SOURCE_DIR) / "testdata/languages")) {
    if (entry.path().stem() == "input" || entry.path().stem() == "input.d") {
      std::ostringstream bytes;
      bytes << std::ifstream(entry.path(), std::ios::binary).rdbuf();
      samples_.push_back(bytes.str());
    }
  }
  std::sort(samples_.begin(), samples_.end());
  if (has_git_) tree_.git("init -q");
  for (int i = 0; i < 40; ++i) create();
  for (int i = 0; i < 8; ++i) {
    change_configuration();
    probe();
  }
  toggle_package();
  if (has_git_) tree_.git("add -A");
}

std::string RandomTree::change() {
  if (has_locks_ && chance(50)) return change_lock();
  std::size_t sum = 0;
  for (const Kind& kind : kinds()) sum += kind.weight;
  for (;;) {
    // A tree that has shrunk grows, and the other way round.
    const std::size_t files = list_files().size();
    if (files < 25) return create();
    if (files > 70) {
      if (std::string done = remove(); !done.empty()) return done;
    }
    std::size_t at = below(sum);
    for (const Kind& kind : kinds()) {
      if (at < kind.weight) {
        if (std::string done = (this->*kind.make)(); !done.empty()) return done;
        break;
      }
      at -= kind.weight;
    }
  }
}

std::vector<std::string> RandomTree::list_files() const {
  std::vector<std::string> files;
  for (auto at = fs::recursive_directory_iterator(root()); at != fs::recursive_directory_iterator();
       ++at) {
    const std::string name = at->path().filename().string();
    if (name == ".git" || name == ".codexmem") {
      at.disable_recursion_pending();
    } else if (!at->is_directory() || at->is_symlink()) {
      files.push_back(at->path().lexically_relative(root()).string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string RandomTree::some_path() {
  switch (below(4)) {
    case 0:
      return some_folder();
    case 1:
      return some_new_path();
    default:
      return some_file();
  }
}

std::string RandomTree::some_file() {
  std::vector<std::string> files = list_files();
  // A configuration that is renamed or overwritten configures nothing more: not too often.
  const bool spare = chance(85);
  std::erase_if(files, [&](const std::string& path) {
    return fs::is_symlink(root() / path) || path.ends_with("ignore") ||
           (spare && (path.ends_with(".json") || path.ends_with(".toml")));
  });
  return files.empty() ? "" : pick(files);
}

std::string RandomTree::some_folder() { return pick(kFolders); }

std::string RandomTree::some_name() { return pick(kNames); }

std::string RandomTree::some_new_path() {
  const std::string folder = some_folder();
  std::string extension = pick(kExtensions);
  if (folder.starts_with("py") && chance(70)) extension = ".py";
  return (folder.empty() ? "" : folder + "/") + some_name() + extension;
}

bool RandomTree::is_free(const std::string& path) const {
  const fs::file_status status = fs::symlink_status(root() / path);
  if (status.type() != fs::file_type::not_found) return false;
  for (fs::path folder = fs::path(path).parent_path(); !folder.empty();
       folder = folder.parent_path()) {
    const auto kind = fs::symlink_status(root() / folder).type();
    if (kind != fs::file_type::not_found && kind != fs::file_type::directory) return false;
  }
  return true;
}

std::string RandomTree::read(const std::string& path) const {
  std::ostringstream bytes;
  bytes << std::ifstream(root() / path, std::ios::binary).rdbuf();
  return bytes.str();
}

// Gives the file a time of its own, a while ago.
void RandomTree::age(const std::string& path) {
  fs::last_write_time(root() / path, fs::file_time_type::clock::now() - std::chrono::hours(1) +
                                         std::chrono::microseconds(++ticks_));
}

void RandomTree::put(const std::string& path, std::string_view bytes) {
  tree_.write(path, bytes);
  age(path);
}

// How an import in the file `from` may name the file `to`, in one of the ways that are.
std::string RandomTree::module_for(const std::string& from, const std::string& to) {
  std::string target = to;
  if (is_python(from)) {
    target = target.substr(0, target.find('.'));
    if (target.ends_with("/__init__")) target.resize(target.size() - 9);
    if (target.starts_with("py/")) target.erase(0, 3);
    const std::string folder = fs::path(from).parent_path().string();
    if (chance(50) && to.starts_with(folder + "/")) {
      target = "." + to.substr(folder.size() + 1);
      target = target.substr(0, target.find('.', 1));
    }
    std::replace(target.begin(), target.end(), '/', '.');
    return target;
  }
  if (chance(70)) target.resize(target.size() - extension_of(target).size());
  const std::size_t slash = target.find('/');
  const std::string rest = slash == std::string::npos ? target : target.substr(slash + 1);
  switch (below(4)) {
    case 0:
      return "@/" + rest;
    case 1: {
      static const std::vector<std::string> kStarts = {"~/",    "shared/", "lib/",        "alpha/",
                                                       "#own/", "config/", "@scope/beta/"};
      return pick(kStarts) + fs::path(target).filename().string();
    }
    default: {
      const std::string relative =
          fs::path(target)
              .lexically_relative(fs::path("/" + from).parent_path().relative_path())
              .string();
      return relative.starts_with(".") ? relative : "./" + relative;
    }
  }
}

std::string RandomTree::import_for(const std::string& path) {
  std::vector<std::string> files = list_files();
  std::erase_if(files, [&](const std::string& file) {
    return is_python(path) ? !is_python(file) : !is_script(file);
  });
  const std::string name = some_name();
  const std::string word = pick(kWords);
  const bool known = !files.empty() && chance(85);
  if (is_python(path)) {
    const std::string target = known ? module_for(path, pick(files)) : "os.path";
    switch (below(5)) {
      case 0:
        return fmt::format("from . import {}, {}\n", name, word);
      case 1:
        return fmt::format("from {} import {} as other\n", target, word);
      case 2:
        return target.starts_with(".") ? fmt::format("from {} import *\n", target)
                                       : fmt::format("import {}\n", target);
      case 3:
        return fmt::format("from ..{} import {}\n", name, word);
      default: {
        const std::size_t dot = target.rfind('.');
        return dot == std::string::npos || dot == 0
                   ? fmt::format("from {} import {}, {}\n", target, name, word)
                   : fmt::format("from {} import {}\n", target.substr(0, dot),
                                 target.substr(dot + 1));
      }
    }
  }
  static const std::vector<std::string> kPackages = {"alpha", "react", "fs", "@scope/beta",
                                                     "other"};
  const std::string target = known ? module_for(path, pick(files)) : pick(kPackages);
  switch (below(5)) {
    case 0:
      return fmt::format("const {} = require('{}');\n", word, target);
    case 1:
      return fmt::format("export * from '{}';\n", target);
    case 2:
      return fmt::format("import {{ {} as renamed }} from '{}';\n", word, target);
    case 3:
      return fmt::format("import fallback, {{ {} }} from \"{}\";\n", word, target);
    default:
      return fmt::format("import * as {} from '{}';\n", name, target);
  }
}

std::string RandomTree::lines_for(const std::string& path) {
  const std::string a = pick(kWords), b = pick(kWords), c = pick(kWords);
  if (chance(50) && (is_python(path) || is_script(path))) return import_for(path);
  if (is_python(path)) {
    switch (below(4)) {
      case 0:
        return fmt::format(
            "class {}({}):\n    \"\"\"Keeps {}.\"\"\"\n\n    def {}(self):\n"
            "        return self.{}\n\n",
            a, b, c, b, c);
      case 1:
        return fmt::format("def {}({}):\n    return {}({})\n\n", a, b, c, b);
      case 2:
        return fmt::format("{} = {}\n", a, below(1000));
      default:
        return fmt::format("    # {} the {}\n", a, b);
    }
  }
  if (is_script(path)) {
    switch (below(5)) {
      case 0:
        return fmt::format(
            "/** {} of {}. */\nexport class {} extends {} {{\n  {}() {{ return this.{}; "
            "}}\n}}\n",
            a, b, a, b, c, a);
      case 1:
        return fmt::format("export function {}({}) {{ return {}({}); }}\n", a, b, c, b);
      case 2:
        return fmt::format("export const {} = '{} {}';\n", a, b, c);
      case 3:
        return fmt::format("export default {};\n", a);
      default:
        return fmt::format("// {} the {}\n", a, b);
    }
  }
  if (path.ends_with(".json")) return fmt::format("{{\"{}\": \"{}\"}}\n", a, b);
  if (path.ends_with(".yaml")) return fmt::format("{}: {}\n", a, b);
  return chance(25) ? fmt::format("\n## {} {}\n\n", a, b)
                    : fmt::format("The {} of `{}` is {}.\n", a, b, c);
}

std::string RandomTree::text_for(const std::string& path) {
  if (chance(20)) return pick(samples_);
  std::string text;
  if (extension_of(path).empty() && chance(50)) text = "#!/usr/bin/env python3\n";
  for (std::size_t i = below(12); i > 0; --i) text += lines_for(path);
  if (chance(10) && text.ends_with('\n')) text.pop_back();
  return text;
}

std::string RandomTree::edit() {
  const std::string path = some_file();
  if (path.empty()) return "";
  std::vector<std::string> lines = split_lines(read(path));
  std::string what;
  for (std::size_t i = 1 + below(3); i > 0; --i) {
    const std::size_t at = below(lines.size() + 1);
    const auto place = lines.begin() + static_cast<std::ptrdiff_t>(at);
    switch (below(6)) {
      case 0:
        what += " append";
        lines.push_back(lines_for(path));
        break;
      case 1:
        if (at < lines.size()) {
          what += " delete";
          lines.erase(place, lines.begin() + static_cast<std::ptrdiff_t>(
                                                 std::min(at + 1 + below(5), lines.size())));
        }
        break;
      case 2:
        if (at < lines.size()) {
          what += " replace";
          *place = lines_for(path);
        }
        break;
      case 3:
        if (at < lines.size()) {
          what += " cut";  // in the middle of a line, perhaps of a character
          place->resize(below(place->size() + 1));
        }
        break;
      default:
        what += " insert";
        lines.insert(place, lines_for(path));
        break;
    }
  }
  put(path, join_lines(lines));
  return fmt::format("edit {}:{}", path, what);
}

std::string RandomTree::edit_in_the_same_moment() {
  std::string path = some_file();
  for (const std::string& file : list_files()) {
    // One that was edited so before.
    if (!fs::is_symlink(root() / file) && fs::last_write_time(root() / file) == later_ &&
        chance(40)) {
      path = file;
    }
  }
  if (path.empty()) return "";
  std::string bytes = read(path);
  if (bytes.empty()) return "";
  // Other bytes, the same number; text becomes binary, and the other way round.
  for (int i = 0; i < 3; ++i) bytes[below(bytes.size())] = static_cast<char>('a' + below(26));
  std::replace(bytes.begin(), bytes.end(), '\0', '0');
  if (chance(30)) bytes[below(std::min<std::size_t>(bytes.size(), 100))] = '\0';
  tree_.write(path, bytes);
  // The time that the clock gives, or one that is always as good as now.
  if (chance(70)) fs::last_write_time(root() / path, later_);
  return "edit in the same moment " + path;
}

// A file that imports in every way, so that whatever changes where imports lead shows.
std::string RandomTree::probe() {
  const std::string path = some_folder() + (chance(60)   ? "/probe.ts"
                                            : chance(50) ? "/probe.js"
                                                         : "/probe.py");
  if (path.front() == '/' || !(is_free(path) || fs::is_regular_file(root() / path))) return "";
  std::string text;
  for (const std::string& name : kNames) {
    if (is_python(path)) {
      for (const char* package : {"pkg", "pkg.sub", "other", ".", "..", ".sub", "py.pkg"}) {
        text += fmt::format("from {} import {}\n", package, name);
      }
      text += fmt::format("import {}, pkg.{}\n", name, name);
    } else {
      for (const char* start : {"@/", "~/", "shared/", "#own/", "alpha/", "@scope/beta/", "lib/",
                                "./", "../", "../src/", "./lib/"}) {
        text += fmt::format("import {{ x }} from '{}{}';\n", start, name);
      }
    }
  }
  if (!is_python(path))
    text += "import 'alpha'; import '@scope/beta'; import './lib'; import '..';\n";
  put(path, text);
  return "probe " + path;
}

std::string RandomTree::empty() {
  const std::string path = some_file();
  if (path.empty()) return "";
  put(path, "");
  return "empty " + path;
}

std::string RandomTree::create() {
  const std::string path = some_new_path();
  if (!is_free(path)) return "";
  put(path, text_for(path));
  return "create " + path;
}

std::string RandomTree::copy() {
  const std::string from = some_file();
  const std::string to =
      chance(50) ? some_new_path() : (fs::path(some_folder()) / fs::path(from).filename()).string();
  if (from.empty() || !is_free(to)) return "";
  put(to, read(from));
  return fmt::format("copy {} to {}", from, to);
}

std::string RandomTree::remove() {
  const std::string path = some_file();
  if (path.empty()) return "";
  kept_.emplace_back(path, read(path));
  fs::remove(root() / path);
  return "remove " + path;
}

std::string RandomTree::remove_folder() {
  const std::string path = some_folder();
  if (path.empty() || !fs::is_directory(root() / path)) return "";
  fs::remove_all(root() / path);
  return "remove folder " + path;
}

std::string RandomTree::rename() {
  const std::string from = some_file();
  if (from.empty()) return "";
  std::string to;
  switch (below(3)) {
    case 0:
      to = some_new_path();
      break;
    case 1:
      to = (fs::path(some_folder()) / fs::path(from).filename()).string();
      break;
    default:
      to = fs::path(from).replace_extension(pick(kExtensions)).string();
  }
  if (!is_free(to)) return "";
  fs::create_directories((root() / to).parent_path());
  fs::rename(root() / from, root() / to);
  if (chance(30)) age(to);
  std::string also;
  if (chance(20)) {  // changed on the way
    put(to, read(to) + lines_for(to));
    also = " and append";
  }
  return fmt::format("rename {} to {}{}", from, to, also);
}

std::string RandomTree::rename_folder() {
  const std::string from = some_folder();
  const std::string to = chance(60) ? some_folder() : "moved" + std::to_string(below(3));
  if (from.empty() || to.empty() || to.starts_with(from + "/") ||
      !fs::is_directory(root() / from) || !is_free(to)) {
    return "";
  }
  fs::create_directories((root() / to).parent_path());
  fs::rename(root() / from, root() / to);
  return fmt::format("rename folder {} to {}", from, to);
}

std::string RandomTree::swap() {
  const std::string a = some_file(), b = some_file();
  if (a.empty() || a == b) return "";
  const fs::path aside = root() / "aside.tmp";
  fs::rename(root() / a, aside);
  fs::rename(root() / b, root() / a);
  fs::rename(aside, root() / b);
  return fmt::format("swap {} and {}", a, b);
}

std::string RandomTree::change_case() {
  const std::string from = some_file();
  if (from.empty()) return "";
  const std::size_t at = from.rfind('/') + 1;
  std::string to = from;
  to[at] = static_cast<char>(to[at] ^ 0x20);
  const char lower = static_cast<char>(to[at] | 0x20);
  if (lower < 'a' || lower > 'z' || !is_free(to)) return "";
  fs::rename(root() / from, root() / to);
  return fmt::format("change the case of {}", from);
}

std::string RandomTree::touch() {
  const std::string path = some_file();
  if (path.empty()) return "";
  age(path);
  return "touch " + path;
}

std::string RandomTree::change_ignore_file() {
  static const std::vector<std::string> kRules = {
      "build/",       "*.md",           "src/lib/", "/docs",  "!docs/", "util.*", "**/deep/**",
      "py/pkg/*",     "!__init__.py",   "*.min.js", "tests",  "Store*", "*.json", "!tsconfig.json",
      "node_modules", "packages/*/lib", "web/*.ts", "*.json", "!*"};
  const std::string folder = chance(60) ? "" : some_folder();
  const std::string path =
      (fs::path(folder) / (chance(50) ? ".gitignore" : ".codexmemignore")).string();
  if (!is_free(path) && !fs::is_regular_file(root() / path)) return "";
  if (fs::exists(root() / path) && chance(40)) {
    fs::remove(root() / path);
    return "remove " + path;
  }
  if (!is_free(path) && !fs::exists(root() / path)) return "";
  std::string rules;
  for (std::size_t i = 1 + below(3); i > 0; --i) rules += pick(kRules) + "\n";
  put(path, rules);
  std::replace(rules.begin(), rules.end(), '\n', ' ');
  return fmt::format("write {}: {}", path, rules);
}

std::string RandomTree::change_configuration() {
  static const std::vector<std::pair<std::string, std::vector<std::string>>> kFiles = {
      {"tsconfig.json",
       {R"({"compilerOptions": {"baseUrl": ".", "paths": {"@/*": ["src/*"]}}})",
        R"({"compilerOptions": {"baseUrl": "src", "paths": {"@/*": ["lib/*", "web/*"]}}})",
        R"({"extends": "./tsconfig.base.json"})", R"({"extends": "./config/shared.json"})",
        R"({"references": [{"path": "./tsconfig.web.json"}]})", "{"}},
      {"tsconfig.base.json",
       {R"({"compilerOptions": {"paths": {"shared/*": ["./packages/alpha/src/*"]}}})",
        R"({"compilerOptions": {"paths": {"shared/*": ["./src/lib/*"]}}})"}},
      {"config/shared.json",
       {R"({"compilerOptions": {"baseUrl": "..", "paths": {"@/*": ["src/*"]}}})",
        R"({"compilerOptions": {"paths": {"@/*": ["../src/lib/*", "../web/*"]}}})"}},
      {"tsconfig.web.json",
       {R"({"compilerOptions": {"paths": {"~/*": ["./web/*"]}}})",
        R"({"compilerOptions": {"paths": {"~/*": ["./src/*"]}}})"}},
      {"src/tsconfig.json",
       {R"({"compilerOptions": {"paths": {"@/*": ["./lib/deep/*"]}}})",
        R"({"extends": "../tsconfig.base.json"})"}},
      {"package.json",
       {R"({"name": "root", "workspaces": ["packages/*"]})", R"({"name": "root"})",
        R"({"name": "root", "imports": {"#own/*": "./src/lib/*.ts"}})",
        R"({"name": "root", "imports": {"#own/*": "./web/*.js"}, "workspaces": ["packages/alpha"]})"}},
      {"packages/alpha/package.json",
       {R"({"name": "alpha", "main": "src/index.ts"})",
        R"({"name": "alpha", "main": "lib/util.js"})",
        R"({"name": "alpha", "exports": {".": "./src/app.ts", "./*": "./src/*.ts"}})",
        R"({"name": "other"})"}},
      {"packages/beta/package.json",
       {R"({"name": "@scope/beta"})", R"({"name": "@scope/beta", "exports": {"./*": "./*.js"}})"}},
      {"pnpm-workspace.yaml", {"packages:\n  - 'packages/*'\n", "packages: []\n"}},
      {"pyproject.toml",
       {"[tool.setuptools]\npackage-dir = {\"\" = \"py\"}\n", "[project]\nname = \"x\"\n"}},
      {"py/pyproject.toml", {"[project]\nname = \"pkg\"\n"}},
      {"setup.cfg", {"[options]\npackage_dir =\n    = py\n", "[metadata]\nname = x\n"}},
      {"py/setup.py", {"from setuptools import setup\nsetup(name='pkg')\n"}},
  };
  // The first four, which most imports go through, more often.
  const auto& [path, texts] = kFiles[chance(50) ? below(4) : below(kFiles.size())];
  if (!is_free(path) && !fs::is_regular_file(root() / path)) return "";
  if (fs::exists(root() / path) && chance(15)) {
    fs::remove(root() / path);
    return "remove " + path;
  }
  const std::string& text = pick(texts);
  put(path, text);
  return fmt::format("write {}: {}", path, text.substr(0, text.find('\n')));
}

std::string RandomTree::toggle_package() {
  static const std::vector<std::string> kPackages = {"py/pkg", "py/pkg/sub", "py/other", "py",
                                                     "py/pkg/sub/deeper"};
  const std::string path = pick(kPackages) + "/__init__.py";
  if (fs::is_regular_file(root() / path)) {
    fs::remove(root() / path);
    return "remove " + path;
  }
  if (!is_free(path)) return "";
  put(path, chance(50) ? "" : text_for(path));
  return "create " + path;
}

std::string RandomTree::become_large() {
  const std::string path = some_file();
  if (path.empty()) return "";
  std::string bytes = read(path);
  kept_.emplace_back(path, bytes);
  bytes += std::string(kLargeFile + below(20), '\n');
  put(path, bytes);
  return "make too large " + path;
}

std::string RandomTree::change_lock() {
  const std::string path = fmt::format("locks/{}.txt", below(4));
  if (fs::exists(root() / path) && chance(30)) {
    fs::remove(root() / path);
    return "delete " + path;
  }
  std::string text;
  for (const std::size_t size = 50'000 + below(950'000); text.size() < size;) {
    constexpr std::string_view kLetters =  // of base64, as checksums have them
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (std::size_t i = 8 + below(80); i > 0; --i) text += kLetters[below(kLetters.size())];
    text += chance(50) ? ' ' : '\n';
  }
  put(path, text);
  return fmt::format("write {} bytes to {}", text.size(), path);
}

std::string RandomTree::become_binary() {
  const std::string path = some_file();
  if (path.empty()) return "";
  std::string bytes = read(path);
  kept_.emplace_back(path, bytes);
  bytes.insert(below(std::min<std::size_t>(bytes.size(), 100) + 1), 1, '\0');
  put(path, bytes);
  return "make binary " + path;
}

std::string RandomTree::become_link() {
  const std::string path = some_file();
  if (path.empty()) return "";
  kept_.emplace_back(path, read(path));
  fs::remove(root() / path);
  fs::create_symlink(chance(50) ? root() / some_path() : fs::path("../" + some_path()),
                     root() / path);
  return "make a link " + path;
}

std::string RandomTree::become_folder() {
  const std::string path = some_file();
  if (path.empty()) return "";
  kept_.emplace_back(path, read(path));
  fs::remove(root() / path);
  const std::string inside = path + "/" + some_name() + ".ts";
  put(inside, text_for(inside));
  return "make a folder " + path;
}

std::string RandomTree::toggle_generated() {
  const std::string path = some_file();
  if (path.empty() || !is_script(path)) return "";
  const std::string mark = "// @generated\n";
  const std::string bytes = read(path);
  put(path, bytes.starts_with(mark) ? bytes.substr(mark.size()) : mark + bytes);
  return "toggle generated " + path;
}

std::string RandomTree::toggle_mode() {
  const std::string path = some_file();
  if (path.empty()) return "";
  fs::permissions(root() / path, fs::perms::owner_exec, fs::perm_options::add);
  return "chmod " + path;
}

// What was there comes back, with or without its old time, perhaps in the place of a link or
// folder.
std::string RandomTree::restore() {
  if (kept_.empty()) return "";
  const auto [path, bytes] = pick(kept_);
  if (fs::symlink_status(root() / path).type() != fs::file_type::not_found) {
    fs::remove_all(root() / path);
  }
  if (!is_free(path)) return "";
  put(path, bytes);
  return "restore " + path;
}

// All files are again as they were at the last switch; these are kept for the next one.
std::string RandomTree::switch_branch() {
  const auto is_file = [&](const std::string& path) {
    return fs::is_regular_file(fs::symlink_status(root() / path));
  };
  std::map<std::string, std::string> here;
  for (const std::string& path : list_files()) {
    if (is_file(path)) here.emplace(path, read(path));
  }
  const auto there = std::exchange(branch_, here);
  if (there.empty()) return "begin a branch";
  for (const auto& [path, bytes] : here) {
    if (!there.contains(path)) fs::remove(root() / path);
  }
  for (const auto& [path, bytes] : there) {
    const auto now = here.find(path);
    if (now == here.end() ? is_free(path) : now->second != bytes) put(path, bytes);
  }
  return "switch the branch";
}

std::string RandomTree::git_index() {
  if (!has_git_) return "";
  if (chance(50)) {
    tree_.git("add -A");
    return "git add -A";
  }
  const std::string path = some_file();
  if (path.empty()) return "";
  if (chance(50)) {
    tree_.git("add -f -- '" + path + "'");
    return "git add -f " + path;
  }
  tree_.git("rm -q --cached -- '" + path + "'");
  return "git rm --cached " + path;
}

std::string RandomTree::toggle_nested_repository() {
  const std::string folder = chance(50) ? "packages" : "py";
  const fs::path git = root() / folder / ".git";
  if (fs::exists(git)) {
    fs::remove_all(git);
    return "end the repository " + folder;
  }
  if (!fs::is_directory(root() / folder)) return "";
  tree_.git("init -q", folder);
  return "begin a repository " + folder;
}

}  // namespace codexmem::index
