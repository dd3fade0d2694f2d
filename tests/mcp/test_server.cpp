// A server over standard input and output for tests of the protocol with real clients.
//
//     mcp_test_server fixture          the fixture tools
//     mcp_test_server failures TYPE    the product's tools that may fail with TYPE, and do
//     mcp_test_server repository ROOT  the product's tools over ROOT, which is indexed first
//
// It also prints to standard output, which must not show in the protocol.
#include <algorithm>
#include <cstdio>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mcp/fixture_tools.h"
#include "ask/context.h"
#include "mcp/stdio_transport.h"
#include "ask/memory/call.h"
#include "mcp/tools.h"

namespace {

using namespace codexmem;

std::string failure_type;

// What the memory tools call which error.
constexpr std::pair<std::string_view, ErrorCode> kMemoryFailures[] = {
    {"INVALID_ARGUMENT", ErrorCode::kInvalidArgument}, {"POLICY_BLOCKED", ErrorCode::kBlocked},
    {"ENTRY_NOT_FOUND", ErrorCode::kNotFound},         {"STORAGE_FAILURE", ErrorCode::kIo},
    {"MIGRATION_FAILURE", ErrorCode::kUnsupported},
};

mcp::ToolResult fail_memory(const JsonValue&, const mcp::CallContext&) {
  for (const auto& [name, code] : kMemoryFailures) {
    if (name == failure_type) {
      return mcp::to_result(ask::memory_failure(
          {code, "as it was told to", R"({"rules":["jwt"],"fields":["text"]})"}));
    }
  }
  return {};
}

mcp::ToolResult fail(const JsonValue&, const mcp::CallContext&) {
  std::puts("a library prints");
  return mcp::make_failure(failure_type, "as it was told to");
}

int serve(std::span<const mcp::Tool> rows, ask::Services* services) {
  auto transport = mcp::StdioTransport::take_over();
  auto table = mcp::ToolTable::make(rows);
  // It introduces itself as the product does, whatever it offers.
  const auto product = mcp::ToolTable::make(mcp::tools());
  if (!transport.ok() || !table.ok() || !product.ok()) return 1;
  auto options = mcp::server_options("0.0.0-test", *product);
  mcp::Server server({.tools = std::move(table).value()}, services, std::move(options));
  server.serve(**transport);
  return 0;
}

int serve_repository(const std::string& root) {
  auto workspace = store::Workspace::open(root);
  if (!workspace.ok()) {
    std::fprintf(stderr, "%s\n", workspace.error().message().c_str());
    return 1;
  }
  search::SearchEngine engine(**workspace);
  graph::FactsCache facts;
  ask::CodeServices code{**workspace, engine, facts};
  if (const auto report = code.index({}, {}, {}); !report.ok()) {
    std::fprintf(stderr, "%s\n", report.error().message().c_str());
    return 1;
  }
  ask::Services services{.code = &code};
  return serve(mcp::tools(), &services);
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() == 1 && words[0] == "fixture") {
    return serve(mcp::testing::fixture_tools(), nullptr);
  }
  if (words.size() == 2 && words[0] == "failures") {
    failure_type = words[1];
    // A contract is recognised by the words of its failures; the failures of decisions are
    // sentences.
    const bool is_memory = std::any_of(std::begin(kMemoryFailures), std::end(kMemoryFailures),
                                       [](const auto& each) { return each.first == failure_type; });
    const bool is_decision = failure_type.find(' ') != std::string::npos;
    std::vector<mcp::Tool> rows;
    for (mcp::Tool row : mcp::tools()) {
      row.question = nullptr;
      auto* const contract = std::exchange(row.fail, nullptr);
      if (is_memory && contract == ask::memory_failure) {
        row.answer = fail_memory;
      } else if (is_decision && contract == ask::decision_failure) {
        row.answer = [](const JsonValue&, const mcp::CallContext&) {
          return mcp::to_result(
              ask::decision_failure({ErrorCode::kBlocked, failure_type + ": as it was told to"}));
        };
      } else if (!is_memory && !is_decision && contract == nullptr) {
        row.answer = fail;
      } else {
        continue;
      }
      rows.push_back(row);
    }
    return serve(rows, nullptr);
  }
  if (words.size() == 2 && words[0] == "repository") return serve_repository(words[1]);
  std::fprintf(stderr, "usage: mcp_test_server fixture | failures TYPE | repository ROOT\n");
  return 2;
}
