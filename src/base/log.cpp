#include "base/log.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <cstdlib>
#include <memory>

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

spdlog::logger& logger() {
  static const std::shared_ptr<spdlog::logger> instance = [] {
    auto made = std::make_shared<spdlog::logger>("codexmem",
                                                 std::make_shared<spdlog::sinks::stderr_sink_mt>());
    made->set_pattern("codexmem %l: %v");
    made->set_level(spdlog::level::warn);
    if (const char* wanted = std::getenv("CODEXMEM_LOG")) set_level_by_name(*made, wanted);
    return made;
  }();
  return *instance;
}

}  // namespace

void set_log_level(LogLevel level) { logger().set_level(to_spdlog(level)); }

bool set_log_level(std::string_view name) { return set_level_by_name(logger(), name); }

void log_message(LogLevel level, std::string_view message) {
  logger().log(to_spdlog(level), spdlog::string_view_t(message.data(), message.size()));
}

}  // namespace codexmem
