#include "app/refresh.h"

#include <fmt/core.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

#include "app/render/progress_bar.h"
#include "index/changes/rewrite.h"
#include "text/counted.h"

namespace codexmem::app {
namespace {

constexpr std::chrono::milliseconds kPause{20};

}  // namespace

Result<index::IndexReport> refresh_index(store::Workspace& workspace, index::IndexOptions options,
                                         std::chrono::milliseconds patience, Console& console,
                                         const std::stop_token& stop) {
  ProgressBar bar(console);
  options.wait = false;
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (true) {
    auto report = index::index_repository(
        workspace, options, [&bar](const index::IndexProgress& now) { bar.update(now); }, stop);
    bar.clear();
    if (report.ok() || report.error().code() != ErrorCode::kBusy || stop.stop_requested() ||
        std::chrono::steady_clock::now() > deadline) {
      return report;
    }
    std::this_thread::sleep_for(kPause);
  }
}

Result<index::IndexReport> refresh_index_within(std::chrono::seconds limit,
                                                store::Workspace& workspace,
                                                index::IndexOptions options, Console& console,
                                                const std::stop_token& stop) {
  std::stop_source ending;
  if (limit <= std::chrono::seconds(0)) ending.request_stop();  // however late the clock begins
  const std::stop_callback on_stop(stop, [&ending] { ending.request_stop(); });
  const std::jthread clock([&](const std::stop_token& is_done) {
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any never;
    never.wait_for(lock, is_done, limit, [] { return false; });
    if (!is_done.stop_requested()) ending.request_stop();
  });
  auto report = refresh_index(workspace, std::move(options), limit, console, ending.get_token());
  if (!report.ok() && report.error().code() == ErrorCode::kCancelled && !stop.stop_requested()) {
    return Error{ErrorCode::kBusy,
                 fmt::format("indexing takes longer than {}; `codexmem index` "
                             "does it once",
                             counted(static_cast<std::size_t>(limit.count()), "second"))};
  }
  return report;
}

void report_if_in_cache(const store::Workspace& workspace, Console& console) {
  if (workspace.why_in_cache().empty()) return;
  console.note(fmt::format("codexmem: {}, so the index is kept in {}", workspace.why_in_cache(),
                           workspace.directory().string()));
}

void report_broken_rename(const store::Workspace& workspace, Console& console) {
  if (!index::is_rewrite_broken_off(workspace)) return;
  console.note(
      "codexmem: a rename was broken off before its end, so some files may have the new name and "
      "others the old one; type `codexmem rename OLD NEW --apply` again: it first puts them back");
}

}  // namespace codexmem::app
