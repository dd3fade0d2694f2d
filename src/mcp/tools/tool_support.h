// mcp/tools/tool_support.h - what the tools have in common: paths, freshness, sizes, failures.
//
// Stateless; safe to use from many threads. Design: docs/mcp.md.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "graph/neighbours.h"
#include "mcp/services.h"
#include "mcp/tool.h"
#include "store/code/workspace.h"

namespace codexmem::mcp {

/// A token is taken for four bytes, the usual rule of thumb for source code and English.
inline constexpr std::size_t kBytesPerToken = 4;

/// What a question answers with unless max_tokens says otherwise: 8 KB.
inline constexpr std::size_t kShortAnswerBytes = 8192;

/// What a list that is wanted whole may grow to: 25,000 tokens.
inline constexpr std::size_t kLongAnswerBytes = 25'000 * kBytesPerToken;

/// The whole number argument `name`, or `otherwise` when it is not given. The schema has checked
/// bounds.
std::size_t whole_argument(const JsonValue& arguments, std::string_view name,
                           std::size_t otherwise);

/// The texts of the list argument `name`, which may also be given as one text; empty when it is not
/// given.
std::vector<std::string> texts_argument(const JsonValue& arguments, std::string_view name);

/// The bytes that an answer may have: those of max_tokens, or `otherwise`.
std::size_t answer_bytes(const JsonValue& arguments, std::size_t otherwise);

/// kInvalidArgument for a text: "`argument` must `must`, got "`given`"".
Error refuse_argument(std::string_view argument, std::string_view must, std::string_view given);

/// `given`, a path from the argument `argument`, relative to the root with `/` between names.
///
/// Absolute paths may go through symbolic links. Errors: kInvalidArgument when it leads out of the
/// root, names the root itself, or is no UTF-8.
Result<std::string> repository_path(const store::Workspace& workspace, std::string_view argument,
                                    std::string_view given);

/// A question about a symbol, of find_symbol and get_references: `symbol` must hold a name, and
/// `file_path`, when it is given, becomes a path relative to the root. Returns the files that the
/// question names. Errors: kInvalidArgument.
Result<std::vector<std::string>> check_symbol_question(const store::Workspace& workspace,
                                                       std::string_view symbol,
                                                       std::optional<std::string>& file_path);

/// `error` as the contract's failure: kInvalidArgument is a ValidationError, kNotFound a
/// FileNotFoundError, trouble with the store (kIo, kCorrupt, kBusy) `store_type`, everything else
/// `other_type`. What failed while the index was brought up to date first (answer_fresh() marks
/// it) is an IndexingError whatever its code.
ToolResult fail_with(const Error& error, std::string_view store_type, std::string_view other_type);

/// Those of `paths` whose file on disk is not the one that is indexed: changed or gone (by size and
/// modification time), or there and not indexed at all. Errors: those of the store.
Result<std::vector<std::string>> list_stale(const store::Workspace& workspace,
                                            store::CodeReader& reader,
                                            const std::set<std::string>& paths);

/// An answer that describes no file as it no longer is.
///
/// Waits for Services::await_ready, then asks `ask` inside one read transaction. `paths_of` names
/// the files that the answer tells about; `inputs` are files that the question names. Those that
/// have changed are indexed and the question is asked again, twice at most: a file that is written
/// all the time must not hold up the answer for ever. So are files whose stored facts turn out to
/// be damaged. What is behind after that, the answer says:
/// CallContext::staleness. All that waiting takes Services::patience at most. Errors: those of
/// `ask` (a missing file is looked for on disk first), of the store, and kCancelled; kBusy when a
/// file that the answer tells about has changed and another run keeps it from being indexed.
template <typename Answer>
Result<Answer> answer_fresh(
    const CallContext& context, const std::vector<std::string>& inputs,
    const std::function<Result<Answer>(store::CodeReader&)>& ask,
    const std::function<void(const Answer&, std::set<std::string>&)>& paths_of);

/// How many of `items` (JSON texts in an array, in order) fit into `max_bytes`, commas included; at
/// least one when there is any.
std::size_t count_fitting(const std::vector<std::string>& items, std::size_t max_bytes);

/// The bytes that a list's items may have in an answer of `max_bytes` that has `siblings` (the text
/// of an object) beside it, and says how it goes on.
std::size_t room_for_items(std::size_t max_bytes, std::string_view siblings);

/// A neighbour as answers list it: {"name", "file": {"path"}, "line"}, with `count`, `depth` and
/// `confidence` where they say something.
std::string neighbour_json(const graph::Neighbour& neighbour);

/// What `structured` ({"results": `array`, ...}) has beside its list, as an object; empty: nothing,
/// or `array` is no such list.
std::string beside_list(std::string_view array, std::string_view structured);

/// The contract's carrier of a list: the text is the bare array, structuredContent is
/// {"results": [...]} followed by the members of `siblings` (the text of a JSON object). Hosts that
/// show texts alone get these as a second text.
ToolResult list_result(const std::vector<std::string>& items, std::string_view siblings);

/// The contract's carrier of an object: text and structuredContent are `object`.
ToolResult object_result(std::string object);

/// The result of a question whose answer says whether it is stale.
template <typename Answer>
ToolResult question_result(const CallContext& context, Result<Answer> answer) {
  if (!answer.ok()) return fail_with(answer.error(), "DatabaseError", "SearchError");
  answer->is_stale = context.staleness != nullptr && !context.staleness->empty();
  return to_result(*answer);
}

// How answer_fresh() does it; not for use elsewhere.
namespace internal {
using Deadline = std::chrono::steady_clock::time_point;
Deadline deadline_of(const CallContext& context);
Result<void> refresh(const CallContext& context, std::vector<std::string> paths,
                     const std::vector<std::string>& damaged, Deadline deadline);
Result<std::string> await_ready(const CallContext& context, Deadline deadline);
void note_staleness(const CallContext& context, std::string behind, std::vector<std::string> files);
}  // namespace internal

template <typename Answer>
Result<Answer> answer_fresh(
    const CallContext& context, const std::vector<std::string>& inputs,
    const std::function<Result<Answer>(store::CodeReader&)>& ask,
    const std::function<void(const Answer&, std::set<std::string>&)>& paths_of) {
  constexpr int kMostRefreshes = 2;
  const internal::Deadline deadline = internal::deadline_of(context);
  CODEXMEM_ASSIGN(const std::string behind, internal::await_ready(context, deadline));
  store::Workspace& workspace = context.services->code->workspace;
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
      CODEXMEM_ASSIGN(stale, list_stale(workspace, *reader, paths));
      damaged = context.services->code->facts.take_damaged(*reader);
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

}  // namespace codexmem::mcp
