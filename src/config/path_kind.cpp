// Search was tuned with these folder names; files with a name of generated files get no vectors.
// Tested by config/path_kind_test.cpp.
#include "config/path_kind.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "base/ascii.h"
#include "base/path.h"
#include "base/text.h"

namespace codexmem {
namespace {

using Names = std::span<const std::string_view>;

constexpr std::string_view kTestFolders[] = {
    "test",    "tests",    "__tests__", "spec", "specs", "testing",   "testdata",    "test_data",
    "fixture", "fixtures", "e2e",       "mock", "mocks", "__mocks__", "__fixtures__"};
constexpr std::string_view kExampleFolders[] = {
    "example",   "examples",   "_example", "_examples",  "docs_src", "doc_src",
    "doc",       "docs",       "demo",     "demos",      "sample",   "samples",
    "benchmark", "benchmarks", "bench",    "playground", "sandbox"};
constexpr std::string_view kLegacyFolders[] = {"compat",         "_compat",   "legacy",
                                               "deprecated",     "vendor",    "third_party",
                                               "single_include", "generated", "node_modules"};
constexpr std::string_view kInstalledFolders[] = {"node_modules"};

constexpr std::string_view kTestEndings[] = {"_test",   "_tests", "_spec", ".test", ".spec",
                                             ".test-d", "-test",  "-spec", "Test",  "Tests"};
// Maven's layout: the program's code is below src/main, and its tests are in a sibling folder.
// Kotlin's and Android's source sets are src/commonMain, src/commonTest, src/androidTest.
constexpr std::string_view kBuiltFolder = "src/main/";
constexpr std::string_view kSourceFolder = "src";
constexpr std::string_view kLibraryForTests = "testing";  // as the name of a module
constexpr std::string_view kTestSet = "Test";
// Test projects: Orders.Tests/, OrdersTests/, Orders.Test/.
constexpr std::string_view kTestProject = "Tests", kTestProjectAfterDot = ".Test";

constexpr std::string_view kLockFiles[] = {"package-lock.json", "npm-shrinkwrap.json",
                                           "yarn.lock",         "pnpm-lock.yaml",
                                           "bun.lock",          "deno.lock",
                                           "poetry.lock",       "pipfile.lock",
                                           "uv.lock",           "pdm.lock",
                                           "cargo.lock",        "composer.lock",
                                           "gemfile.lock",      "go.sum",
                                           "flake.lock",        "podfile.lock",
                                           "pubspec.lock",      "packages.lock.json",
                                           "mix.lock",          "pixi.lock"};
constexpr std::string_view kChangelogs[] = {"changes",  "news",          "history",
                                            "releases", "release_notes", "release-notes"};
constexpr std::string_view kProseEndings[] = {"", ".md", ".mdx", ".rst", ".txt", ".adoc", ".org"};
constexpr std::string_view kMinifiedEndings[] = {".min.js", ".min.mjs", ".min.cjs",  ".min.css",
                                                 "-min.js", "-min.css", ".bundle.js"};
constexpr std::string_view kGeneratedEndings[] = {"_pb2.py", "_pb2.pyi", "_pb2_grpc.py", "_pb.js",
                                                  "_pb.ts",  "_pb.d.ts", ".pb.go",       ".pb.ts",
                                                  ".map",    ".snap"};

bool is_same(std::string_view text, std::string_view lower) {
  return std::ranges::equal(text, lower, {}, to_lower);
}

bool ends_with(std::string_view text, std::string_view lower) {
  return text.size() >= lower.size() && is_same(text.substr(text.size() - lower.size()), lower);
}

// The first folder of `path` whose name is in `names`; "" if not found.
std::string_view find_folder(std::string_view path, Names names) {
  for (std::size_t slash = path.find('/'); slash != std::string_view::npos;
       slash = path.find('/')) {
    const std::string_view folder = path.substr(0, slash);
    const auto found =
        std::ranges::find_if(names, [&](std::string_view name) { return is_same(folder, name); });
    if (found != names.end()) return *found;
    path.remove_prefix(slash + 1);
  }
  return {};
}

// The part of `path` before the folder of the program's code, and whether it has such a folder.
std::pair<std::string_view, bool> before_built_folder(std::string_view path) {
  for (std::size_t at = path.find(kBuiltFolder); at != std::string_view::npos;
       at = path.find(kBuiltFolder, at + 1)) {
    if (at == 0 || path[at - 1] == '/') return {path.substr(0, at), true};
  }
  return {path, false};
}

bool is_lower_or_digit(char c) { return is_alnum(c) && c == to_lower(c); }

// True for a source set (src/jvmTest) or a project (Orders.Tests) of tests, judged by upper and
// lower case in its name.
bool is_test_set(std::string_view parent, std::string_view folder) {
  const auto ends = [&](std::string_view end) {
    return folder.size() > end.size() && folder.ends_with(end);
  };
  if (ends(kTestProjectAfterDot)) return true;
  if (ends(kTestProject)) {
    const char before = folder[folder.size() - kTestProject.size() - 1];
    return is_alnum(before) || before == '.';
  }
  return parent == kSourceFolder && ends(kTestSet) &&
         is_lower_or_digit(folder[folder.size() - kTestSet.size() - 1]);
}

bool has_test_set(std::string_view path) {
  std::string_view parent;
  for (std::size_t slash = path.find('/'); slash != std::string_view::npos;
       slash = path.find('/')) {
    const std::string_view folder = path.substr(0, slash);
    if (is_test_set(parent, folder)) return true;
    parent = folder;
    path.remove_prefix(slash + 1);
  }
  return false;
}

bool is_in_test_folder(std::string_view path) {
  const auto [before, is_built] = before_built_folder(path);
  const std::string_view folder = find_folder(before, kTestFolders);
  if (!folder.empty()) return !is_built || folder != kLibraryForTests;
  return !is_built && has_test_set(path);
}

// Test runners find tests by file names with an extension; `bats-exec-test` is a command.
bool has_test_name(std::string_view path) {
  const std::string_view stem = file_stem(path);
  if (stem.size() == file_name(path).size()) return false;
  return stem.starts_with("test_") || stem == "conftest" ||
         std::ranges::any_of(kTestEndings,
                             [&](std::string_view end) { return stem.ends_with(end); });
}

}  // namespace

bool is_test_path(std::string_view path) {
  return is_in_test_folder(path) || is_test_by_name(path);
}

bool is_test_by_name(std::string_view path) {
  return has_test_name(path) && !before_built_folder(path).second && !is_in_test_folder(path);
}

bool is_secondary_path(std::string_view path) {
  return is_test_path(path) || !example_folder(path).empty() ||
         !find_folder(path, kInstalledFolders).empty();
}

std::string_view example_folder(std::string_view path) {
  return find_folder(path, kExampleFolders);
}

std::string_view legacy_folder(std::string_view path) { return find_folder(path, kLegacyFolders); }

std::string_view generated_name(std::string_view path) {
  const std::string_view name = file_name(path);
  const auto ends_with_one_of = [&](Names endings) {
    return std::ranges::any_of(endings, [&](std::string_view end) { return ends_with(name, end); });
  };
  if (std::ranges::any_of(kLockFiles, [&](std::string_view file) { return is_same(name, file); })) {
    return "lock file";
  }
  if (ends_with_one_of(kMinifiedEndings)) return "minified";
  return ends_with_one_of(kGeneratedEndings) ? "generated" : "";
}

bool is_changelog(std::string_view path) {
  const std::string name = to_lower_ascii(file_name(path));
  const std::string_view stem = file_stem(name);
  const auto is_one_of = [](std::string_view text, Names names) {
    return std::ranges::find(names, text) != names.end();
  };
  return is_one_of(std::string_view(name).substr(stem.size()), kProseEndings) &&
         (stem.find("changelog") != std::string_view::npos || is_one_of(stem, kChangelogs));
}

bool is_header_path(std::string_view path) {
  return file_name(path).substr(file_stem(path).size()).starts_with(".h");
}

}  // namespace codexmem
