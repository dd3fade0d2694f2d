// base/log.h - diagnostics on standard error. Standard output belongs to the protocol and commands.
//
// Thread-safe. Levels: debug, info, warn, error, off; the default is warn.
#pragma once

#include <fmt/core.h>

#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace codexmem {

enum class LogLevel { kDebug, kInfo, kWarn, kError, kOff };

/// Sets the lowest level that is written.
void set_log_level(LogLevel level);

/// Sets the level by name; on an unknown name returns false and changes nothing.
bool set_log_level(std::string_view name);

/// Sets a function that returns the level's name. It is called when the first message is written,
/// because reading settings reads files. Call this before the first message.
void set_log_level_source(std::function<std::string()> name);

/// Begins each line with its time, for logs that are kept.
void log_with_times();

/// "2026-11-22T13:05:00.123Z ", the beginning of such a line.
std::string log_time();

void log_message(LogLevel level, std::string_view message);

template <typename... Args>
void log_debug(fmt::format_string<Args...> format, Args&&... args) {
  log_message(LogLevel::kDebug, fmt::format(format, std::forward<Args>(args)...));
}
template <typename... Args>
void log_info(fmt::format_string<Args...> format, Args&&... args) {
  log_message(LogLevel::kInfo, fmt::format(format, std::forward<Args>(args)...));
}
template <typename... Args>
void log_warn(fmt::format_string<Args...> format, Args&&... args) {
  log_message(LogLevel::kWarn, fmt::format(format, std::forward<Args>(args)...));
}
template <typename... Args>
void log_error(fmt::format_string<Args...> format, Args&&... args) {
  log_message(LogLevel::kError, fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace codexmem
