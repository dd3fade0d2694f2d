// base/path.h - paths as answers show them: relative to the root of a repository. Thread-safe.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace codexmem {

/// `path` as a path below `root`, with "/" between names; "" for the root itself. `path` is
/// absolute or relative to `root`, which is absolute with links resolved. It need not exist.
/// Nothing when it leads outside.
///
/// Links in the folders of an absolute path are followed, but not its last name, so a link in the
/// repository keeps its own name.
std::optional<std::string> path_below(const std::filesystem::path& root,
                                      const std::filesystem::path& path);

/// The path in a "file:" URI of this machine.
std::optional<std::filesystem::path> path_of_uri(std::string_view uri);

/// The folder of `path`: "a/b" of "a/b/c", "" of "c".
std::string_view folder_of(std::string_view path);

/// What follows the last '/' of `path`.
std::string_view file_name(std::string_view path);

/// file_name() without its last extension: "app.test" of "src/app.test.ts", ".eslintrc".
std::string_view file_stem(std::string_view path);

}  // namespace codexmem
