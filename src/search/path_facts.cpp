// Tested by search/path_facts_test.cpp.
#include "search/path_facts.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <system_error>

#include "base/ascii.h"
#include "config/path_kind.h"
#include "base/path.h"
#include "base/text.h"
#include "parse/rules/languages.h"
#include "text/words.h"

namespace codexmem::search {
namespace {

constexpr double kLegacyOrGenerated = 0.4;
constexpr double kSuperseded = 0.5;
constexpr double kOtherPlatform = 0.8;
constexpr double kConfigurationPrior = 0.4;
constexpr double kProsePrior = 0.5;
constexpr std::size_t kDirectoriesRead = 3;

// Code for operating systems other than this program's ranks below its counterpart.
#if defined(_WIN32)
constexpr std::array<std::string_view, 5> kOtherPlatforms = {"unix", "posix", "linux", "macos",
                                                             "darwin"};
#elif defined(__APPLE__)
constexpr std::array<std::string_view, 4> kOtherPlatforms = {"win", "win32", "windows", "linux"};
#else
constexpr std::array<std::string_view, 6> kOtherPlatforms = {"win",   "win32",  "windows",
                                                             "macos", "darwin", "osx"};
#endif
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

// The number in a folder name that is `v` and one to three digits.
std::optional<int> version_of(std::string_view name) {
  if (name.size() < 2 || name.size() > 4 || name.front() != 'v') return std::nullopt;
  int version = 0;
  const auto [end, error] = std::from_chars(name.data() + 1, name.data() + name.size(), version);
  if (error != std::errc() || end != name.data() + name.size()) return std::nullopt;
  return version;
}

// True for what completes a command in a shell: completions/_tool, etc/completion.bash.
bool is_shell_completion(std::string_view path) {
  const std::string_view name = file_name(path);
  const std::size_t dot = name.rfind('.');
  const std::string_view extension = dot == std::string_view::npos ? "" : name.substr(dot);
  return is_one_of(extension, {"", ".bash", ".elv", ".fish", ".nu", ".ps1", ".sh", ".zsh"}) &&
         to_lower_ascii(path).find("completion") != std::string::npos;
}

// Calls f(the path before it, its number) for each version folder in `path`.
template <typename F>
void for_each_version(std::string_view path, F&& f) {
  std::size_t begin = 0;
  for (const std::string_view directory : directories_of(path)) {
    if (const auto version = version_of(directory)) f(path.substr(0, begin), *version);
    begin += directory.size() + 1;
  }
}

}  // namespace

std::vector<PathCut> path_cuts(std::string_view path) {
  std::vector<PathCut> cuts;
  if (is_test_path(path)) {
    cuts.push_back({kTestFactor, ""});
  } else if (const std::string_view folder = example_folder(path); !folder.empty()) {
    cuts.push_back({kTestFactor, stem(folder)});
  }
  if (const std::string_view folder = legacy_folder(path); !folder.empty()) {
    cuts.push_back({kLegacyOrGenerated, stem(folder)});
  } else if (!generated_name(path).empty() || path.ends_with(".d.ts")) {
    cuts.push_back({kLegacyOrGenerated, ""});
  } else if (is_shell_completion(path)) {
    cuts.push_back({kLegacyOrGenerated, stem("completion")});
  }
  for (const std::string_view directory : directories_of(path)) {
    const std::string name = to_lower_ascii(directory);
    if (std::ranges::find(kOtherPlatforms, name) == kOtherPlatforms.end()) continue;
    cuts.push_back({kOtherPlatform, stem(name)});
    break;
  }
  return cuts;
}

double language_prior(std::string_view language) {
  if (is_data_language(language)) return kConfigurationPrior;
  return is_text_language(language) ? kProsePrior : 1;
}

bool is_data_language(std::string_view language) {
  const parse::Language* known = parse::find_language(language);
  return known != nullptr && known->is_configuration;
}

bool is_text_language(std::string_view language) {
  const parse::Language* known = parse::find_language(language);
  return known != nullptr && (known->is_configuration || known->is_prose);
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

bool is_in_version_folder(std::string_view path) {
  bool is = false;
  for_each_version(path, [&](std::string_view, int) { is = true; });
  return is;
}

std::vector<std::string> base_name_stems(std::string_view path) {
  std::vector<std::string> stems;
  add_stems(file_stem(path), &stems);
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
    if (is_alnum(c)) reduced += c;
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
