// search/path_facts.h - what a path says about its file. Pure; thread-safe.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace codexmem::search {

/// The factor on the score of the file at `path` (relative to the root): 1, times 0.4 when it is a
/// test or an example, times 0.4 when it is legacy or generated. The lists are in docs/search.md.
double path_prior(std::string_view path);

/// True when `path` is a test by its directories or its name.
bool is_test_path(std::string_view path);

/// The distinct stems of the base name without its last extension.
std::vector<std::string> base_name_stems(std::string_view path);

/// The distinct stems of the last three directory names.
std::vector<std::string> directory_stems(std::string_view path);

/// The ASCII letters and digits of `name`, in lower case.
std::string reduced_name(std::string_view name);

/// The base name of `path` without its last extension (`.eslintrc` has none).
std::string_view base_name_of(std::string_view path);

/// True when `path` ends with one of `extensions`, each with or without its dot, ASCII case
/// ignored. None means yes.
bool has_extension(std::string_view path, const std::vector<std::string>& extensions);

}  // namespace codexmem::search
