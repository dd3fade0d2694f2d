// mcp/prompt.h - a workflow that a person starts by name, as messages for the model.
//
// Rows are constants; the product's are in mcp/prompts.h, tests bring their own. Source: the
// prompts pages of MCP 2025-11-25 and 2026-07-28. Design: docs/how-it-works.md, "MCP".
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "text/json_value.h"
#include "mcp/resource.h"
#include "mcp/tool.h"

namespace codexmem::mcp {

struct PromptArgument {
  std::string_view name;
  std::string_view title;
  std::string_view description;
  bool required = false;
};

struct PromptMessage {
  std::string_view role = "user";  // or "assistant"
  std::string content;             // a content block: a JSON object on one line
};

struct PromptResult {
  std::string description = {};
  std::vector<PromptMessage> messages;
  /// The stateless era's: what the client has to find out first, {inputRequests, requestState};
  /// then there are no messages. Empty: nothing.
  std::string input_required = {};
};

struct Prompt {
  std::string_view name;
  std::string_view title;
  std::string_view description;
  std::span<const PromptArgument> arguments;

  /// `arguments` is an object of strings that has all that are required. Errors: kInvalidArgument.
  Result<PromptResult> (*render)(const JsonValue& arguments, const CallContext& context) = nullptr;

  /// Null: nothing is proposed.
  Result<Completion> (*complete)(const CompletionQuestion& question,
                                 const CallContext& context) = nullptr;
};

/// A message of text.
PromptMessage text_message(std::string_view text);

}  // namespace codexmem::mcp
