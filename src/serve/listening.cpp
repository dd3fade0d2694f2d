#include "serve/listening.h"

#include <sys/resource.h>

#include <algorithm>
#include <charconv>

namespace codexmem::serve {

std::optional<int> parse_port(std::string_view text) {
  int port = -1;
  const char* const end = text.data() + text.size();
  if (std::from_chars(text.data(), end, port).ptr != end || port < 0 || port > 65'535) {
    return std::nullopt;
  }
  return port;
}

void allow_files() {
  constexpr rlim_t kFiles = 4'096;
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0) return;
  files.rlim_cur = std::min(files.rlim_max, kFiles);
  ::setrlimit(RLIMIT_NOFILE, &files);
}

}  // namespace codexmem::serve
