// bench/child.h - other programs: run to their end, or spoken to over MCP.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace codexmem::bench {

struct RunResult {
  double seconds = 0;         // from start to end
  std::int64_t peak_kib = 0;  // largest resident memory
  int exit_code = 0;
};

/// Runs `words` in `directory` with its output dropped. Ends this program when it cannot be
/// started.
RunResult run_child(const std::vector<std::string>& words, const std::string& directory);

/// A running MCP server on pipes. One thread.
class McpChild {
 public:
  McpChild(const std::vector<std::string>& words, const std::string& directory);
  /// Closes its input and waits for it.
  ~McpChild();
  McpChild(const McpChild&) = delete;
  McpChild& operator=(const McpChild&) = delete;

  /// Shakes hands.
  void initialize();

  /// Sends one line.
  void send(const std::string& line);

  /// The next line; nothing when the server has ended.
  std::optional<std::string> receive();

  /// Calls `tool` with `arguments` (JSON text) and waits for the answer, which is returned as it
  /// came. Ends this program when there is none.
  std::string call(std::string_view tool, const std::string& arguments);

  /// Sends all `calls` (tool, arguments) without waiting, then waits for as many answers.
  void call_all(const std::vector<std::pair<std::string, std::string>>& calls);

 private:
  void send_call(int id, std::string_view tool, const std::string& arguments);

  int input_ = -1, output_ = -1;
  pid_t pid_ = 0;
  int last_id_ = 0;
  std::string buffer_;
};

}  // namespace codexmem::bench
