// base/path.h - paths as answers name them: relative to the root of a repository. Thread-safe.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace codexmem {

/// `path`, which is absolute or relative to `root` (absolute, links resolved), as a path below the
/// root: "/" between names, "" for the root itself. It need not exist. Nothing when it leads out.
///
/// An absolute path may come to the root through links; its last name is not followed, so a link in
/// the repository is named as itself.
std::optional<std::string> path_below(const std::filesystem::path& root,
                                      const std::filesystem::path& path);

/// The folder of `path`: "a/b" of "a/b/c", "" of "c".
std::string_view folder_of(std::string_view path);

/// What follows the last '/' of `path`.
std::string_view file_name(std::string_view path);

/// file_name() without its last extension: "app.test" of "src/app.test.ts", ".eslintrc".
std::string_view file_stem(std::string_view path);

}  // namespace codexmem
