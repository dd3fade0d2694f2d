// Tested by graph/import_resolver_test.cpp.
#include "graph/jvm/jvm_artifacts.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "base/path.h"
#include "base/text.h"

namespace codexmem::graph {
namespace {

constexpr std::size_t kMaxArtifacts = 4096;  // of a file
constexpr std::size_t kMaxProperties = 1024;
constexpr int kMaxNested = 4;          // properties of properties
constexpr std::size_t kNameParts = 3;  // of an import, that may hold the artifact's name

// The folder around `folder`; nothing above the repository.
std::optional<std::string_view> around(std::string_view folder) {
  if (folder.empty()) return std::nullopt;
  return folder_of(folder);
}

// The content of the first element `name` of `text` from `at` on; `at` is moved behind the element.
std::optional<std::string_view> element(std::string_view text, std::string_view name,
                                        std::size_t& at) {
  const std::string open = "<" + std::string(name) + ">";
  const std::size_t begin = text.find(open, at);
  if (begin == std::string_view::npos) return std::nullopt;
  const std::size_t end = text.find("</" + std::string(name) + ">", begin);
  if (end == std::string_view::npos) return std::nullopt;
  at = end + open.size() + 1;
  return trim(text.substr(begin + open.size(), end - begin - open.size()));
}

std::string element_text(std::string_view text, std::string_view name) {
  std::size_t at = 0;
  return std::string(element(text, name, at).value_or(std::string_view()));
}

std::string without_comments(std::string_view text) {
  std::string kept;
  while (!text.empty()) {
    const std::size_t begin = std::min(text.find("<!--"), text.size());
    kept += text.substr(0, begin);
    const std::size_t end = text.find("-->", begin);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 3);
  }
  return kept;
}

// True if the dotted name `path` begins with the dotted name `prefix`.
bool begins_with(std::string_view path, std::string_view prefix) {
  return !prefix.empty() && path.starts_with(prefix) &&
         (path.size() == prefix.size() || path[prefix.size()] == '.');
}

std::vector<std::string_view> words_of(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find_first_of(separators, at), text.size());
    if (end > at) parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

// How many words of an artifact's name the parts of an import are: "lang3" of commons-lang3.
std::size_t shared_words(std::string_view artifact, const std::vector<std::string_view>& parts) {
  std::size_t shared = 0;
  for (const std::string_view word : words_of(artifact, "-._")) {
    if (std::ranges::find(parts, word) != parts.end()) ++shared;
  }
  return shared;
}

}  // namespace

JvmArtifacts::JvmArtifacts(ProjectTree& tree) {
  for (const std::string_view path : tree.list_configs("pom.xml")) read_pom(tree, path);
  for (const std::string_view name : {"build.gradle", "build.gradle.kts"}) {
    for (const std::string_view path : tree.list_configs(name)) read_gradle(tree, path);
  }
}

void JvmArtifacts::read_pom(ProjectTree& tree, std::string_view path) {
  const auto written = tree.read(path);
  if (!written) return;
  const std::string text = without_comments(*written);
  const std::string folder(folder_of(path));
  Properties& properties = properties_[folder];
  std::size_t at = 0;
  if (const auto block = element(text, "properties", at)) {
    std::size_t tries = 0;
    for (std::size_t i = block->find('<'); i != std::string_view::npos; i = block->find('<', i)) {
      if (++tries > kMaxProperties) break;
      const std::size_t end = block->find('>', i);
      if (end == std::string_view::npos) break;
      const std::string_view name = block->substr(i + 1, end - i - 1);
      if (const auto value = element(*block, name, i)) {
        properties.emplace(name, *value);
      } else {
        i = end;
      }
    }
  }
  std::vector<Artifact>& artifacts = artifacts_[folder];
  for (at = 0; artifacts.size() < kMaxArtifacts;) {
    const auto block = element(text, "dependency", at);
    if (!block) break;
    artifacts.push_back({element_text(*block, "groupId"), element_text(*block, "artifactId"),
                         element_text(*block, "version")});
  }
}

void JvmArtifacts::read_gradle(ProjectTree& tree, std::string_view path) {
  const auto text = tree.read(path);
  if (!text) return;
  std::vector<Artifact>& artifacts = artifacts_[std::string(folder_of(path))];
  std::size_t at = 0;
  while (artifacts.size() < kMaxArtifacts) {
    at = text->find_first_of("\"'", at);
    if (at == std::string::npos) break;
    const char until[] = {(*text)[at], '\n', '\0'};
    const std::size_t end = text->find_first_of(until, at + 1);
    if (end == std::string::npos) break;
    if ((*text)[end] == '\n') {  // an apostrophe
      ++at;
      continue;
    }
    const std::string_view quoted = std::string_view(*text).substr(at + 1, end - at - 1);
    at = end + 1;
    const std::vector<std::string_view> parts = words_of(quoted, ":");
    const bool is_coordinate = parts.size() > 1 && parts.size() < 5 && !quoted.starts_with(':') &&
                               quoted.find_first_of(" \t\n/\\") == std::string_view::npos;
    if (!is_coordinate) continue;
    artifacts.push_back({std::string(parts[0]), std::string(parts[1]),
                         parts.size() > 2 ? std::string(parts[2]) : std::string()});
  }
}

// `text` with its ${properties} put in; empty where one is not known.
std::string JvmArtifacts::filled(std::string_view folder, std::string text) const {
  for (int nested = 0; nested < kMaxNested; ++nested) {
    const std::size_t begin = text.find('$');
    if (begin == std::string::npos) return text;
    const std::size_t end = text.find('}', begin);
    if (end == std::string::npos || text[begin + 1] != '{') return {};
    const std::string name = text.substr(begin + 2, end - begin - 2);
    const std::string* value = nullptr;
    for (std::optional<std::string_view> at = folder; at && value == nullptr; at = around(*at)) {
      const auto known = properties_.find(*at);
      if (known == properties_.end()) continue;
      const auto property = known->second.find(name);
      if (property != known->second.end()) value = &property->second;
    }
    if (value == nullptr) return {};
    text.replace(begin, end + 1 - begin, *value);
  }
  return {};
}

// Its own, else the one that a build above says.
std::string JvmArtifacts::version_of(std::string_view folder, const Artifact& wanted) const {
  for (std::optional<std::string_view> at = folder; at; at = around(*at)) {
    const auto known = artifacts_.find(*at);
    if (known == artifacts_.end()) continue;
    for (const Artifact& artifact : known->second) {
      if (artifact.group != wanted.group || artifact.name != wanted.name) continue;
      const std::string version = filled(*at, artifact.version);
      if (!version.empty()) return version;
    }
  }
  return {};
}

std::string JvmArtifacts::find(std::string_view source, std::string_view path) const {
  const std::vector<std::string_view> parts = words_of(path, ".");
  const auto first_parts = std::span(parts).first(std::min(parts.size(), kNameParts));
  for (std::optional<std::string_view> at = folder_of(source); at; at = around(*at)) {
    const auto known = artifacts_.find(*at);
    if (known == artifacts_.end()) continue;
    const Artifact* best = nullptr;
    std::pair<std::size_t, std::size_t> best_rank;
    bool is_open = false;
    for (const Artifact& artifact : known->second) {
      const bool has_name = std::ranges::find(first_parts, artifact.name) != first_parts.end();
      const bool has_group = begins_with(path, artifact.group);
      if (!has_group && !has_name) continue;
      const std::pair rank(has_group ? artifact.group.size() : 0,
                           shared_words(artifact.name, parts));
      if (best != nullptr && artifact.group == best->group && artifact.name == best->name) continue;
      if (best == nullptr || rank > best_rank) {
        best = &artifact;
        best_rank = rank;
        is_open = false;
      } else if (rank == best_rank) {
        is_open = true;
      }
    }
    if (best == nullptr || is_open) continue;
    const std::string version = version_of(*at, *best);
    return best->group + ":" + best->name + (version.empty() ? "" : "@" + version);
  }
  return {};
}

}  // namespace codexmem::graph
