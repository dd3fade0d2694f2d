// ask/code/analyze_dependencies.h - analyze_dependencies: what a file imports and who imports it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ask/budget.h"
#include "ask/question.h"
#include "base/result.h"
#include "graph/imports/coverage.h"
#include "graph/imports/dependencies.h"

namespace codexmem::ask {

struct AnalyzeDependenciesParams {
  graph::DependencyQuery query;  // file_path as it was given
  std::string direction;         // "imports" or "importers": only these; empty: both
  std::size_t offset = 0;        // edges to skip, as nextOffset counts them
  std::size_t max_bytes = 0;
};

/// Lists by depth; imported files that are not modules are in `resources`. Pages take from imports
/// and importers in turn, the nearest first. Cycles and unresolved imports come with the first
/// page.
struct AnalyzeDependenciesAnswer : Answer {
  std::string path;
  std::uint32_t depth = 0;  // as asked for
  std::vector<graph::DependencyItem> dependencies, dependents, resources;
  std::vector<std::vector<std::string>> cycles;
  std::vector<std::string> unresolved;
  std::size_t cycles_omitted = 0, unresolved_omitted = 0, external_omitted = 0;
  std::size_t total = 0;  // imports and importers
  graph::FactsCoverage coverage;
  bool is_stale = false;
  std::string note;  // when nothing imports the file: what was searched
  Rest rest;

  /// All imports and importers are in the lists.
  bool is_whole() const {
    return dependencies.size() + dependents.size() + resources.size() == total;
  }
  Written to_json() const override;
};

/// Errors: kInvalidArgument for a file_path out of the root; kNotFound when it is not indexed, with
/// the nearest path; as answer_fresh().
Result<AnalyzeDependenciesAnswer> run(const Context& context,
                                      const AnalyzeDependenciesParams& params);

extern const Question kAnalyzeDependencies;

}  // namespace codexmem::ask
