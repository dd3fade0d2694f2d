// ask/fresh.h - answers about code that describe no file as it no longer is.
//
// Stateless; safe to use from many threads. Design: docs/how-it-works.md, "MCP", and
// docs/security.md.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ask/context.h"
#include "base/result.h"
#include "store/code/workspace.h"

namespace codexmem::ask {

/// Whether `error` is of bringing the index up to date (answer_fresh() marks it) rather than of the
/// question itself.
bool is_of_indexing(const Error& error);

/// Which repositories of a workspace a question reads.
enum class Reach : std::uint8_t { kAll, kAsked };

/// The `paths` whose file on disk differs from the indexed one: changed or gone (by size and
/// modification time), or present and not indexed. Errors: the store's.
Result<std::vector<std::string>> list_stale(const store::Workspace& workspace,
                                            store::CodeReader& reader,
                                            const std::set<std::string>& paths);

/// An answer that describes no file as it no longer is.
///
/// Waits for CodeServices::await_ready, then asks `ask` inside one read transaction. `paths_of`
/// names the files that the answer mentions; `inputs` are files that the question names. Those that
/// have changed are indexed and the question is asked again, twice at most: a file that is written
/// all the time must not hold up the answer for ever. So are files whose stored facts turn out to
/// be damaged. Files still behind after that are noted in Context::staleness. All that waiting
/// takes CodeServices::patience at most. Errors: those of `ask` (a missing file is looked for on
/// disk first), of the store, and kCancelled; kBusy when a file that the answer mentions has
/// changed and another run keeps it from being indexed.
///
/// In a workspace (ask/united.h) each repository is brought up to date by itself; one that cannot
/// be asked is noted in Staleness::missing. `reach` says whether a question that is limited to one
/// repository (Context::repository) reads only that one.
template <typename Answer>
Result<Answer> answer_fresh(
    const Context& context, const std::vector<std::string>& inputs,
    const std::function<Result<Answer>(store::CodeReader&)>& ask,
    const std::function<void(const Answer&, std::set<std::string>&)>& paths_of,
    Reach reach = Reach::kAll);

// How answer_fresh() does it; not for use elsewhere.
namespace internal {
using Deadline = std::chrono::steady_clock::time_point;

// A consistent view of the repositories that are asked. One thread.
class Moment {
 public:
  Moment() = default;
  virtual ~Moment() = default;
  Moment(const Moment&) = delete;
  Moment& operator=(const Moment&) = delete;

  virtual store::CodeReader& reader() = 0;
  // As ask::list_stale().
  virtual Result<std::vector<std::string>> list_stale(const std::set<std::string>& paths) = 0;
};

Result<std::unique_ptr<Moment>> open_moment(const Context& context, Reach reach);
Deadline deadline_of(const Context& context);
Result<void> refresh(const Context& context, std::vector<std::string> paths,
                     const std::vector<std::string>& damaged, Deadline deadline);
Result<std::string> await_ready(const Context& context, Deadline deadline);
void note_staleness(const Context& context, std::string behind, std::vector<std::string> files);
}  // namespace internal

template <typename Answer>
Result<Answer> answer_fresh(
    const Context& context, const std::vector<std::string>& inputs,
    const std::function<Result<Answer>(store::CodeReader&)>& ask,
    const std::function<void(const Answer&, std::set<std::string>&)>& paths_of, Reach reach) {
  constexpr int kMaxRefreshes = 2;
  const internal::Deadline deadline = internal::deadline_of(context);
  CODEXMEM_ASSIGN(const std::string behind, internal::await_ready(context, deadline));
  for (int refreshes = 0;; ++refreshes) {
    if (context.stop.stop_requested()) return Error{ErrorCode::kCancelled, "cancelled"};
    std::vector<std::string> stale, damaged;
    {
      CODEXMEM_ASSIGN(const auto moment, internal::open_moment(context, reach));
      store::CodeReader& reader = moment->reader();
      Result<Answer> answer = ask(reader);
      if (!answer.ok() && answer.error().code() != ErrorCode::kNotFound) return answer;
      std::set<std::string> paths(inputs.begin(), inputs.end());
      if (answer.ok()) paths_of(*answer, paths);
      if (context.code().is_revision) return answer;
      CODEXMEM_ASSIGN(stale, moment->list_stale(paths));
      damaged = context.code().facts.take_damaged(reader);
      if ((stale.empty() && damaged.empty()) || refreshes == kMaxRefreshes) {
        internal::note_staleness(context, behind, std::move(stale));
        return answer;
      }
    }
    const auto refreshed = internal::refresh(context, stale, damaged, deadline);
    if (!refreshed.ok() && !stale.empty()) return refreshed.error();
    // Facts that cannot be repaired are missing from the answer, which says so.
    if (!refreshed.ok()) refreshes = kMaxRefreshes - 1;
  }
}

}  // namespace codexmem::ask
