// Tested by search/path_facts_test.cpp.
#include "search/path_facts.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <span>
#include <system_error>

#include "base/text.h"
#include "text/words.h"

namespace codexmem::search {
namespace {

using Names = std::span<const std::string_view>;

constexpr double kTestOrExample = 0.4;
constexpr double kLegacyOrGenerated = 0.4;
constexpr double kSuperseded = 0.5;
constexpr double kOtherPlatform = 0.8;
constexpr std::size_t kDirectoriesRead = 3;

constexpr std::array<std::string_view, 13> kTestDirectories = {
    "test",    "tests",    "__tests__", "spec", "specs", "testing",  "testdata",
    "fixture", "fixtures", "e2e",       "mock", "mocks", "__mocks__"};
constexpr std::array<std::string_view, 17> kExampleDirectories = {
    "example",   "examples",   "_example", "_examples",  "docs_src", "doc_src",
    "doc",       "docs",       "demo",     "demos",      "sample",   "samples",
    "benchmark", "benchmarks", "bench",    "playground", "sandbox"};
constexpr std::array<std::string_view, 8> kLegacyDirectories = {
    "compat", "_compat",     "legacy",         "deprecated",
    "vendor", "third_party", "single_include", "generated"};
// Code for other systems than the one that this program is built for stands below its twin.
#if defined(_WIN32)
constexpr std::array<std::string_view, 5> kOtherPlatforms = {"unix", "posix", "linux", "macos",
                                                             "darwin"};
#elif defined(__APPLE__)
constexpr std::array<std::string_view, 4> kOtherPlatforms = {"win", "win32", "windows", "linux"};
#else
constexpr std::array<std::string_view, 6> kOtherPlatforms = {"win",   "win32",  "windows",
                                                             "macos", "darwin", "osx"};
#endif
constexpr std::array<std::string_view, 9> kTestEndings = {
    "_test", "_tests", "_spec", ".test", ".spec", "-test", "-spec", "Test", "Tests"};
constexpr std::array<std::string_view, 4> kGeneratedEndings = {".d.ts", ".min.js", "_pb2.py",
                                                               ".pb.go"};

bool is_one_of(Names names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

bool ends_with_one_of(Names endings, std::string_view text) {
  return std::ranges::any_of(endings, [&](std::string_view end) { return text.ends_with(end); });
}

std::vector<std::string_view> directories_of(std::string_view path) {
  std::vector<std::string_view> parts = split(path, '/');
  parts.pop_back();
  return parts;
}

void add_stems(std::string_view text, std::vector<std::string>* stems) {
  for_each_word(text, [&](const Word& word) {
    std::string one = stem(word.text);
    if (std::ranges::find(*stems, one) == stems->end()) stems->push_back(std::move(one));
  });
}

// The first directory of `path` that is one of `names`, in lower case.
std::optional<std::string> find_directory(std::string_view path, Names names) {
  for (const std::string_view directory : directories_of(path)) {
    std::string name = to_lower_ascii(directory);
    if (is_one_of(names, name)) return name;
  }
  return std::nullopt;
}

// The number in a directory's name that is `v` and one to three digits.
std::optional<int> version_of(std::string_view name) {
  if (name.size() < 2 || name.size() > 4 || name.front() != 'v') return std::nullopt;
  int version = 0;
  const auto [end, error] = std::from_chars(name.data() + 1, name.data() + name.size(), version);
  if (error != std::errc() || end != name.data() + name.size()) return std::nullopt;
  return version;
}

// Calls f(the path before it, its number) for each directory of `path` that is a version.
template <typename F>
void for_each_version(std::string_view path, F&& f) {
  std::size_t begin = 0;
  for (const std::string_view directory : directories_of(path)) {
    if (const auto version = version_of(directory)) f(path.substr(0, begin), *version);
    begin += directory.size() + 1;
  }
}

}  // namespace

std::string_view base_name_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  std::string_view name = slash == std::string_view::npos ? path : path.substr(slash + 1);
  const std::size_t dot = name.rfind('.');
  return dot == std::string_view::npos || dot == 0 ? name : name.substr(0, dot);
}

bool is_test_path(std::string_view path) {
  const std::string_view base = base_name_of(path);
  return find_directory(path, kTestDirectories).has_value() || base.starts_with("test_") ||
         base == "conftest" || ends_with_one_of(kTestEndings, base);
}

std::vector<PathCut> path_cuts(std::string_view path) {
  std::vector<PathCut> cuts;
  if (is_test_path(path)) {
    cuts.push_back({kTestOrExample, ""});
  } else if (const auto name = find_directory(path, kExampleDirectories)) {
    cuts.push_back({kTestOrExample, stem(*name)});
  }
  if (const auto name = find_directory(path, kLegacyDirectories)) {
    cuts.push_back({kLegacyOrGenerated, stem(*name)});
  } else if (ends_with_one_of(kGeneratedEndings, path)) {
    cuts.push_back({kLegacyOrGenerated, ""});
  }
  if (const auto name = find_directory(path, kOtherPlatforms)) {
    cuts.push_back({kOtherPlatform, stem(*name)});
  }
  return cuts;
}

void VersionFolders::add(std::string_view path) {
  for_each_version(path, [&](std::string_view parent, int version) {
    const auto [at, is_new] = newest_.try_emplace(std::string(parent), version);
    if (!is_new) at->second = std::max(at->second, version);
  });
}

PathCut VersionFolders::cut_of(std::string_view path) const {
  PathCut cut;
  for_each_version(path, [&](std::string_view parent, int version) {
    const auto newest = newest_.find(parent);
    if (newest == newest_.end() || newest->second <= version) return;
    cut = {kSuperseded, "v" + std::to_string(version)};
  });
  return cut;
}

std::vector<std::string> base_name_stems(std::string_view path) {
  std::vector<std::string> stems;
  add_stems(base_name_of(path), &stems);
  return stems;
}

std::vector<std::string> directory_stems(std::string_view path) {
  std::vector<std::string> stems;
  const auto directories = directories_of(path);
  const std::size_t count = std::min(directories.size(), kDirectoriesRead);
  for (std::size_t i = directories.size() - count; i < directories.size(); ++i) {
    add_stems(directories[i], &stems);
  }
  return stems;
}

std::string reduced_name(std::string_view name) {
  std::string reduced;
  for (const char c : to_lower_ascii(name)) {
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) reduced += c;
  }
  return reduced;
}

bool has_extension(std::string_view path, const std::vector<std::string>& extensions) {
  if (extensions.empty()) return true;
  const std::string lower = to_lower_ascii(path);
  return std::ranges::any_of(extensions, [&](const std::string& given) {
    std::string wanted = to_lower_ascii(trim(given));
    if (wanted.starts_with('*')) wanted.erase(0, 1);
    if (wanted.empty()) return false;
    if (wanted.front() != '.') wanted.insert(0, 1, '.');
    return lower.ends_with(wanted);
  });
}

}  // namespace codexmem::search
