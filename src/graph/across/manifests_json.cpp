// Manifests in JSON: package.json and composer.json.
// Tested by graph/across_test.cpp.
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "graph/across/published.h"
#include "text/json.h"
#include "text/json_comments.h"

namespace codexmem::graph {
namespace {

std::optional<Json> manifest_object(const std::string& text) {
  Json json = Json::parse(strip_json_comments(text), nullptr, false);
  if (!json.is_object()) return std::nullopt;
  return json;
}

std::string manifest_text(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

void add_required(const Json& object, const char* field, Manifest& manifest) {
  const auto found = object.find(field);
  if (found == object.end() || !found->is_object()) return;
  for (const auto& [name, version] : found->items()) {
    if (version.is_string()) manifest.required.emplace(name, version.get<std::string>());
  }
}

}  // namespace

std::optional<Manifest> read_npm_manifest(std::string_view folder, const std::string& text) {
  const auto json = manifest_object(text);
  if (!json) return std::nullopt;
  Manifest manifest = begin_manifest(Ecosystem::kNpm, folder);
  PublishedPackage& package = manifest.package;
  package.name = manifest_text(*json, "name");
  package.version = manifest_text(*json, "version");
  const auto hidden = json->find("private");
  // Without a version nothing can be published.
  package.is_private = package.version.empty() ||
                       (hidden != json->end() && hidden->is_boolean() && hidden->get<bool>());
  if (!package.name.empty()) package.roots.push_back(package.name);
  // Runtime dependencies say more than development ones, so they come first and the first entry
  // counts.
  for (const char* field : {"dependencies", "peerDependencies", "optionalDependencies",
                            "devDependencies", "resolutions", "overrides"}) {
    add_required(*json, field, manifest);
  }
  return manifest;
}

std::optional<Manifest> read_composer_manifest(std::string_view folder, const std::string& text) {
  const auto json = manifest_object(text);
  if (!json) return std::nullopt;
  Manifest manifest = begin_manifest(Ecosystem::kComposer, folder);
  PublishedPackage& package = manifest.package;
  package.name = manifest_text(*json, "name");
  package.version = manifest_text(*json, "version");
  if (const auto autoload = json->find("autoload");
      autoload != json->end() && autoload->is_object()) {
    for (const char* field : {"psr-4", "psr-0"}) {
      const auto prefixes = autoload->find(field);
      if (prefixes == autoload->end() || !prefixes->is_object()) continue;
      for (const auto& [prefix, folders] : prefixes->items()) {
        std::string root = prefix;
        while (root.ends_with('\\')) root.pop_back();
        if (!root.empty()) package.roots.push_back(std::move(root));
      }
    }
  }
  for (const char* field : {"require", "require-dev"}) add_required(*json, field, manifest);
  return manifest;
}

}  // namespace codexmem::graph
