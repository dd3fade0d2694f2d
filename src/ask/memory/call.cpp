#include "ask/memory/call.h"

#include <chrono>
#include <optional>

#include "ask/budget.h"
#include "ask/cited_code.h"
#include "ask/question.h"
#include "base/text.h"
#include "text/json.h"
#include "text/json_object.h"

namespace codexmem::ask {
namespace {

// Memory must not wait for the code.
constexpr std::chrono::milliseconds kCodePatience{1'000};

std::string_view memory_code_of(const Error& error) {
  switch (error.code()) {
    case ErrorCode::kInvalidArgument:
      return "INVALID_ARGUMENT";
    case ErrorCode::kBlocked:
      return "POLICY_BLOCKED";
    case ErrorCode::kNotFound:
      return "ENTRY_NOT_FOUND";
    case ErrorCode::kUnsupported:
      return "MIGRATION_FAILURE";
    default:
      return error.message().starts_with("migration") ? "MIGRATION_FAILURE" : "STORAGE_FAILURE";
  }
}

Json details_of(const Error& error) {
  Json details = Json::parse(error.details(), nullptr, /*allow_exceptions=*/false);
  return details.is_object() ? details : Json(nullptr);
}

}  // namespace

Result<std::string> project_to_write(const memory::Memory& memory, std::string_view given) {
  std::string project = fold_whitespace(given);
  if (project.empty()) return memory.project();
  if (memory.shows(project)) return project;
  return Error{ErrorCode::kInvalidArgument,
               "project must be the current one while CODEXMEM_SCOPE=project"};
}

CitedStates look_up_code(const MemoryCall& call, std::span<const memory::DocumentKey> documents) {
  if (!call.code.look_up || documents.empty()) return {};
  auto states = call.code.look_up(documents);
  return states.ok() ? *std::move(states) : CitedStates();
}

std::span<const memory::CitationState> cited_by(const CitedStates& cited,
                                                memory::DocumentKey document) {
  const auto found = cited.find(document);
  if (found == cited.end()) return {};
  return found->second;
}

std::string code_state_of(const CitedStates& cited, memory::DocumentKey document) {
  const auto state = memory::code_state_of(cited_by(cited, document));
  return state ? std::string(memory::code_state_name(*state)) : std::string();
}

CitedCode cite_code(const MemoryCall& call, const memory::Mentions& mentions) {
  if (call.code.cite) {
    // The repository's trouble is no reason to lose a memory.
    if (auto cited = call.code.cite(mentions); cited.ok()) return {*std::move(cited), true};
  }
  return {memory::cite_by_name(call.memory.root(), mentions), false};
}

memory::DocumentWriter writer_of(const MemoryCall& call, CitedCode code) {
  if (code.citations.empty()) return {};
  return [citations = std::move(code.citations), now = call.memory.clock()()](
             store::Database& database, memory::DocumentKey document) {
    return memory::put_citations(database, document, citations, now);
  };
}

Failure memory_failure(const Error& error) {
  Failure failure;
  failure.type = memory_code_of(error);
  failure.message = failure_message(error.message());
  failure.text = failure.type + ": " + failure.message;
  failure.structured = json_object("code", failure.type, "message", failure.message, "details",
                                   JsonText{dump_json(details_of(error))})
                           .text;
  failure.blames_arguments = error.code() == ErrorCode::kInvalidArgument;
  return failure;
}

Failure decision_failure(const Error& error) {
  Failure failure;
  failure.message = failure_message(error.message());
  const Json details = details_of(error);
  failure.text = failure.structured =
      json_object("status", "error", "message", failure.message, "details",
                  json_if(details.is_object(), JsonText{dump_json(details)}));
  failure.blames_arguments = error.code() == ErrorCode::kInvalidArgument;
  return failure;
}

Result<std::unique_ptr<Answer>> with_memory(
    const Context& context,
    const std::function<Result<std::unique_ptr<Answer>>(const MemoryCall& call)>& answer) {
  if (context.services == nullptr || context.services->memory == nullptr) {
    return Error{ErrorCode::kIo, "there is no memory here"};
  }
  CODEXMEM_ASSIGN(memory::Memory* const opened, context.services->memory->get());
  MemoryCall call{.memory = *opened, .stop = context.stop};
  if (context.services->caller) call.caller = *context.services->caller;

  Services services = *context.services;
  std::optional<CodeServices> code;
  Context asking = context;
  asking.services = &services;
  asking.staleness = nullptr;  // the answer is about memories
  if (services.code != nullptr) {
    code.emplace(*services.code);
    code->await_ready = {};
    code->patience = kCodePatience;
    services.code = &*code;
    call.code.cite = [&](const memory::Mentions& mentions) {
      return find_cited_code(asking, mentions);
    };
    call.code.judge = [&](const std::vector<DecisionRule>& rules) {
      return judge_rules(asking, rules);
    };
  }
  call.code.look_up = [&](std::span<const memory::DocumentKey> documents) {
    return look_up_cited_code(asking, opened->store(), documents);
  };
  opened->look_around([&](const memory::Mentions& mentions) -> Result<memory::DocumentWriter> {
    return writer_of(call, cite_code(call, mentions));
  });
  return answer(call);
}

}  // namespace codexmem::ask
