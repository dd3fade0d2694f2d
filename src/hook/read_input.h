// hook/read_input.h - reads the one JSON value that a host writes to a hook.
//
// Hosts may keep the pipe open behind it, so its end is where the value ends. Thread-safe.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace codexmem::hook {

/// The most that is read of a host, in bytes.
inline constexpr std::size_t kMaxInput = std::size_t{16} << 20;

/// Finds where the first JSON object or array of a text ends while the text comes in. Whether it
/// is well-formed is not asked.
class ValueEnd {
 public:
  /// Takes the next bytes and returns how many of them belong to the value, once it is complete.
  /// Another value has no end.
  std::optional<std::size_t> take(std::string_view bytes);

 private:
  std::size_t depth_ = 0;
  bool has_begun_ = false, is_other_ = false, in_string_ = false, is_escaped_ = false;
};

/// Reads from `descriptor` up to the end of the first value, the end of the file, `limit` from now,
/// or an error, and returns what came. Nothing when it is more than kMaxInput.
std::optional<std::string> read_input(int descriptor, std::chrono::milliseconds limit);

}  // namespace codexmem::hook
