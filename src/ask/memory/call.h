// ask/memory/call.h - what questions about memory have in common: the memory, the code around it,
// and how they fail.
//
// Stateless; safe to use from many threads. Design: docs/how-it-works.md, "Memory",
// docs/how-it-works.md, "MCP".
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ask/answer.h"
#include "ask/context.h"
#include "ask/decision_rules.h"
#include "ask/arguments.h"
#include "ask/question.h"
#include "base/result.h"
#include "memory/entries/citations.h"
#include "memory/decisions/decision_roles.h"
#include "memory/memory.h"
#include "memory/entries/records.h"
#include "text/json_value.h"

namespace codexmem::ask {

/// What documents cite, and its state now.
using CitedStates = std::map<memory::DocumentKey, std::vector<memory::CitationState>>;

/// The code around a call, asked of those who have a repository's index. Functions may be empty:
/// then files and symbols are cited by their names, and no state is known.
struct CodeAround {
  std::function<Result<std::vector<memory::Citation>>(const memory::Mentions&)> cite = {};
  std::function<Result<CitedStates>(std::span<const memory::DocumentKey>)> look_up = {};
  std::function<Result<std::vector<RuleVerdict>>(const std::vector<DecisionRule>&)> judge = {};
};

/// A memory that is asked something.
struct MemoryCall {
  memory::Memory& memory;
  std::stop_token stop = {};
  CodeAround code = {};
  memory::Caller caller = memory.caller();  // of decisions
};

/// The project to write to: the one that is given, else the current one. Errors: kInvalidArgument
/// for another one when projects are isolated.
Result<std::string> project_to_write(const memory::Memory& memory, std::string_view given);

/// What `documents` cite. Trouble with it is no reason to keep an answer back: then nothing.
CitedStates look_up_code(const MemoryCall& call, std::span<const memory::DocumentKey> documents);

/// What `document` cites among `cited`.
std::span<const memory::CitationState> cited_by(const CitedStates& cited,
                                                memory::DocumentKey document);

/// Whether the code that `document` cites has changed; empty when it cites none.
std::string code_state_of(const CitedStates& cited, memory::DocumentKey document);

/// The code that `mentions` cites. `is_looked_up`: there is an index, so what it does not have is
/// missing.
struct CitedCode {
  std::vector<memory::Citation> citations;
  bool is_looked_up = false;
};
CitedCode cite_code(const MemoryCall& call, const memory::Mentions& mentions);

/// Writes the citations of `code` with a document; empty if none exist.
memory::DocumentWriter writer_of(const MemoryCall& call, CitedCode code);

/// The failure of the memory and observation tools: text "CODE: message", the object {code,
/// message, details}. CODE is INVALID_ARGUMENT, POLICY_BLOCKED, ENTRY_NOT_FOUND, MIGRATION_FAILURE
/// for a store that is newer than this program or could not be brought up to date, else
/// STORAGE_FAILURE.
Failure memory_failure(const Error& error);

/// The failure of the decision tools: {status: "error", message}.
Failure decision_failure(const Error& error);

/// The params of `question`, about memory. `Params` may have complete(memory, given), which checks
/// them and derives further members. Errors: kInvalidArgument.
template <typename Params>
Result<Params> read_params(const Question& question, const memory::Memory& memory,
                           const ToolArguments& given) {
  Params params;
  CODEXMEM_TRY(read_arguments(question, given, /*whole_lists=*/false, &params));
  if constexpr (requires { params.complete(memory, given); }) {
    CODEXMEM_TRY(params.complete(memory, given));
  }
  return params;
}

/// Reads the params of `question` and runs it: run() takes `Params`.
template <typename Params>
auto answer_to(const Question& question, const MemoryCall& call, const ToolArguments& given)
    -> decltype(run(call, std::declval<Params>())) {
  CODEXMEM_ASSIGN(Params params, read_params<Params>(question, call.memory, given));
  return run(call, std::move(params));
}

/// Opens the memory that `context` has and gives `answer` the call. Code that is cited is looked at
/// as it is on disk; the rest of the index is taken as it is, for memory must not wait for it.
/// Errors: the store's and `answer`'s.
Result<std::unique_ptr<Answer>> with_memory(
    const Context& context,
    const std::function<Result<std::unique_ptr<Answer>>(const MemoryCall& call)>& answer);

/// Question::run of a question about memory.
template <typename Params>
Result<std::unique_ptr<Answer>> run_memory_question(const Question& question,
                                                    const Context& context,
                                                    const JsonValue& arguments) {
  return with_memory(context, [&](const MemoryCall& call) {
    return boxed(answer_to<Params>(question, call, ToolArguments::of(arguments)));
  });
}

}  // namespace codexmem::ask
