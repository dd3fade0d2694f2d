// ask/fresh.h - answers about code that describe no file as it no longer is.
//
// Stateless; safe to use from many threads. Design: docs/design/mcp.md, "Questions", and
// docs/design/durability.md.
#pragma once

#include <chrono>
#include <functional>
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

/// Those of `paths` whose file on disk is not the one that is indexed: changed or gone (by size and
/// modification time), or there and not indexed at all. Errors: those of the store.
Result<std::vector<std::string>> list_stale(const store::Workspace& workspace,
                                            store::CodeReader& reader,
                                            const std::set<std::string>& paths);

/// An answer that describes no file as it no longer is.
///
/// Waits for CodeServices::await_ready, then asks `ask` inside one read transaction. `paths_of`
/// names the files that the answer mentions; `inputs` are files that the question names. Those that
/// have changed are indexed and the question is asked again, twice at most: a file that is written
/// all the time must not hold up the answer for ever. So are files whose stored facts turn out to
/// be damaged. What is behind after that is noted in Context::staleness. All that waiting takes
/// CodeServices::patience at most. Errors: those of `ask` (a missing file is looked for on disk
/// first), of the store, and kCancelled; kBusy when a file that the answer mentions has changed and
/// another run keeps it from being indexed.
template <typename Answer>
Result<Answer> answer_fresh(
    const Context& context, const std::vector<std::string>& inputs,
    const std::function<Result<Answer>(store::CodeReader&)>& ask,
    const std::function<void(const Answer&, std::set<std::string>&)>& paths_of);

// How answer_fresh() does it; not for use elsewhere.
namespace internal {
using Deadline = std::chrono::steady_clock::time_point;
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
    const std::function<void(const Answer&, std::set<std::string>&)>& paths_of) {
  constexpr int kMostRefreshes = 2;
  const internal::Deadline deadline = internal::deadline_of(context);
  CODEXMEM_ASSIGN(const std::string behind, internal::await_ready(context, deadline));
  store::Workspace& workspace = context.code().workspace;
  for (int refreshes = 0;; ++refreshes) {
    if (context.stop.stop_requested()) return Error{ErrorCode::kCancelled, "cancelled"};
    std::vector<std::string> stale, damaged;
    {
      CODEXMEM_ASSIGN(store::ReaderLease reader, workspace.reader());
      CODEXMEM_ASSIGN(const auto moment, store::Transaction::begin_read(reader->database()));
      Result<Answer> answer = ask(*reader);
      if (!answer.ok() && answer.error().code() != ErrorCode::kNotFound) return answer;
      std::set<std::string> paths(inputs.begin(), inputs.end());
      if (answer.ok()) paths_of(*answer, paths);
      if (context.code().is_revision) return answer;
      CODEXMEM_ASSIGN(stale, list_stale(workspace, *reader, paths));
      damaged = context.code().facts.take_damaged(*reader);
      if ((stale.empty() && damaged.empty()) || refreshes == kMostRefreshes) {
        internal::note_staleness(context, behind, std::move(stale));
        return answer;
      }
    }
    const auto refreshed = internal::refresh(context, stale, damaged, deadline);
    if (!refreshed.ok() && !stale.empty()) return refreshed.error();
    // What is damaged and cannot be repaired is missing from the answer, which says so.
    if (!refreshed.ok()) refreshes = kMostRefreshes - 1;
  }
}

}  // namespace codexmem::ask
