// Whatever a peer sends, the server answers in whole, valid messages and lives on.
//
// The input is what a client writes: its lines go to one session of a server with all that can be
// offered, of which the tools end by themselves. Checked are crashes and sanitizer reports, that
// every message sent is one line of valid JSON-RPC, and that after all of it a request is still
// answered.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "text/json.h"
#include "text/json_text.h"
#include "base/log.h"
#include "mcp/fixture_conformance.h"
#include "mcp/fixture_tools.h"
#include "mcp/server.h"

namespace {

using codexmem::Json;
using namespace codexmem::mcp;

constexpr std::string_view kLastRequest =
    R"({"jsonrpc":"2.0","id":"last","method":"server/discover","params":{"_meta":{)"
    R"("io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
    R"("io.modelcontextprotocol/clientCapabilities":{}}}})";

void require(bool condition) {
  if (!condition) __builtin_trap();
}

void check_message(const Json& message) {
  require(message.is_object() && message["jsonrpc"] == "2.0");
  if (message.contains("method")) {
    // A notification, or a question of ours.
    require(message["method"].is_string());
    require(!message.contains("id") || message["id"].get<std::string>().starts_with("server-"));
    return;
  }
  require(message.contains("id") && message.contains("result") != message.contains("error"));
  const Json& id = message["id"];
  require(id.is_string() || id.is_number() || id.is_null());
}

class LinesTransport : public Transport {
 public:
  explicit LinesTransport(std::string_view input) : rest_(input) {}

  Incoming receive() override {
    if (ended_) return {};
    if (rest_.empty()) {
      ended_ = true;
      return {Incoming::Kind::kMessage, std::string(kLastRequest), kLastRequest.size()};
    }
    const std::size_t end = rest_.find('\n');
    const std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    return {Incoming::Kind::kMessage, std::string(line), line.size()};
  }

  void send(std::string_view text) override {
    require(text.find('\n') == std::string_view::npos);
    const Json message = Json::parse(codexmem::repair_json(text));  // an id goes back as it came
    const std::lock_guard lock(mutex_);
    if (!message.is_array()) {
      check_message(message);
      if (message.contains("id") && message["id"] == "last") answered_ = true;
      return;
    }
    require(!message.empty());
    for (const Json& each : message) check_message(each);
  }

  void stop() noexcept override {}
  bool peer_listens() const override { return true; }
  bool answered() const { return answered_; }

 private:
  std::string_view rest_;
  bool ended_ = false;
  std::mutex mutex_;  // guards the next
  bool answered_ = false;
};

Server& server() {
  static Server* const kServer = [] {
    codexmem::set_log_level(codexmem::LogLevel::kOff);
    std::vector<Tool> rows;
    for (const Tool& row : codexmem::mcp::testing::fixture_tools()) {
      if (row.name != "meet" && row.name != "wait") rows.push_back(row);
    }
    for (const Tool& row : codexmem::mcp::testing::conformance_tools()) {
      // Those sleep.
      if (row.name.find("logging") == std::string_view::npos && row.name != "test_reconnection" &&
          row.name != "test_tool_with_progress") {
        rows.push_back(row);
      }
    }
    static const std::vector<Tool> kRows = std::move(rows);
    auto tools = ToolTable::make(kRows);
    require(tools.ok());
    Offer offer = codexmem::mcp::testing::conformance_offer();
    offer.tools = std::move(tools).value();
    ServerOptions options;
    options.page_size = 2;
    options.ask_time = std::chrono::milliseconds(1);
    options.workers.threads = 2;
    auto* const made = new Server(std::move(offer), nullptr, options);
    codexmem::mcp::testing::report_changes_to(made);
    return made;
  }();
  return *kServer;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  LinesTransport transport({reinterpret_cast<const char*>(data), size});
  server().serve(transport);
  require(transport.answered());
  return 0;
}
