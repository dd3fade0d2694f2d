// config/path_kind.h - classifies files by their paths; search, graph, index and memory share these
// rules. Pure; thread-safe.
//
// Paths are relative to the root, with '/' between names; ASCII case is ignored in folder names and
// in names of generated files. path_kind.cpp has the lists of names.
#pragma once

#include <string_view>

namespace codexmem {

/// True for a test, a fixture or a mock, by its folders or its name. Code that a program is built
/// from (`src/main/`) is never a test.
bool is_test_path(std::string_view path);

/// True if the extension begins as those of headers do: .h, .hpp, .hxx (and .html, .hs).
bool is_header_path(std::string_view path);

/// True if only the file's name makes it a test.
bool is_test_by_name(std::string_view path);

/// True for files that rank below the source they are about: tests, examples, demos, benchmarks,
/// the code of documentation, and installed packages.
bool is_secondary_path(std::string_view path);

/// The first folder of `path` for examples, demos, benchmarks or documentation, in lower case:
/// "docs"; "" if not found.
std::string_view example_folder(std::string_view path);

/// The same for old, vendored or generated code: "legacy", "vendor".
std::string_view legacy_folder(std::string_view path);

/// How the file was generated, by its name: "lock file", "minified", "generated"; "" for
/// handwritten files.
std::string_view generated_name(std::string_view path);

/// True for a list of the changes in each release, by the file's name: CHANGELOG.md, NEWS.
bool is_changelog(std::string_view path);

}  // namespace codexmem
