// graph/core/project_tree.h - the snapshot of files that imports are resolved in.
//
// Paths are relative to the root with '/' between; "" is the root folder. One thread.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "graph/imports/import_resolver.h"

namespace codexmem::graph {

/// `folder`/`relative` with "." and ".." resolved; nothing when it leaves the root.
std::optional<std::string> join_path(std::string_view folder, std::string_view relative);

/// The path of `name` in `folder`.
std::string in_folder(std::string_view folder, std::string_view name);

/// True if the last parts of `path` are the parts of `ending`.
bool ends_with_path(std::string_view path, std::string_view ending);

/// True if the file at `path` is called `name`; "*.x" is any that ends so.
bool has_config_name(std::string_view path, std::string_view name);

/// How many folders two paths have in common from the root.
std::size_t shared_folders(std::string_view a, std::string_view b);

class ProjectTree {
 public:
  /// `unindexed` are paths of configuration files besides those among `files`.
  ProjectTree(std::span<const ProjectFile> files, ConfigSource& config,
              std::vector<std::string> unindexed = {}, DeclarationSource* declarations = nullptr);

  /// The file at `path`, or nullptr. Valid as long as the tree.
  const ProjectFile* find(std::string_view path) const;

  /// True when there is a file somewhere below `path`.
  bool has_folder(std::string_view path) const;

  /// The text of a configuration file; nothing without one.
  std::optional<std::string> read(std::string_view path) { return config_->read(path); }

  /// True when there is a configuration file at `path`, indexed or not.
  bool has_config(std::string_view path) const;

  /// Paths of the configuration files whose base name is `name`, or that "*.x" means, indexed or
  /// not, sorted.
  std::vector<std::string_view> list_configs(std::string_view name) const;

  /// Every file, by path.
  std::span<const ProjectFile> files() const { return files_; }

  struct Declared {
    const ProjectFile* file = nullptr;
    Declaration declaration;
  };

  /// The declarations called `name` of files whose imports name declarations, by the paths of their
  /// files; of private ones none. Valid as long as the tree.
  const std::vector<Declared>& declarations(std::string_view name);

  /// The declarations of `family` with the qualified name `path`, such as "a.b.C", if it consists
  /// of containers only.
  std::vector<Declared> declarations_at(std::string_view path, parse::Family family);

  /// The package that a file says to be in.
  const std::string& package_of(const ProjectFile& file);

 private:
  std::vector<ProjectFile> files_;  // by path; never changed, the maps point into it
  std::unordered_map<std::string_view, const ProjectFile*> by_path_;
  std::unordered_set<std::string_view> folders_;
  std::vector<std::string> unindexed_;  // sorted
  ConfigSource* config_;
  DeclarationSource* source_;
  std::unordered_map<std::string, std::vector<Declared>> declarations_;  // by name
  std::unordered_map<const ProjectFile*, std::string> packages_;         // that were asked for
  std::unordered_map<store::FileId, const ProjectFile*> by_id_;          // for declarations
};

}  // namespace codexmem::graph
