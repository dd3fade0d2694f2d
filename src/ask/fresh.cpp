#include "ask/fresh.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <chrono>
#include <stop_token>

#include "base/file.h"
#include "base/hash.h"

namespace codexmem::ask {

namespace {

// Errors have a code and a message; this beginning of the message is how an error of indexing is
// told from one of the question itself.
constexpr std::string_view kWhileIndexing = "bringing the index up to date";

Error mark_indexing(Error error) {
  if (error.code() == ErrorCode::kCancelled) return error;
  return std::move(error).with_context(kWhileIndexing);
}

}  // namespace

bool is_of_indexing(const Error& error) { return error.message().starts_with(kWhileIndexing); }

Result<std::vector<std::string>> list_stale(const store::Workspace& workspace,
                                            store::CodeReader& reader,
                                            const std::set<std::string>& paths) {
  std::vector<std::string> stale;
  for (const std::string& path : paths) {
    if (path.empty()) continue;
    CODEXMEM_ASSIGN(const auto row, reader.find_file(path));
    struct stat now {};
    const bool exists =
        ::lstat((workspace.root() / path).c_str(), &now) == 0 && S_ISREG(now.st_mode);
    if (!row) {
      // Not indexed on purpose (ignored, too large): indexing it again would change nothing.
      CODEXMEM_ASSIGN(const auto skipped, reader.find_skipped(path));
      if (exists && !skipped) stale.push_back(path);
      continue;
    }
    const std::int64_t mtime_ns =
        static_cast<std::int64_t>(now.st_mtim.tv_sec) * 1'000'000'000 + now.st_mtim.tv_nsec;
    bool is_same = exists && now.st_size == row->size && mtime_ns == row->mtime_ns;
    // A time that proved nothing when the file was read (just past, or in the future) is stored as
    // the one before it: then the bytes decide.
    if (!is_same && exists && now.st_size == row->size && mtime_ns == row->mtime_ns + 1) {
      const auto bytes = read_file(workspace.root() / path);
      is_same = bytes.ok() && sha256_hex(*bytes) == row->hash;
    }
    if (!is_same) stale.push_back(path);
  }
  return stale;
}

namespace internal {

Deadline deadline_of(const Context& context) {
  return std::chrono::steady_clock::now() + context.code().patience;
}

Result<void> refresh(const Context& context, std::vector<std::string> paths,
                     const std::vector<std::string>& damaged, Deadline deadline) {
  index::IndexOptions options;
  options.force = !damaged.empty();  // their bytes have not changed
  options.only = std::move(paths);
  options.only.insert(options.only.end(), damaged.begin(), damaged.end());
  std::stop_source end;
  const std::stop_callback on_cancel(context.stop, [&end] { end.request_stop(); });
  const auto give_up = [&](const index::IndexProgress& now) {
    if (now.phase != index::IndexPhase::kWaiting) return;
    if (std::chrono::steady_clock::now() >= deadline) end.request_stop();
  };
  auto report = context.code().index(options, give_up, end.get_token());
  if (report.ok()) return {};
  if (report.error().code() == ErrorCode::kCancelled && !context.stop.stop_requested()) {
    return mark_indexing(
        {ErrorCode::kBusy, fmt::format("{} has changed, and another index run is under way: ask "
                                       "again when it is done",
                                       options.only.front())});
  }
  return mark_indexing(std::move(report).error());
}

Result<std::string> await_ready(const Context& context, Deadline deadline) {
  if (!context.code().await_ready) return std::string();
  auto behind = context.code().await_ready(context, deadline);
  if (!behind.ok()) return mark_indexing(std::move(behind).error());
  return behind;
}

void note_staleness(const Context& context, std::string behind, std::vector<std::string> files) {
  if (context.staleness == nullptr) return;
  if (behind.empty() && !files.empty()) behind = "files change while they are being indexed";
  *context.staleness = {std::move(behind), std::move(files)};
}

}  // namespace internal

}  // namespace codexmem::ask
