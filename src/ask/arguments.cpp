#include "ask/arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "base/text.h"

namespace codexmem::ask {

std::size_t whole_argument(const JsonValue& arguments, std::string_view name,
                           std::size_t otherwise) {
  const auto value = arguments.member(name).integer();
  return value && *value >= 0 ? static_cast<std::size_t>(*value) : otherwise;
}

std::vector<std::string> texts_argument(const JsonValue& arguments, std::string_view name) {
  const JsonValue value = arguments.member(name);
  if (auto one = value.string()) return {*std::move(one)};
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < value.size(); ++i) {
    texts.push_back(value.element(i).string().value_or(""));
  }
  return texts;
}

std::size_t answer_bytes(const JsonValue& arguments, std::size_t otherwise) {
  const std::size_t tokens = whole_argument(arguments, "max_tokens", 0);
  return tokens > 0 ? tokens * kBytesPerToken : otherwise;
}

std::size_t list_bytes(const Context& context, const JsonValue& arguments) {
  return answer_bytes(arguments, context.whole_lists ? SIZE_MAX : kLongAnswerBytes);
}

Error refuse_argument(std::string_view argument, std::string_view must, std::string_view given) {
  return {ErrorCode::kInvalidArgument,
          fmt::format("{} must {}, got \"{}\"", argument, must, utf8_prefix(given, 200))};
}

std::size_t count_fitting(const std::vector<std::string>& items, std::size_t max_bytes) {
  return write_fitting(items.size(), max_bytes, [&](std::size_t i) { return items[i]; }).size();
}

std::vector<std::string> write_fitting(std::size_t count, std::size_t max_bytes,
                                       const std::function<std::string(std::size_t)>& write) {
  std::vector<std::string> items;
  for (std::size_t bytes = 0; items.size() < count;) {
    std::string item = write(items.size());
    bytes += item.size() + 1;
    if (bytes > max_bytes && !items.empty()) break;
    items.push_back(std::move(item));
  }
  return items;
}

std::size_t room_for_items(std::size_t max_bytes, std::string_view siblings) {
  constexpr std::size_t kFrameBytes = 70;  // {"results":[]} and omitted, nextOffset of six digits
  const std::size_t beside = siblings.size() + kFrameBytes;
  return max_bytes > beside ? max_bytes - beside : 0;
}

}  // namespace codexmem::ask
