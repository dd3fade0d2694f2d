// config/path_kind.h - what a path says about its file: one rule for search, graph, index and
// memory. Pure; thread-safe.
//
// Paths are relative to the root, with '/' between names; ASCII case of folders and of what
// programs write is ignored. The lists of names are in path_kind.cpp.
#pragma once

#include <string_view>

namespace codexmem {

/// True for a test, a fixture or a mock, by its folders or its name. What a program is built from
/// (`src/main/`) is none, whatever it is called.
bool is_test_path(std::string_view path);

/// True when it is its name alone that makes the file a test.
bool is_test_by_name(std::string_view path);

/// True for what ranks below the source that it is about: tests, examples, demos, benchmarks, the
/// code of documentation, and installed packages.
bool is_secondary_path(std::string_view path);

/// The first folder of `path` that holds examples, demos, benchmarks or documentation, in lower
/// case: "docs". "" when there is none.
std::string_view example_folder(std::string_view path);

/// The same for code that is old, vendored or written by programs: "legacy", "vendor".
std::string_view legacy_folder(std::string_view path);

/// What wrote the file, by its name: "lock file", "minified", "generated"; "" for people.
std::string_view generated_name(std::string_view path);

}  // namespace codexmem
