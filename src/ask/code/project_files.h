// ask/code/project_files.h - how a project is built, run and published, read from its files.
//
// package.json, composer.json, mix.exs, pyproject.toml, setup.cfg, Cargo.toml, go.mod, pom.xml,
// build.gradle, CMake files and presets, Makefile, justfile, tox, nox, Dockerfile, Compose,
// Procfile. The reader is lenient: parts that it does not understand are left out. The imports in
// these files are known to graph's resolvers. Pure; thread-safe. Design: docs/how-it-works.md,
// "Overview".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace codexmem::ask {

/// Something that is called by its name.
struct NamedCommand {
  std::string name;  // "black", "npm run build"
  std::string runs;  // as it is written there: "black:patched_main", "tsc"; may be empty
};

struct ProjectFile {
  std::string path;
  std::string kind;                    // "npm", "python", "cargo", "go", "maven", ...
  std::string name;                    // of the package; empty: it makes none
  std::string about;                   // its description; may be empty
  std::string entry;                   // the module that importers get, in its folder; may be empty
  std::vector<NamedCommand> programs;  // that are installed with it
  std::vector<NamedCommand> commands;  // for those who work on it, run in its folder
};

/// True for a file that read_project_file() knows, by its name.
bool is_project_file(std::string_view path);

/// What the file at `path` says; only path and kind when `text` is not understood.
ProjectFile read_project_file(std::string_view path, std::string_view text);

}  // namespace codexmem::ask
