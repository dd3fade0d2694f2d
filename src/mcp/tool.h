// mcp/tool.h - a tool: one row that tools/list shows and tools/call runs.
//
// The product's follow from ask::questions() (mcp/tools.cpp), tests bring their own. Design:
// docs/how-it-works.md, "MCP".
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "ask/question.h"
#include "base/result.h"
#include "text/json_value.h"
#include "mcp/protocol.h"

namespace codexmem::mcp {

/// One running call: a question's context, and what the protocol adds to it.
struct CallContext : ask::Context {
  RequestContext request;
  std::function<void(LogSeverity, std::string_view message)> on_log;  // may be empty

  /// Asks the client something in the handshake era ("roots/list", "elicitation/create") and waits
  /// for its result. Errors: kUnsupported when it has not declared that it can, or the era has no
  /// such requests; kCancelled; kIo with the client's error. May be empty.
  std::function<Result<JsonValue>(std::string_view method, std::string params)> ask_client;

  /// Lets the connection of this call go, where the transport can take it up again (HTTP). May be
  /// empty.
  std::function<void()> hang_up;

  /// Stateless era: the client's answers to `input_required`, an object or absent, and its
  /// `requestState`, which was recently issued for this same request.
  JsonValue input_responses;
  std::optional<std::string> request_state = {};

  void log(LogSeverity severity, std::string_view message) const {
    if (on_log) on_log(severity, message);
  }
};

/// The result of a call.
struct ToolResult {
  bool is_error = false;
  std::string text;        // content[0].text
  std::string structured;  // structuredContent: a JSON object as text on one line; empty: none
  std::string siblings =
      {};                 // a second text, for hosts that show texts alone: what structuredContent
                          // has in addition to the list in the first, as JSON; may be empty
  std::string note = {};  // a further text: how stale the answer is; empty: not known to be
  std::string content = {};         // instead of the texts: the array of content blocks, as JSON
  std::string input_required = {};  // stateless era, instead of an answer: what the client has to
                                    // find out first, {inputRequests, requestState} as JSON
};

/// The answer to a question as content and structuredContent; a failure as an error.
ToolResult to_result(const ask::Outcome& outcome);
ToolResult to_result(ask::Failure failure);

/// The contract's failure: text "Error: TYPE - MESSAGE", structuredContent {type, message}.
ToolResult make_failure(std::string_view type, std::string_view message);

/// A tool: a question with the schema that models are shown, or a row of its own.
struct Tool : ask::Question {
  std::string_view input_schema;  // a JSON Schema of type object

  /// The arguments of schema type "number" that must be whole, with commas between.
  std::string_view whole_numbers = {};

  /// The question that the tool asks; null: answer() answers.
  const ask::Question* question = nullptr;

  /// Answers a call whose `arguments` are valid by the input schema. Safe to run from many threads.
  ToolResult (*answer)(const JsonValue& arguments, const CallContext& context) = nullptr;
};

/// `error` as a failure of `tool`.
ToolResult make_failure(const Tool& tool, const Error& error);

}  // namespace codexmem::mcp
