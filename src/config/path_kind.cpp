// The folders are those that search was tuned with; the names of what programs write are those that
// get no vectors. Tested by config/path_kind_test.cpp.
#include "config/path_kind.h"

#include <algorithm>
#include <span>

#include "base/ascii.h"
#include "base/path.h"

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

constexpr std::string_view kTestEndings[] = {"_test", "_tests",  "_spec",  ".test",
                                             ".spec", ".test-d", "-test",  "-spec",
                                             "Test",  "Tests",   ".test-d"};

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

// The first folder of `path` that is one of `names`; "" when none is.
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

}  // namespace

bool is_test_path(std::string_view path) {
  if (!find_folder(path, kTestFolders).empty()) return true;
  const std::string_view stem = file_stem(path);
  return stem.starts_with("test_") || stem == "conftest" ||
         std::ranges::any_of(kTestEndings,
                             [&](std::string_view end) { return stem.ends_with(end); });
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

}  // namespace codexmem
