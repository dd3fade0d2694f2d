// Prepares a run (index/run/index_run.h): resolves the requested paths, takes the lock, and sets a
// damaged store aside to rebuild it.
//
// Tested by index/indexer_test.cpp.
#include "index/run/indexer.h"

#include <fmt/core.h>

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/log.h"
#include "base/stop_scope.h"
#include "index/run/index_run.h"
#include "index/run/reporter.h"
#include "index/run/run_lock.h"
#include "index/discovery/selection.h"
#include "index/packs/store_check.h"

namespace codexmem::index {

Result<bool> has_complete_index(store::StoreReader& reader) {
  CODEXMEM_ASSIGN(const auto note, reader.find_meta(kCompleteKey));
  return note.has_value();
}

Result<IndexReport> index_repository(store::Workspace& workspace, const IndexOptions& options,
                                     const ProgressCallback& progress, std::stop_token stop) {
  const StopScope scope(stop);
  Reporter reporter(progress);
  IndexOptions relative = options;
  CODEXMEM_ASSIGN(relative.path, relative_to_root(workspace.root(), options.path));
  std::vector<std::string> selected;
  if (!relative.path.empty()) selected.push_back(relative.path);
  for (std::string& path : relative.only) {
    CODEXMEM_ASSIGN(path, relative_to_root(workspace.root(), path));
    selected.push_back(path);
  }
  const auto waiting = [&] {
    if (reporter.phase() != IndexPhase::kWaiting) reporter.enter(IndexPhase::kWaiting);
    reporter.advance(0);
  };
  // Creates the folder if it was deleted.
  if (auto there = workspace.reader(); !there.ok() && there.error().code() != ErrorCode::kCorrupt) {
    return std::move(there).error();
  }
  CODEXMEM_ASSIGN(const FileLock lock,
                  take_run_lock(workspace.lock_path(), options.wait, waiting, stop));
  if (auto widened = workspace.widen(); !widened.ok()) {
    log_debug("the index stays thin: {}", widened.error().message());
  }
  CODEXMEM_ASSIGN(const RootDirectory root, RootDirectory::open(workspace.root()));
  const auto run_once = [&]() -> Result<IndexReport> {
    CODEXMEM_ASSIGN(store::Database * database, workspace.writer());
    return run_index(workspace, relative, Selection(selected), root, *database, reporter, stop);
  };
  const bool everything = selected.empty();
  std::optional<std::string> damage;
  const auto is_noted = is_noted_as_damaged(workspace);
  if (everything && (workspace.damage() || (is_noted.ok() && *is_noted))) {
    CODEXMEM_ASSIGN(const StoreCheck found, check_database(workspace));
    if (!found.problems.empty()) damage = found.problems.front();
    if (!damage) CODEXMEM_TRY(note_damage(workspace, found));
  } else if (everything && options.force) {
    CODEXMEM_ASSIGN(damage, workspace.confirm_damage());  // all rows will be rewritten
  }
  Result<IndexReport> report = IndexReport();
  if (!damage) {
    report = run_once();
    if (!report.ok() && report.error().code() == ErrorCode::kCorrupt && everything) {
      damage = report.error().message();
    }
  }
  if (damage) {
    CODEXMEM_ASSIGN(const std::filesystem::path aside, workspace.set_aside());
    const std::string warning = fmt::format("{}; that is what this run does: the old one is now {}",
                                            *damage, aside.string());
    log_warn("{}", warning);
    report = run_once();
    if (report.ok()) report->warnings.insert(report->warnings.begin(), warning);
  }
  if (report.ok()) reporter.enter(IndexPhase::kDone, report->files_processed);
  return report;
}

}  // namespace codexmem::index
