// Tested by hook/read_input_test.cpp.
#include "hook/read_input.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <vector>

namespace codexmem::hook {

std::optional<std::size_t> ValueEnd::take(std::string_view bytes) {
  for (std::size_t i = 0; i < bytes.size() && !is_other_; ++i) {
    const char c = bytes[i];
    if (in_string_) {
      // On to the next quote: an odd number of backslashes before it makes it one of the string's.
      const std::size_t quote = std::min(bytes.find('"', i), bytes.size());
      std::size_t run = quote;
      while (run > i && bytes[run - 1] == '\\') --run;
      is_escaped_ = ((quote - run) + (run == i && is_escaped_ ? 1 : 0)) % 2 == 1;
      if (quote == bytes.size()) return std::nullopt;
      in_string_ = is_escaped_;
      is_escaped_ = false;
      i = quote;
      continue;
    }
    if (c == '{' || c == '[') {
      has_begun_ = true;
      ++depth_;
    } else if (!has_begun_) {
      is_other_ = c != ' ' && c != '\t' && c != '\r' && c != '\n';
    } else if (c == '"') {
      in_string_ = true;
    } else if ((c == '}' || c == ']') && --depth_ == 0) {
      return i + 1;
    }
  }
  return std::nullopt;
}

std::optional<std::string> read_input(int descriptor, std::chrono::milliseconds limit) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point end = Clock::now() + limit;
  std::string text;
  ValueEnd value;
  std::vector<char> buffer(std::size_t{64} << 10);
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
    pollfd waited{descriptor, POLLIN, 0};
    const int ready = ::poll(&waited, 1, left > 0 ? static_cast<int>(left) : 0);
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return text;
    const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    const std::string_view bytes(buffer.data(), static_cast<std::size_t>(count));
    const auto last = value.take(bytes);
    text += bytes.substr(0, last.value_or(bytes.size()));
    if (text.size() > kMaxInput) return std::nullopt;
    if (last) return text;
  }
}

}  // namespace codexmem::hook
