// serve/repository.h - finds the repository of a command.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "base/result.h"
#include "config/settings.h"
#include "store/code/workspace.h"

namespace codexmem::serve {

/// The root of the repository around `start`: the nearest folder at or above it that contains .git
/// or has an index of this user (store/code/store_directory.h), otherwise `start` itself. Absolute.
/// Errors: kInvalidArgument when `start` is not a directory.
Result<std::filesystem::path> find_root(const std::filesystem::path& start);

/// The root of the index that contains commits around `folder`: the repository's own or, without
/// one, the index of a larger repository around it; otherwise find_root(). A hook updates that
/// index and does not create a second one.
Result<std::filesystem::path> find_index_around(const std::filesystem::path& folder);

/// True if `root` contains .git or has an index of this user.
bool has_repository(const std::filesystem::path& root);

/// find_root() for callers that create a missing index. Errors: as find_root(); kInvalidArgument in
/// places where no repository should be created: `/`, the home directory, above it, among keys
/// (serve/served_repositories.h).
Result<std::filesystem::path> find_root_to_index(const std::filesystem::path& start);

/// The directory where a command starts: `given`, or the current one if it is empty.
std::filesystem::path start_directory(const std::string& given);

/// The files that may contain settings for the repository around `start`; empty `start`: only the
/// user's.
SettingFiles setting_files(const std::filesystem::path& start);

/// The settings that apply there. Problems in the files are logged as warnings.
Settings load_settings(const std::filesystem::path& start);

/// The index of the repository around `start`. Errors: kNotFound, with a hint, if it does not
/// exist; as the store.
Result<std::unique_ptr<store::Workspace>> open_index(const std::filesystem::path& start);

/// True if the index has every file (index::has_complete_index). Also false if it cannot be read.
bool has_complete_index(store::Workspace& workspace);

/// `path`, as typed in the directory `start`, relative to `root` with `/` between names; unchanged
/// if it is outside.
std::string relative_to_root(const std::filesystem::path& root, const std::filesystem::path& start,
                             const std::string& path);

}  // namespace codexmem::serve
