#include "base/log.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <chrono>
#include <ctime>
#include <memory>

#include "base/terminal_text.h"

namespace codexmem {
namespace {

spdlog::level::level_enum to_spdlog(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return spdlog::level::debug;
    case LogLevel::kInfo:
      return spdlog::level::info;
    case LogLevel::kWarn:
      return spdlog::level::warn;
    case LogLevel::kError:
      return spdlog::level::err;
    case LogLevel::kOff:
      return spdlog::level::off;
  }
  return spdlog::level::warn;
}

bool set_level_by_name(spdlog::logger& logger, std::string_view name) {
  for (const auto& [level_name, level] :
       {std::pair{"debug", LogLevel::kDebug}, std::pair{"info", LogLevel::kInfo},
        std::pair{"warn", LogLevel::kWarn}, std::pair{"error", LogLevel::kError},
        std::pair{"off", LogLevel::kOff}}) {
    if (name == level_name) {
      logger.set_level(to_spdlog(level));
      return true;
    }
  }
  return false;
}

std::function<std::string()>& level_source() {
  static std::function<std::string()> source;
  return source;
}

spdlog::logger& logger() {
  static const std::shared_ptr<spdlog::logger> instance = [] {
    auto made = std::make_shared<spdlog::logger>("codexmem",
                                                 std::make_shared<spdlog::sinks::stderr_sink_mt>());
    made->set_pattern("codexmem: %l: %v");
    made->set_level(spdlog::level::warn);
    if (level_source()) set_level_by_name(*made, level_source()());
    return made;
  }();
  return *instance;
}

}  // namespace

void set_log_level(LogLevel level) { logger().set_level(to_spdlog(level)); }

bool set_log_level(std::string_view name) { return set_level_by_name(logger(), name); }

void set_log_level_source(std::function<std::string()> name) { level_source() = std::move(name); }

void log_with_times() {
  logger().set_pattern("%Y-%m-%dT%H:%M:%S.%eZ codexmem: %l: %v", spdlog::pattern_time_type::utc);
}

std::string log_time() {
  const auto now = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
  std::tm utc{};
  ::gmtime_r(&seconds, &utc);
  char text[32];
  const std::size_t size = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &utc);
  return fmt::format("{}.{:03}Z ", std::string_view(text, size),
                     now.time_since_epoch().count() % 1'000);
}

void log_message(LogLevel level, std::string_view message) {
  if (!logger().should_log(to_spdlog(level))) return;
  logger().log(to_spdlog(level), terminal_line(message));
}

}  // namespace codexmem
