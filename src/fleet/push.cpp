// From the first write to the last, the repository's row says "not complete". So a later push knows
// that there may be pieces without a file's row (after a kill in between) and looks for them;
// otherwise comparing the rows of files is enough.
//
// A request is never interrupted, not even by Ctrl-C: if a connection is closed before the answer,
// Chroma 1.0 refuses writes until it is restarted.
//
// Tested by fleet/push_test.cpp, and against real servers by tests/chroma/fleet_chroma_test.py.
#include "fleet/push.h"

#include <fmt/core.h>

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <stop_token>
#include <thread>
#include <utility>

#include "base/random.h"
#include "base/now.h"
#include "base/stop_scope.h"

namespace codexmem::fleet {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr std::size_t kPage = 1000;         // rows of one listing
constexpr std::size_t kRowsTogether = 200;  // pieces per request
constexpr milliseconds kFirstPause{200};
constexpr std::string_view kDeadCompactor = "message to compactor";
constexpr milliseconds kLongestPause{3'000};

// False if it was stopped.
bool sleep_for(milliseconds time, const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any never;
  std::unique_lock lock(mutex);
  return !never.wait_for(lock, stop, time, [] { return false; }) && !stop.stop_requested();
}

// Requests a stop after `time`, or when `outer` does.
class TimedStop {
 public:
  TimedStop(milliseconds time, const std::stop_token& outer)
      : outer_(outer, [this] { source_.request_stop(); }),
        timer_([this, time](const std::stop_token& done) {
          if (sleep_for(time, done)) source_.request_stop();
        }) {}

  std::stop_token token() const { return source_.get_token(); }

 private:
  std::stop_source source_;
  std::stop_callback<std::function<void()>> outer_;
  std::jthread timer_;  // last: it ends first
};

// The summary of a content, made when the first server needs it.
class Summary {
 public:
  explicit Summary(const Content& content) : content_(content) {}

  Result<RepositoryRow> get() {
    const std::lock_guard lock(mutex_);
    if (!made_) made_ = content_.summarize();
    return *made_;
  }

 private:
  const Content& content_;
  std::mutex mutex_;  // guards made_
  std::optional<Result<RepositoryRow>> made_;
};

// A push to one server.
class Push {
 public:
  Push(Server& server, const PushOptions& options, const std::stop_token& stop)
      : server_(server), options_(options), stop_(stop) {
    report.address = server.address();
  }

  Result<void> run(const Content& content, Summary& summary);
  Result<std::size_t> remove(const std::string& name);

  PushReport report;

 private:
  struct There {
    std::string path;
    std::uint32_t pieces = 0;
  };

  // Repeats a call until the server answers, within the time limit. Only `breaks_off` ends one
  // earlier: a write that is broken off may harm the server.
  template <typename Call>
  auto patiently(const Call& call, const std::stop_token& breaks_off = {})
      -> decltype(call(std::stop_token())) {
    const auto longest = std::max(options_.patience, options_.least_request);
    const auto end = steady_clock::now() + options_.patience;
    for (milliseconds pause = kFirstPause;; pause = std::min(2 * pause, kLongestPause)) {
      const TimedStop timed(longest, breaks_off);
      auto answer = call(timed.token());
      if (!answer.ok() && answer.error().code() == ErrorCode::kCancelled &&
          !stop_.stop_requested()) {
        return Error{ErrorCode::kIo, fmt::format("Chroma: {} has not answered within {} ms",
                                                 server_.address(), longest.count())};
      }
      if (answer.ok() || answer.error().code() != ErrorCode::kIo) return answer;
      if (answer.error().message().find(kDeadCompactor) != std::string::npos) {
        return Error{ErrorCode::kIo, answer.error().message() +
                                         " (restart this Chroma server: it accepts no more writes "
                                         "since one was broken off)"};
      }
      if (steady_clock::now() + pause > end) return answer;
      if (!sleep_for(pause, stop_)) return Error{ErrorCode::kCancelled, "cancelled"};
      ++report.retries;
    }
  }

  Result<void> open(std::string_view model);
  Result<std::optional<RepositoryRow>> read_row(const std::string& name);
  Result<void> write_row(const RepositoryRow& row);
  template <typename Visit>
  Result<void> visit_rows(const std::string& collection, const std::string& name,
                          const Visit& visit);
  Result<std::map<std::string, There>> list_files(const std::string& name);
  Result<void> send(const Content& content, const std::vector<const SourceFile*>& files);
  Result<void> flush();
  Result<void> remove_files(const std::vector<std::pair<std::string, std::uint32_t>>& files);
  Result<void> sweep(const std::string& name, const std::set<std::string, std::less<>>& files);

  Result<void> upsert(const std::string& collection, const std::vector<embed::ChromaRow>& rows) {
    return patiently([&](const std::stop_token& stop) {
      return server_.chroma().upsert(collection, rows, stop);
    });
  }

  Server& server_;
  const PushOptions& options_;
  const std::stop_token stop_;
  std::string repositories_, files_, pieces_;  // ids of the collections
  std::vector<embed::ChromaRow> waiting_files_, waiting_pieces_;
};

Result<void> Push::open(std::string_view model) {
  for (const auto& [name, id] :
       {std::pair(&server_.names().repositories, &repositories_),
        std::pair(&server_.names().files, &files_), std::pair(&server_.names().pieces, &pieces_)}) {
    CODEXMEM_ASSIGN(const auto collection,
                    patiently([&, wanted = name](const std::stop_token& stop) {
                      return server_.chroma().get_or_create(*wanted, model, stop);
                    }));
    *id = collection.id;
  }
  return {};
}

Result<std::optional<RepositoryRow>> Push::read_row(const std::string& name) {
  embed::ChromaListing listing;
  listing.filter.ids = {name};
  CODEXMEM_ASSIGN(const auto found, patiently(
                                        [&](const std::stop_token& stop) {
                                          return server_.chroma().list(repositories_, listing,
                                                                       std::chrono::seconds(10),
                                                                       stop);
                                        },
                                        stop_));
  return found.empty() ? std::optional<RepositoryRow>() : read_repository(found.front());
}

Result<void> Push::write_row(const RepositoryRow& row) {
  return upsert(repositories_, {to_row(row)});
}

// Calls `visit` with each row of the repository `name`.
template <typename Visit>
Result<void> Push::visit_rows(const std::string& collection, const std::string& name,
                              const Visit& visit) {
  embed::ChromaListing listing;
  listing.filter.conditions = {of_repositories({name})};
  listing.limit = kPage;
  for (;; listing.offset += kPage) {
    CODEXMEM_ASSIGN(const auto page, patiently(
                                         [&](const std::stop_token& stop) {
                                           return server_.chroma().list(
                                               collection, listing, std::chrono::seconds(60), stop);
                                         },
                                         stop_));
    for (const embed::ChromaRecord& record : page) visit(record);
    if (page.size() < kPage) return {};
  }
}

Result<std::map<std::string, Push::There>> Push::list_files(const std::string& name) {
  std::map<std::string, There> all;
  CODEXMEM_TRY(visit_rows(files_, name, [&](const embed::ChromaRecord& record) {
    if (const auto file = read_file(record)) all[file->id] = {file->path, file->pieces};
  }));
  return all;
}

Result<void> Push::flush() {
  if (!waiting_pieces_.empty()) CODEXMEM_TRY(upsert(pieces_, waiting_pieces_));
  if (!waiting_files_.empty()) CODEXMEM_TRY(upsert(files_, waiting_files_));
  report.pieces_sent += waiting_pieces_.size();
  report.files_sent += waiting_files_.size();
  waiting_pieces_.clear();
  waiting_files_.clear();
  return {};
}

Result<void> Push::send(const Content& content, const std::vector<const SourceFile*>& files) {
  std::size_t done = 0;
  for (const SourceFile* const source : files) {
    if (stop_.stop_requested()) return Error{ErrorCode::kCancelled, "cancelled"};
    CODEXMEM_ASSIGN(auto rows, content.rows_of(*source, now_ms()));
    ++done;
    if (!rows) continue;
    report.bytes_sent += rows->file.document.size();
    for (embed::ChromaRow& piece : rows->pieces) {
      report.bytes_sent += piece.document.size();
      waiting_pieces_.push_back(std::move(piece));
    }
    waiting_files_.push_back(std::move(rows->file));
    if (waiting_pieces_.size() < kRowsTogether && waiting_files_.size() < kRowsTogether) continue;
    CODEXMEM_TRY(flush());
    if (options_.on_progress) options_.on_progress(done, files.size());
  }
  return flush();
}

Result<void> Push::remove_files(const std::vector<std::pair<std::string, std::uint32_t>>& files) {
  std::vector<std::string> rows, pieces;
  for (const auto& [id, count] : files) {
    rows.push_back(id);
    for (std::uint32_t i = 0; i < count; ++i) pieces.push_back(piece_id(id, i));
  }
  const auto remove = [&](const std::string& collection, const std::vector<std::string>& ids) {
    return patiently([&](const std::stop_token& stop) {
      return server_.chroma().remove_ids(collection, ids, stop);
    });
  };
  if (!rows.empty()) CODEXMEM_TRY(remove(files_, rows));
  if (!pieces.empty()) CODEXMEM_TRY(remove(pieces_, pieces));
  report.files_removed += rows.size();
  return {};
}

// Removes the pieces whose file is not in `files`.
Result<void> Push::sweep(const std::string& name, const std::set<std::string, std::less<>>& files) {
  std::vector<std::string> orphans;
  CODEXMEM_TRY(visit_rows(pieces_, name, [&](const embed::ChromaRecord& record) {
    const std::string_view file = std::string_view(record.id).substr(0, record.id.find('.'));
    if (!files.contains(file)) orphans.push_back(record.id);
  }));
  if (orphans.empty()) return {};
  return patiently([&](const std::stop_token& stop) {
    return server_.chroma().remove_ids(pieces_, orphans, stop);
  });
}

Result<void> Push::run(const Content& content, Summary& summary) {
  CODEXMEM_TRY(open(content.model()));
  CODEXMEM_ASSIGN(const auto before, read_row(content.name()));
  const bool is_same = before && before->is_complete && before->digest == content.digest();
  if (is_same && before->revision == content.revision()) {
    report.was_current = true;
    return {};
  }
  CODEXMEM_ASSIGN(RepositoryRow row, summary.get());
  row.push = random_hex(16);
  row.pushed_ms = now_ms();
  row.is_complete = is_same;
  CODEXMEM_TRY(write_row(row));
  if (is_same) return {};
  CODEXMEM_ASSIGN(const auto there, list_files(content.name()));
  std::set<std::string, std::less<>> wanted;
  std::vector<const SourceFile*> missing;
  for (const SourceFile& file : content.files()) {
    wanted.insert(file.row_id);
    if (!there.contains(file.row_id)) missing.push_back(&file);
  }
  CODEXMEM_TRY(send(content, missing));
  std::vector<std::pair<std::string, std::uint32_t>> gone;
  for (const auto& [id, file] : there) {
    if (!wanted.contains(id)) gone.emplace_back(id, file.pieces);
  }
  CODEXMEM_TRY(remove_files(gone));
  if (before && !before->is_complete) CODEXMEM_TRY(sweep(content.name(), wanted));
  // A concurrent push may have written the row and removed our pieces: it is then not complete.
  CODEXMEM_ASSIGN(const auto now, read_row(content.name()));
  if (!now || now->push != row.push) {
    row.is_complete = false;  // so that the next push checks everything
    CODEXMEM_TRY(write_row(row));
    return Error{ErrorCode::kBusy, "another push of " + content.name() + " came in between"};
  }
  row.is_complete = true;
  row.pushed_ms = now_ms();
  return write_row(row);
}

Result<std::size_t> Push::remove(const std::string& name) {
  for (const auto& [collection, id] :
       {std::pair(&server_.names().repositories, &repositories_),
        std::pair(&server_.names().files, &files_), std::pair(&server_.names().pieces, &pieces_)}) {
    CODEXMEM_ASSIGN(const auto found,
                    patiently([&, wanted = collection](const std::stop_token& stop) {
                      return server_.chroma().find_collection(*wanted, stop);
                    }));
    if (!found) return std::size_t{0};
    *id = found->id;
  }
  CODEXMEM_ASSIGN(const auto there, list_files(name));
  const std::vector<embed::ChromaCondition> all = {of_repositories({name})};
  // The files first, then their pieces; the repository last, so that after a kill it is still
  // listed.
  for (const std::string& collection : {files_, pieces_, repositories_}) {
    CODEXMEM_TRY(patiently([&](const std::stop_token& stop) {
      return server_.chroma().remove(collection, all, stop);
    }));
  }
  return there.size();
}

PushReport push_to(Server& server, const Content& content, Summary& summary,
                   const PushOptions& options, const std::stop_token& stop) {
  const StopScope scope(stop);
  Push push(server, options, stop);
  try {
    if (auto done = push.run(content, summary); !done.ok()) push.report.failure = done.error();
  } catch (const std::exception& error) {
    push.report.failure = Error{ErrorCode::kIo, error.what()};
  }
  return push.report;
}

}  // namespace

std::vector<PushReport> push(Servers& servers, const Content& content, const PushOptions& options,
                             const std::stop_token& stop) {
  std::vector<PushReport> reports(servers.all().size());
  Summary summary(content);
  std::vector<std::jthread> threads;
  for (std::size_t i = 0; i < reports.size(); ++i) {
    threads.emplace_back([&, i] {
      PushOptions own = options;
      if (i > 0) own.on_progress = {};  // progress of one server suffices
      reports[i] = push_to(*servers.all()[i], content, summary, own, stop);
    });
  }
  threads.clear();
  return reports;
}

Result<std::size_t> remove_from(Server& server, const std::string& name, const PushOptions& options,
                                const std::stop_token& stop) {
  return Push(server, options, stop).remove(name);
}

}  // namespace codexmem::fleet
