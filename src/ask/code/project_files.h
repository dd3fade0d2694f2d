// ask/code/project_files.h - what the files say that a project is built, run and published by.
//
// package.json, pyproject.toml, setup.cfg, Cargo.toml, go.mod, pom.xml, build.gradle, CMake files
// and presets, Makefile, justfile, tox, nox. Read for people, and leniently: what is not understood
// is left out. Which imports they mean is known by graph's resolvers. Pure; thread-safe. Design:
// docs/design/overview.md.
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
