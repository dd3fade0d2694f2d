#include "ask/memory/answer.h"

#include <algorithm>

#include "text/json.h"
#include "base/text.h"

namespace codexmem::ask {
namespace {

std::string_view code_of(const Error& error) {
  switch (error.code()) {
    case ErrorCode::kInvalidArgument:
      return "INVALID_ARGUMENT";
    case ErrorCode::kBlocked:
      return "POLICY_BLOCKED";
    case ErrorCode::kNotFound:
      return "ENTRY_NOT_FOUND";
    case ErrorCode::kUnsupported:
      return "MIGRATION_FAILURE";
    default:
      return error.message().starts_with("migration") ? "MIGRATION_FAILURE" : "STORAGE_FAILURE";
  }
}

}  // namespace

std::string failure_message(std::string_view message) {
  constexpr std::size_t kMostBytes = 2'000;
  if (message.size() <= kMostBytes) return std::string(message);
  return std::string(utf8_prefix(message, kMostBytes)) + "...";
}

Answer object_answer(std::string object) { return {false, object, object}; }

Answer list_answer(const std::vector<std::string>& items, std::string_view siblings) {
  std::string array = "[" + join(items, ",") + "]";
  std::string structured = "{\"results\":" + array;
  structured += siblings.size() > 2 ? "," + std::string(siblings.substr(1)) : "}";
  return {false, std::move(array), std::move(structured)};
}

Answer memory_failure(const Error& error) {
  const std::string_view code = code_of(error);
  Json details = nullptr;
  if (!error.details().empty()) details = Json::parse(error.details(), nullptr, false);
  if (!details.is_object()) details = nullptr;
  const std::string message = failure_message(error.message());
  const Json failure = {{"code", code}, {"message", message}, {"details", details}};
  return {true, std::string(code) + ": " + message, dump_json(failure),
          error.code() == ErrorCode::kInvalidArgument};
}

Answer decision_failure(const Error& error) {
  Json failure = {{"status", "error"}, {"message", failure_message(error.message())}};
  if (const Json details = Json::parse(error.details(), nullptr, false); details.is_object()) {
    failure["details"] = details;
  }
  std::string text = dump_json(failure);
  return {true, text, text, error.code() == ErrorCode::kInvalidArgument};
}

std::size_t count_fitting(const std::vector<std::string>& items, std::size_t max_bytes) {
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    bytes += items[i].size() + 1;
    if (bytes > max_bytes) return std::max<std::size_t>(i, 1);
  }
  return items.size();
}

}  // namespace codexmem::ask
