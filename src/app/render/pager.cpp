// Tested by tests/terminal/terminal_test.py.
#include "app/render/pager.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "base/text.h"

namespace codexmem::app {
namespace {

// What a shell says of a program that is not there, or cannot be run.
constexpr int kNoProgram = 126;

bool is_in_path(const char* program) {
  const char* const path = std::getenv("PATH");
  for (const std::string_view folder : split(path == nullptr ? "" : path, ':')) {
    if (folder.starts_with('/') &&
        ::access((std::filesystem::path(folder) / program).c_str(), X_OK) == 0) {
      return true;
    }
  }
  return false;
}

// A signal that is not ours to act upon while the pager runs.
class Ignored {
 public:
  explicit Ignored(int number) : number_(number) {
    struct sigaction ignore {};
    ignore.sa_handler = SIG_IGN;
    ::sigaction(number, &ignore, &before_);
  }
  ~Ignored() { ::sigaction(number_, &before_, nullptr); }
  Ignored(const Ignored&) = delete;
  Ignored& operator=(const Ignored&) = delete;

 private:
  int number_;
  struct sigaction before_ {};
};

}  // namespace

std::string pager_command() {
  for (const char* const name : {"CODEXMEM_PAGER", "PAGER"}) {
    const char* const value = std::getenv(name);
    if (value == nullptr) continue;
    const std::string command(trim(value));
    return command == "cat" ? std::string() : command;
  }
  return is_in_path("less") ? "less -FRX" : std::string();
}

bool show_in_pager(const std::string& command, std::string_view text) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return false;
  const Ignored interrupt(SIGINT), quit(SIGQUIT), pipe(SIGPIPE);
  const pid_t child = ::fork();
  if (child < 0) {
    ::close(ends[0]);
    ::close(ends[1]);
    return false;
  }
  if (child == 0) {
    for (const int number : {SIGINT, SIGQUIT, SIGPIPE}) ::signal(number, SIG_DFL);
    ::dup2(ends[0], STDIN_FILENO);
    ::setenv("LESS", "FRX", /*overwrite=*/0);  // for a pager that is just "less"
    ::execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    ::_exit(kNoProgram);
  }
  ::close(ends[0]);
  while (!text.empty()) {
    const ssize_t written = ::write(ends[1], text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) break;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  ::close(ends[1]);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  return code != kNoProgram && code != kNoProgram + 1;
}

}  // namespace codexmem::app
