// index/run/dependency_update.h - updates table dependencies for the files of a run.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "index/changes/change_plan.h"
#include "index/run/configurations.h"
#include "index/discovery/file_reader.h"
#include "index/run/write_session.h"

namespace codexmem::index {

struct DependencyUpdate {
  store::Workspace& workspace;
  Configurations& configurations;  // notes each file that is read
  std::vector<std::string> unindexed_configurations;
  unsigned threads = 1;
  /// Every file written in this run: file -> imports, perhaps empty.
  std::map<store::FileId, ImportFacts> imports;
  /// Names whose declaring files changed in this run: imports with one in their path may resolve
  /// differently.
  std::set<std::string> changed_names;
  /// Resolve every file, because the set of files or a configuration has changed. Otherwise only
  /// `imports`, and files affected by `changed_names`.
  bool all = false;
};

/// The ignored files of a plan that configure tools: they contain no code of interest, but tools
/// obey them all the same.
std::vector<std::string> list_ignored_configurations(const ChangePlan& plan);

/// Resolves imports and writes the rows that differ from the stored ones; returns the number of
/// files whose rows were written. A file with damaged facts keeps its rows and is read again by the
/// next run. `progress` is called with the number of files done. Errors: as the store; kCancelled.
Result<std::uint64_t> update_dependencies(
    DependencyUpdate& update, WriteSession& session, const std::stop_token& stop,
    const std::function<void(std::size_t done, std::size_t total)>& progress);

}  // namespace codexmem::index
