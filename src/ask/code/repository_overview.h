// ask/code/repository_overview.h - repository_overview: what a repository is, for the first minute.
//
// Design: docs/how-it-works.md, "Overview".
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "ask/budget.h"
#include "ask/code/project_files.h"
#include "ask/question.h"
#include "base/result.h"
#include "graph/routes/routes.h"
#include "graph/unused/program_starts.h"
#include "graph/unused/public_names.h"
#include "graph/stored/repository_map.h"

namespace codexmem::ask {

struct RepositoryOverviewParams {
  std::size_t depth = 2;  // levels of folders
  std::string routes;     // the routes at and below this path are listed; empty: they are counted
  std::size_t max_bytes = 0;
};

struct OverviewPackage {
  std::string folder;  // "." is the root
  std::string kind;    // "npm", "python", ...
  std::string name;
  std::string about;  // may be empty
};

struct OverviewFolder {
  graph::MappedFolder size;
  std::string about;               // empty: nothing in it says so
  std::vector<std::string> names;  // then some that it offers
};

struct OverviewProgram {
  NamedCommand program;
  std::string path;  // of the project file
};

struct OverviewRoutes {
  std::string framework, path;  // of the file that declares them
  std::size_t count = 0;
};

/// The commands or tasks of one framework.
struct OverviewEntryPoints {
  std::string kind, framework;
  std::string path;  // the file, or the folder that holds all of their files
  std::size_t count = 0;
  std::vector<std::string> names;  // the first; all if the routes were asked for
};

struct OverviewTests {
  std::string folder;
  std::size_t files = 0;
};

struct OverviewCommand {
  NamedCommand command;
  std::string path;  // of the project file
};

struct HotFile {
  std::string path;
  std::size_t commits = 0;
};

/// Lists are the most important first; what was cut of them is counted in `omitted`.
struct RepositoryOverviewAnswer : Answer {
  std::string summary;               // what the README says first; may be empty
  std::size_t files = 0, lines = 0;  // of code
  graph::RepositoryMap map;          // its folders are in `folders`
  std::vector<OverviewPackage> packages;
  std::vector<OverviewFolder> folders;
  std::vector<OverviewProgram> programs;
  std::vector<graph::ProgramStart> starts;
  std::vector<OverviewRoutes> routes;
  std::vector<graph::Route> route_list;  // those that were asked for
  std::vector<OverviewEntryPoints> entry_points;
  std::vector<graph::PublicNames> api;
  std::vector<HotFile> hot;
  std::size_t commits = 0;  // that `hot` was counted in
  std::vector<OverviewTests> tests;
  std::vector<std::string> run_tests;  // commands that run one test of a folder
  std::vector<OverviewCommand> commands;
  std::vector<std::string> not_seen;  // for people
  Omitted omitted;                    // by the list's name in the JSON

  Written to_json() const override;
  bool is_in_vain() const override { return files == 0; }
};

/// Errors: as answer_fresh().
Result<RepositoryOverviewAnswer> run(const Context& context,
                                     const RepositoryOverviewParams& params);

extern const Question kRepositoryOverview;

}  // namespace codexmem::ask
