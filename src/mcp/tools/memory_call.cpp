#include "mcp/tools/memory_call.h"

#include <chrono>
#include <optional>
#include <utility>

#include "ask/cited_code.h"
#include "ask/context.h"
#include "base/text.h"

namespace codexmem::mcp {
namespace {

// What is remembered must not wait for the code: cited files are looked at as they are on disk, the
// rest of the index is taken as it is.
constexpr std::chrono::milliseconds kCodePatience{1'000};

// What `structured` ({"results": `array`, ...}) has beside its list, as an object; empty: nothing.
std::string beside_list(std::string_view array, std::string_view structured) {
  constexpr std::string_view kList = "{\"results\":";
  if (!array.starts_with('[') || !structured.starts_with(kList)) return {};
  const std::string_view rest =
      structured.substr(std::min(structured.size(), kList.size() + array.size()));
  return rest.starts_with(',') ? "{" + std::string(rest.substr(1)) : std::string();
}

}  // namespace

ToolResult to_result(memory::Answer answer) {
  ToolResult result{answer.is_error, std::move(answer.text), std::move(answer.structured)};
  result.beside = beside_list(result.text, result.structured);
  result.blames_arguments = answer.blames_arguments;
  return result;
}

ToolResult ask_memory(memory::Answer (*answer)(const memory::Call&, std::string_view arguments),
                      memory::Answer (*fail)(const Error&), const JsonValue& arguments,
                      const CallContext& context) {
  if (context.services == nullptr || context.services->memory == nullptr) {
    return to_result(fail({ErrorCode::kIo, "there is no memory here"}));
  }
  const auto opened = context.services->memory->get();
  if (!opened.ok()) return to_result(fail(opened.error()));
  memory::Memory& memory = **opened;
  memory::Call call{.memory = memory, .stop = context.stop};

  if (context.services->caller) call.caller = *context.services->caller;

  std::optional<ask::CodeServices> code;
  ask::Services services = *context.services;
  CallContext asking = context;
  asking.services = &services;
  asking.staleness = nullptr;  // the answer is about memories
  if (services.code != nullptr) {
    code.emplace(*services.code);
    code->await_ready = {};
    code->patience = kCodePatience;
    services.code = &*code;
    call.code.cite = [&asking](const memory::Mentions& mentions) {
      return ask::find_cited_code(asking, mentions);
    };
  }
  call.code.look_up = [&asking, &memory](std::span<const memory::DocumentKey> documents) {
    return ask::look_up_cited_code(asking, memory.store(), documents);
  };
  return to_result(answer(call, arguments.is_absent() ? "{}" : arguments.dump()));
}

}  // namespace codexmem::mcp
