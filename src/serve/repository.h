// serve/repository.h - which repository a command works on.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "base/result.h"
#include "config/settings.h"
#include "store/code/workspace.h"

namespace codexmem::serve {

/// The root of the repository around `start`: the nearest folder at or above it that holds .git or
/// has an index of this user (store/code/store_directory.h), else `start` itself. Absolute. Errors:
/// kNotFound when `start` is no directory.
Result<std::filesystem::path> find_root(const std::filesystem::path& start);

/// The root of the index that holds what is committed around `folder`: that of its repository or,
/// if it has none of its own, of a larger one around it; else find_root(). A hook brings that up to
/// date and begins no index beside it.
Result<std::filesystem::path> find_index_around(const std::filesystem::path& folder);

/// True if `root` holds .git or has an index of this user.
bool has_repository(const std::filesystem::path& root);

/// find_root(), for who makes an index where there is none. Errors: those of find_root();
/// kInvalidArgument where no repository should be begun: `/`, the home directory, above it, among
/// keys (serve/served_repositories.h).
Result<std::filesystem::path> find_root_to_index(const std::filesystem::path& start);

/// The directory that a command starts from: `given`, or the current one when it is empty.
std::filesystem::path start_directory(const std::string& given);

/// Where settings of the repository around `start` may be set; empty `start`: of the user alone.
SettingFiles setting_files(const std::filesystem::path& start);

/// The settings that hold there. What is wrong in the files is told in warnings.
Settings load_settings(const std::filesystem::path& start);

/// The index of the repository around `start`. Errors: kNotFound, with the cure, when there is
/// none; those of the store.
Result<std::unique_ptr<store::Workspace>> open_index(const std::filesystem::path& start);

/// Whether the index has every file (index::has_complete_index). False too when it cannot be read.
bool has_complete_index(store::Workspace& workspace);

/// `path`, as it was typed in the directory `start`, relative to `root` with `/` between; as it is
/// when it lies outside.
std::string relative_to_root(const std::filesystem::path& root, const std::filesystem::path& start,
                             const std::string& path);

}  // namespace codexmem::serve
