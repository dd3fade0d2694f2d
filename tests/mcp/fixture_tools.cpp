#include "mcp/fixture_tools.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stdexcept>

namespace codexmem::mcp::testing {

namespace {

constexpr std::string_view kAnything = R"({"type":"object"})";

ToolResult echo(const JsonValue& arguments, const CallContext&) {
  return {false, arguments.dump(), arguments.dump()};
}

ToolResult meet(const JsonValue& arguments, const CallContext&) {
  static std::mutex mutex;
  static std::condition_variable changed;
  static int present = 0;
  static int meetings = 0;
  const auto count = arguments.member("count").integer().value_or(1);
  std::unique_lock lock(mutex);
  const int meeting = meetings;
  if (++present == count) {
    present = 0;
    ++meetings;
    changed.notify_all();
  } else if (!changed.wait_for(lock, std::chrono::seconds(10),
                               [&] { return meetings != meeting; })) {
    --present;
    return make_failure("SearchError", "the others did not come");
  }
  return {false, "met", R"({"met":true})"};
}

std::atomic<int> waiting = 0;

ToolResult wait(const JsonValue&, const CallContext& context) {
  ++waiting;
  std::mutex mutex;
  std::condition_variable_any changed;
  std::unique_lock lock(mutex);
  changed.wait(lock, context.stop, [] { return false; });
  --waiting;
  return {false, "stopped", R"({"stopped":true})"};
}

ToolResult steps(const JsonValue& arguments, const CallContext& context) {
  const auto count = arguments.member("count").integer().value_or(3);
  for (int i = 1; i <= count; ++i) {
    context.progress({static_cast<double>(i), static_cast<double>(count), "step"});
  }
  context.progress({static_cast<double>(count), static_cast<double>(count), "again"});
  return {false, "done", "{}"};
}

ToolResult talk(const JsonValue&, const CallContext& context) {
  for (int i = 0; i < 8; ++i) context.log(static_cast<LogSeverity>(i), "a \"quoted\" line\n");
  return {false, "done", "{}"};
}

ToolResult fail(const JsonValue&, const CallContext&) {
  return make_failure("FileNotFoundError", "no file \"a.ts\"");
}

ToolResult throw_something(const JsonValue& arguments, const CallContext&) {
  if (arguments.member("kind").string() == "int") throw 7;
  throw std::runtime_error("thrown");
}

constexpr std::string_view kEchoSchema = R"json({
  "type": "object",
  "properties": {
    "text": {"type": "string", "minLength": 1, "maxLength": 10},
    "count": {"type": "number", "minimum": 1, "maximum": 50, "default": 10},
    "share": {"type": "number", "minimum": 0.0, "maximum": 1.0},
    "kind": {"type": "string", "enum": ["class", "function"]},
    "flag": {"type": "boolean"},
    "list": {"type": "array", "items": {"type": "string", "minLength": 1}, "maxItems": 3}
  },
  "required": ["text"]
})json";

Tool tool(std::string_view name, std::string_view schema,
          ToolResult (*run)(const JsonValue&, const CallContext&)) {
  Tool row;
  row.name = name;
  row.title = name;
  row.description = "A tool for tests.";
  row.groups = name == "echo" ? "plain" : "odd";
  row.input_schema = schema;
  row.output_schema = kAnything;
  row.whole_numbers = name == "echo" ? "count" : "";
  row.failure_type = "SearchError";
  row.answer = run;
  return row;
}

}  // namespace

int waiting_calls() { return waiting; }

std::span<const Tool> fixture_tools() {
  static const Tool kTools[] = {
      tool("echo", kEchoSchema, echo),
      tool("meet", kAnything, meet),
      tool("wait", kAnything, wait),
      tool("steps", kAnything, steps),
      tool("talk", kAnything, talk),
      tool("fail", kAnything, fail),
      tool("throw", kAnything, throw_something),
  };
  return kTools;
}

}  // namespace codexmem::mcp::testing
