// The program codexmem-hook: `codexmem hook` alone, without the libraries of the other commands,
// because coding tools start it at every use of a tool.
#include <malloc.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <string_view>

#include "hook/hook.h"

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a write beyond the limit of file sizes fails as on a full disk
  std::signal(SIGPIPE, SIG_IGN);
  // A long answer is copied several times: allocated memory is reused.
  ::mallopt(M_MMAP_THRESHOLD, 32 << 20);
  ::mallopt(M_TRIM_THRESHOLD, 256 << 20);
  if (argc == 2 && (std::string_view(argv[1]) == "--help" || std::string_view(argv[1]) == "-h")) {
    std::fputs(codexmem::hook::hook_help().c_str(), stdout);
    return 0;
  }
  if (argc == 2 && std::string_view(argv[1]) == "--version") {
    std::puts("codexmem-hook " CODEXMEM_VERSION);
    return 0;
  }
  if (argc != 3) {
    std::fputs("Usage: codexmem-hook PLATFORM EVENT (more: codexmem-hook --help)\n", stderr);
    return 1;
  }
  return codexmem::hook::run_hook(argv[1], argv[2], STDIN_FILENO, STDOUT_FILENO);
}
