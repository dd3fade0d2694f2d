#include "child.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace codexmem::bench {
namespace {

[[noreturn]] void give_up(const std::string& why) {
  std::fprintf(stderr, "codexmem_bench: %s\n", why.c_str());
  std::exit(2);
}

// Starts `words`; the child's standard input and output are the descriptors given, -1: nothing.
pid_t start(const std::vector<std::string>& words, const std::string& directory, int input,
            int output) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t pid = ::fork();
  if (pid < 0) give_up("no process could be started");
  if (pid > 0) return pid;
  const int null = ::open("/dev/null", O_RDWR);
  ::dup2(input < 0 ? null : input, STDIN_FILENO);
  ::dup2(output < 0 ? null : output, STDOUT_FILENO);
  ::dup2(null, STDERR_FILENO);
  if (::chdir(directory.c_str()) == 0) ::execvp(arguments[0], arguments.data());
  ::_exit(127);
}

}  // namespace

RunResult run_child(const std::vector<std::string>& words, const std::string& directory) {
  const auto begin = std::chrono::steady_clock::now();
  const pid_t pid = start(words, directory, -1, -1);
  int status = 0;
  rusage usage{};
  while (::wait4(pid, &status, 0, &usage) < 0 && errno == EINTR) {
  }
  RunResult result;
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  result.peak_kib = usage.ru_maxrss;
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  if (result.exit_code == 127) give_up(fmt::format("{} could not be started", words[0]));
  return result;
}

McpChild::McpChild(const std::vector<std::string>& words, const std::string& directory) {
  int to_child[2], from_child[2];
  if (::pipe2(to_child, O_CLOEXEC) != 0 || ::pipe2(from_child, O_CLOEXEC) != 0) give_up("no pipe");
  pid_ = start(words, directory, to_child[0], from_child[1]);
  ::close(to_child[0]);
  ::close(from_child[1]);
  input_ = to_child[1];
  output_ = from_child[0];
}

McpChild::~McpChild() {
  ::close(input_);
  ::close(output_);
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void McpChild::send(const std::string& line) {
  const std::string bytes = line + "\n";
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t count = ::write(input_, bytes.data() + at, bytes.size() - at);
    if (count < 0) give_up("the server does not read");
    at += static_cast<std::size_t>(count);
  }
}

std::optional<std::string> McpChild::receive() {
  while (true) {
    if (const std::size_t end = buffer_.find('\n'); end != std::string::npos) {
      std::string line = buffer_.substr(0, end);
      buffer_.erase(0, end + 1);
      return line;
    }
    char bytes[65536];
    const ssize_t count = ::read(output_, bytes, sizeof bytes);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return std::nullopt;
    buffer_.append(bytes, static_cast<std::size_t>(count));
  }
}

void McpChild::initialize() {
  send(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18",)"
       R"("capabilities":{},"clientInfo":{"name":"codexmem_bench","version":"1"}}})");
  if (!receive()) give_up("the server ended before it answered initialize");
  send(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
}

void McpChild::send_call(int id, std::string_view tool, const std::string& arguments) {
  send(fmt::format(
      R"({{"jsonrpc":"2.0","id":{},"method":"tools/call","params":{{"name":"{}","arguments":{}}}}})",
      id, tool, arguments));
}

void McpChild::call_all(const std::vector<std::pair<std::string, std::string>>& calls) {
  for (const auto& [tool, arguments] : calls) send_call(++last_id_, tool, arguments);
  for (std::size_t left = calls.size(); left > 0;) {
    const std::optional<std::string> line = receive();
    if (!line) give_up("the server ended before it answered all calls");
    // Notifications have a method, answers have none.
    if (line->substr(0, 64).find("\"method\"") == std::string::npos) --left;
  }
}

std::string McpChild::call(std::string_view tool, const std::string& arguments) {
  const int id = ++last_id_;
  send_call(id, tool, arguments);
  const std::string mark = fmt::format("\"id\":{},", id),
                    last_mark = fmt::format("\"id\":{}}}", id);
  while (std::optional<std::string> line = receive()) {
    // The id stands at the start or at the end of an answer; notifications have none.
    if (line->substr(0, 64).find(mark) != std::string::npos || line->ends_with(last_mark)) {
      return *std::move(line);
    }
  }
  give_up(fmt::format("the server ended before it answered {}", tool));
}

}  // namespace codexmem::bench
