// Tested by ask/memory_answers_test.cpp.
#include "ask/arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "text/json.h"
#include "base/text.h"
#include "memory/times.h"

namespace codexmem::ask {
namespace {

constexpr std::size_t kMaxShownValueBytes = 60;
constexpr std::int64_t kMaxId = std::int64_t{1} << 53;  // what JSON carries everywhere

// Epochs are taken for times from 2001 on; so many records nobody has.
constexpr double kFirstEpoch = 1e9;

std::optional<std::int64_t> whole_number_of(const Json& value) {
  if (value.is_number_unsigned()) {
    const auto number = value.get<std::uint64_t>();
    return number <= static_cast<std::uint64_t>(INT64_MAX)
               ? std::optional(static_cast<std::int64_t>(number))
               : std::optional(INT64_MAX);
  }
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (!value.is_number_float()) return std::nullopt;
  const double number = value.get<double>();
  if (number != std::floor(number)) return std::nullopt;
  return static_cast<std::int64_t>(std::clamp(number, -9e18, 9e18));
}

std::string shown_value(const Json& value) {
  if (value.is_string()) {
    const std::string& text = value.get_ref<const std::string&>();
    if (text.size() > kMaxShownValueBytes) {
      return fmt::format("{}... ({} characters)",
                         dump_json(Json(std::string(utf8_prefix(text, kMaxShownValueBytes)))),
                         code_point_count(text));
    }
  }
  if (value.is_array()) return fmt::format("an array of {}", value.size());
  if (value.is_object()) return "an object";
  if (value.is_number_float() && std::abs(value.get<double>()) < 1e15) {
    if (const auto number = whole_number_of(value)) return std::to_string(*number);  // 0, not 0.0
  }
  return dump_json(value);
}

// A text that means a number or a truth value as that: models write "5" and "true".
Json meant_value(const Json& value) {
  if (!value.is_string()) return value;
  Json read = Json::parse(value.get_ref<const std::string&>(), nullptr, /*allow_exceptions=*/false);
  return read.is_number() || read.is_boolean() ? read : value;
}

Error refuse_value(std::string_view name, std::string_view must, const Json* got) {
  return {ErrorCode::kInvalidArgument, fmt::format("{} must be {}, got {}", name, must,
                                                   got == nullptr ? "nothing" : shown_value(*got))};
}

// A text, without NULs, which would end it early elsewhere.
Result<std::string> plain_text(std::string_view name, std::string_view must, const Json& value) {
  if (!value.is_string()) return refuse_value(name, must, &value);
  std::string text = value.get<std::string>();
  std::erase(text, '\0');
  return text;
}

}  // namespace

std::string id_text(memory::DocumentKey key) {
  switch (memory::kind_of(key)) {
    case memory::DocumentKind::kEntry:
      return std::to_string(memory::id_of(key));
    case memory::DocumentKind::kSummary:
      return fmt::format("S{}", memory::id_of(key));
    case memory::DocumentKind::kPrompt:
      return fmt::format("P{}", memory::id_of(key));
    case memory::DocumentKind::kDecision:
      return fmt::format("D{}", memory::id_of(key));
  }
  return {};
}

std::optional<memory::DocumentKey> read_id(std::string_view text) {
  text = trim(text);
  if (text.starts_with('#')) text.remove_prefix(1);
  memory::DocumentKind kind = memory::DocumentKind::kEntry;
  if (text.starts_with('S') || text.starts_with('s')) kind = memory::DocumentKind::kSummary;
  if (text.starts_with('P') || text.starts_with('p')) kind = memory::DocumentKind::kPrompt;
  if (kind != memory::DocumentKind::kEntry) text.remove_prefix(1);
  std::int64_t id = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (error != std::errc() || end != text.data() + text.size() || id < 1 || id > kMaxId) {
    return std::nullopt;
  }
  return memory::document_key(kind, id);
}

Error refuse_argument(std::string_view argument, std::string_view must, std::string_view given) {
  return {ErrorCode::kInvalidArgument,
          fmt::format("{} must {}, got \"{}\"", argument, must, utf8_prefix(given, 200))};
}

struct ToolArguments::Impl {
  Json object;

  const Json* find(std::string_view name) const {
    const auto found = object.find(std::string(name));
    return found != object.end() && !found->is_null() ? &*found : nullptr;
  }
};

ToolArguments::ToolArguments(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ToolArguments::~ToolArguments() = default;
ToolArguments::ToolArguments(ToolArguments&&) noexcept = default;

Result<ToolArguments> ToolArguments::parse(std::string_view json) {
  auto impl = std::make_unique<Impl>();
  impl->object = Json::parse(json, nullptr, /*allow_exceptions=*/false);
  if (!impl->object.is_object()) {
    return Error{ErrorCode::kInvalidArgument, "arguments must be a JSON object"};
  }
  return ToolArguments(std::move(impl));
}

ToolArguments ToolArguments::of(const JsonValue& object) {
  auto impl = std::make_unique<Impl>();
  impl->object = object.is_object() ? Json::parse(object.dump()) : Json::object();
  return ToolArguments(std::move(impl));
}

ToolArguments ToolArguments::of(std::string_view name, std::string_view value) {
  auto impl = std::make_unique<Impl>();
  impl->object[std::string(name)] = Json::parse(value);
  return ToolArguments(std::move(impl));
}

bool ToolArguments::has(std::string_view name) const { return impl_->find(name) != nullptr; }

Result<std::string> ToolArguments::text(std::string_view name) const {
  const Json* const value = impl_->find(name);
  return value == nullptr ? Result<std::string>(std::string())
                          : plain_text(name, "a string", *value);
}

Result<std::string> ToolArguments::required_text(std::string_view name, std::size_t least) const {
  const std::string must = least > 1 ? fmt::format("a string of at least {} characters", least)
                                     : std::string("a string that is not empty");
  const Json* const value = impl_->find(name);
  if (value == nullptr) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("{} is required and must be {}, got nothing", name, must)};
  }
  CODEXMEM_ASSIGN(const std::string given, plain_text(name, must, *value));
  std::string text(trim(given));
  const std::size_t length = code_point_count(text);
  if (length >= least) return text;
  return Error{ErrorCode::kInvalidArgument,
               fmt::format("{} must be {}, got {}", name, must,
                           length == 0 ? "an empty one" : fmt::format("{} characters", length))};
}

Result<std::string> ToolArguments::choice(std::string_view name, std::string_view choices) const {
  const Json* const value = impl_->find(name);
  if (value == nullptr) return std::string();
  if (value->is_string()) {
    for (const std::string_view choice : split(choices, ',')) {
      if (*value == choice) return std::string(choice);
    }
  }
  std::vector<std::string> quoted;
  for (const std::string_view choice : split(choices, ',')) {
    quoted.push_back(fmt::format("\"{}\"", choice));
  }
  return refuse_value(name, "one of " + join(quoted, ", "), value);
}

Result<std::vector<std::string>> ToolArguments::texts(std::string_view name) const {
  constexpr std::string_view kMust = "a string or an array of strings";
  std::vector<std::string> result;
  const Json* const value = impl_->find(name);
  if (value == nullptr) return result;
  const auto add = [&](std::string_view part) {
    const std::string_view text = trim(part);
    if (!text.empty()) result.emplace_back(text);
  };
  if (!value->is_array()) {
    CODEXMEM_ASSIGN(const std::string list, plain_text(name, kMust, *value));
    for (const std::string_view part : split(list, ',')) add(part);
    return result;
  }
  // The texts of a list may have commas.
  CODEXMEM_ASSIGN(const auto items, text_list(name));
  for (const std::string& item : items) add(item);
  return result;
}

Result<std::vector<std::string>> ToolArguments::text_list(std::string_view name) const {
  std::vector<std::string> result;
  const Json* const value = impl_->find(name);
  if (value == nullptr) return result;
  if (!value->is_array()) return refuse_value(name, "an array of strings", value);
  for (std::size_t i = 0; i < value->size(); ++i) {
    CODEXMEM_ASSIGN(std::string item,
                    plain_text(fmt::format("{}[{}]", name, i), "a string", (*value)[i]));
    result.push_back(std::move(item));
  }
  return result;
}

Result<std::size_t> ToolArguments::clamped(std::string_view name, std::size_t otherwise,
                                           std::size_t least, std::size_t most) const {
  const Json* const value = impl_->find(name);
  if (value == nullptr) return otherwise;
  const auto number = whole_number_of(meant_value(*value));
  if (!number || *number < static_cast<std::int64_t>(least)) {
    return refuse_value(name, fmt::format("a whole number of at least {}", least), value);
  }
  return std::min(static_cast<std::size_t>(*number), most);
}

Result<std::size_t> ToolArguments::whole(std::string_view name, std::size_t otherwise,
                                         std::size_t least, std::size_t most) const {
  const Json* const value = impl_->find(name);
  if (value == nullptr) return otherwise;
  const auto number = whole_number_of(meant_value(*value));
  if (number && *number >= static_cast<std::int64_t>(least) &&
      *number <= static_cast<std::int64_t>(most)) {
    return static_cast<std::size_t>(*number);
  }
  return refuse_value(name, fmt::format("a whole number from {} to {}", least, most), value);
}

Result<double> ToolArguments::number(std::string_view name, double otherwise) const {
  const Json* const value = impl_->find(name);
  if (value == nullptr) return otherwise;
  const Json number = meant_value(*value);
  if (number.is_number()) return number.get<double>();
  return refuse_value(name, "a number", value);
}

Result<double> ToolArguments::positive(std::string_view name, double otherwise) const {
  const Json* const value = impl_->find(name);
  if (value == nullptr) return otherwise;
  const Json number = meant_value(*value);
  if (number.is_number() && number.get<double>() > 0) return number.get<double>();
  return refuse_value(name, "a number above 0", value);
}

Result<bool> ToolArguments::boolean(std::string_view name, bool otherwise) const {
  const Json* const value = impl_->find(name);
  if (value == nullptr) return otherwise;
  const Json flag = meant_value(*value);
  if (flag.is_boolean()) return flag.get<bool>();
  return refuse_value(name, "true or false", value);
}

Result<std::optional<std::int64_t>> ToolArguments::time(std::string_view name, bool is_end) const {
  const Json* const value = impl_->find(name);
  std::optional<std::int64_t> ms;
  if (value == nullptr) return ms;
  if (value->is_number()) ms = memory::read_epoch(value->get<double>());
  if (value->is_string())
    ms = memory::read_filter_time(value->get_ref<const std::string&>(), is_end);
  if (ms) return ms;
  return refuse_value(name, "a date, an ISO 8601 time, or an epoch in seconds or milliseconds",
                      value);
}

Result<std::string> ToolArguments::object(std::string_view name) const {
  const Json* const value = impl_->find(name);
  if (value == nullptr) return std::string();
  if (!value->is_object()) return refuse_value(name, "an object", value);
  return dump_json(*value);
}

Result<std::optional<ToolArguments::Anchor>> ToolArguments::anchor(std::string_view name) const {
  const Json* const value = impl_->find(name);
  std::optional<Anchor> anchor;
  if (value == nullptr) return anchor;
  std::string text;
  if (value->is_string()) text = trim(value->get_ref<const std::string&>());
  if (const auto number = whole_number_of(*value)) text = std::to_string(*number);
  if (value->is_string() && text.empty()) return anchor;
  const auto key = read_id(text);
  const bool is_epoch = key && memory::kind_of(*key) == memory::DocumentKind::kEntry &&
                        static_cast<double>(memory::id_of(*key)) >= kFirstEpoch;
  if (key && !is_epoch) return std::optional<Anchor>(*key);
  if (const auto ms = text.empty() ? std::nullopt : memory::read_filter_time(text)) {
    return std::optional<Anchor>(*ms);
  }
  return refuse_value(name, "an id (12, \"#12\", \"S12\", \"P12\") or a time", value);
}

Result<std::vector<std::string>> ToolArguments::ids(std::string_view name) const {
  std::vector<std::string> result;
  const Json* const value = impl_->find(name);
  if (value == nullptr || !value->is_array()) return refuse_value(name, "an array of ids", value);
  for (std::size_t i = 0; i < value->size(); ++i) {
    const Json& item = (*value)[i];
    if (const auto number = whole_number_of(item)) {
      result.push_back(std::to_string(*number));
    } else if (item.is_string()) {
      result.push_back(item.get<std::string>());
    } else {
      return refuse_value(fmt::format("{}[{}]", name, i), "an id such as \"12\"", &item);
    }
  }
  return result;
}

Result<std::vector<std::int64_t>> ToolArguments::integers(std::string_view name) const {
  std::vector<std::int64_t> result;
  const Json* const value = impl_->find(name);
  if (value == nullptr || !value->is_array()) {
    return Error{ErrorCode::kInvalidArgument, fmt::format("{} must be an array of numbers", name)};
  }
  for (const Json& item : *value) {
    const auto number = whole_number_of(item);
    if (!number) {
      return Error{
          ErrorCode::kInvalidArgument,
          fmt::format("All {} must be integers, got {}{}", name, shown_value(item),
                      item.is_string() ? "; get_entries takes \"#12\", \"S3\", \"P4\"" : "")};
    }
    result.push_back(*number);
  }
  return result;
}

}  // namespace codexmem::ask
