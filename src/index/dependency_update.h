// index/dependency_update.h - brings table dependencies up to the files of a run.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "index/change_plan.h"
#include "index/configurations.h"
#include "index/file_reader.h"
#include "index/write_session.h"

namespace codexmem::index {

struct DependencyUpdate {
  store::Workspace& workspace;
  Configurations& configurations;  // notes what is read of them
  std::vector<std::string> unindexed_configurations;
  unsigned threads = 1;
  /// Every file that was written in this run: file -> imports, perhaps none.
  std::map<store::FileId, ImportFacts> imports;
  /// Names that files of this run declare, or declared, elsewhere than before: imports that have
  /// one in their path may lead elsewhere.
  std::set<std::string> changed_names;
  /// Resolve every file: the set of files or a configuration has changed. Else only `imports`, and
  /// what `changed_names` concerns.
  bool all = false;
};

/// The ignored files of a plan that configure tools: they hold no code of interest, but tools obey
/// them all the same.
std::vector<std::string> list_ignored_configurations(const ChangePlan& plan);

/// Resolves imports and writes the rows that differ from what is stored; returns the number of
/// files whose rows were written. A file whose facts are damaged keeps the rows it has and is read
/// again by the next run. `progress` gets the number of files done. Errors: those of the store;
/// kCancelled.
Result<std::uint64_t> update_dependencies(
    DependencyUpdate& update, WriteSession& session, const std::stop_token& stop,
    const std::function<void(std::size_t done, std::size_t total)>& progress);

}  // namespace codexmem::index
