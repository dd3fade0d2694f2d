// Tested by index/indexer_test.cpp.
#include "index/run/reporter.h"

#include <fmt/chrono.h>
#include <fmt/core.h>

#include <ctime>

#include "text/json.h"

namespace codexmem::index {

std::string utc_now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

void Reporter::enter(IndexPhase phase, std::uint64_t files_total, std::uint64_t bytes_total) {
  now_ = {};
  now_.phase = phase;
  now_.files_total = files_total;
  now_.bytes_total = bytes_total;
  send();
}

void Reporter::advance(std::uint64_t files_done, std::uint64_t bytes_done, std::string_view path) {
  now_.files_done = files_done;
  now_.bytes_done = bytes_done;
  if (!callback_ || Clock::now() - last_ < std::chrono::milliseconds(50)) return;
  now_.path = path;
  send();
}

void Reporter::complete() {
  now_.files_done = now_.files_total;
  now_.bytes_done = now_.bytes_total;
  now_.path.clear();
  send();
}

std::chrono::milliseconds Reporter::elapsed() const {
  return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin_);
}

void Reporter::send() {
  if (!callback_) return;
  last_ = Clock::now();
  now_.elapsed = elapsed();
  callback_(now_);
}

std::string_view index_phase_name(IndexPhase phase) {
  switch (phase) {
    case IndexPhase::kWaiting:
      return "waiting";
    case IndexPhase::kDiscovering:
      return "discovering";
    case IndexPhase::kParsing:
      return "parsing";
    case IndexPhase::kResolving:
      return "resolving";
    case IndexPhase::kEmbedding:
      return "embedding";
    case IndexPhase::kDone:
      return "done";
  }
  return "";
}

std::string format_elapsed(std::chrono::milliseconds elapsed) {
  const auto ms = elapsed.count();
  if (ms < 1000) return fmt::format("{} ms", ms);
  if (ms < 59'950) return fmt::format("{:.1f}s", static_cast<double>(ms) / 1000.0);
  const auto seconds = (ms + 500) / 1000;
  if (seconds < 3600) return fmt::format("{}m {}s", seconds / 60, seconds % 60);
  return fmt::format("{}h {}m", seconds / 3600, seconds % 3600 / 60);
}

std::string IndexReport::to_json() const {
  Json by_reason = Json::object();
  for (const auto& [reason, count] : skipped) by_reason[reason] = count;
  Json report = {{"filesProcessed", files_processed},
                 {"filesRevived", files_revived},
                 {"symbolsExtracted", symbols_extracted},
                 {"embeddingsGenerated", embeddings_generated},
                 {"timeElapsed", format_elapsed(elapsed)},
                 {"elapsedMs", elapsed.count()},
                 {"added", added},
                 {"changed", changed},
                 {"deleted", deleted},
                 {"renamed", renamed},
                 {"unchanged", unchanged},
                 {"bytesProcessed", bytes_processed},
                 {"dependenciesWritten", dependencies_written},
                 {"skipped", by_reason},
                 {"warnings", warnings},
                 {"vectorsRebuilt", vectors_rebuilt},
                 {"finished_at", utc_now()}};
  if (packs) {
    report["packs"] = {{"taken", packs->taken},
                       {"made", packs->made},
                       {"otherVersion", packs->other_version},
                       {"refused", packs->refused},
                       {"compared", packs->compared}};
  }
  return dump_json(report);
}

}  // namespace codexmem::index
