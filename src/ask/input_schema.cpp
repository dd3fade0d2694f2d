// A walk over the schema and the value, which stops at the first fault and writes a sentence for
// the caller. A validator of all of JSON Schema (valijson was tried) says "Failed to validate
// against ...", measures a string up to its first NUL, and took 13 s to compile.
//
// Tested by mcp/input_schema_test.cpp.
#include "ask/input_schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <map>
#include <utility>
#include <vector>

#include "base/text.h"
#include "text/json.h"
#include "text/line_pattern.h"

namespace codexmem::ask {

namespace {

using Patterns = std::map<std::string, LinePattern, std::less<>>;

constexpr std::size_t kMaxShownBytes = 60;

std::string shown(const Json& value) {
  if (value.is_string()) {
    const std::string& text = value.get_ref<const std::string&>();
    if (text.size() > kMaxShownBytes) {
      return fmt::format("{}... ({} characters)",
                         dump_json(Json(std::string(utf8_prefix(text, kMaxShownBytes)))),
                         code_point_count(text));
    }
  }
  if (value.is_number_float()) return fmt::format("{}", value.get<double>());  // 99, not 99.0
  if (value.is_array()) return fmt::format("an array of {}", value.size());
  if (value.is_object()) return "an object";
  return dump_json(value);
}

// "1 to 50", "at least 1", "at most 50" or nothing.
std::string bounds(const Json& schema, const char* low, const char* high) {
  const bool has_low = schema.contains(low);
  const bool has_high = schema.contains(high);
  if (has_low && has_high) return dump_json(schema[low]) + " to " + dump_json(schema[high]);
  if (has_low) return "at least " + dump_json(schema[low]);
  if (has_high) return "at most " + dump_json(schema[high]);
  return "";
}

bool is_whole(const Json& schema) {
  return schema.value("type", "") == "integer" || schema.contains("multipleOf");
}

// What a value must be, for people: "a string of 1 to 100 characters".
std::string wanted(const Json& schema) {
  if (schema.contains("enum")) {
    std::vector<std::string> choices;
    for (const Json& choice : schema["enum"]) choices.push_back(dump_json(choice));
    return "one of " + join(choices, ", ");
  }
  const std::string type = schema.value("type", "");
  if (type == "string") {
    if (schema.value("minLength", 0) == 1 && !schema.contains("maxLength")) {
      return "a string that is not empty";
    }
    const std::string size = bounds(schema, "minLength", "maxLength");
    const std::string form = schema.contains("pattern")
                                 ? " that matches " + schema["pattern"].get<std::string>()
                                 : std::string();
    return (size.empty() ? "a string" : "a string of " + size + " characters") + form;
  }
  if (type == "number" || type == "integer") {
    const std::string range = bounds(schema, "minimum", "maximum");
    const std::string name = is_whole(schema) ? "a whole number" : "a number";
    if (schema.contains("exclusiveMinimum")) {
      const std::string above = name + " above " + dump_json(schema["exclusiveMinimum"]);
      return range.empty() ? above : above + ", " + range;
    }
    if (range.empty()) return name;
    return name + (schema.contains("minimum") && schema.contains("maximum") ? " from " : " of ") +
           range;
  }
  if (type == "boolean") return "true or false";
  if (type == "array") {
    const std::string size = bounds(schema, "minItems", "maxItems");
    const std::string items =
        schema.contains("items") ? ", each " + wanted(schema["items"]) : std::string();
    return (size.empty() ? "an array" : "an array of " + size + " items") + items;
  }
  if (type == "object") return "an object";
  return "another value";
}

bool within(const Json& schema, const char* low, const char* high, double value) {
  return (!schema.contains(low) || value >= schema[low].get<double>()) &&
         (!schema.contains(high) || value <= schema[high].get<double>());
}

// Finds the first fault of a value. Lends the patterns.
class Walk {
 public:
  explicit Walk(const Patterns& patterns) : patterns_(patterns) {}
  std::optional<std::string> fault(const Json& schema, const Json& value,
                                   const std::string& name) const;

 private:
  std::optional<std::string> fault_in_object(const Json& schema, const Json& value,
                                             const std::string& name) const;
  std::optional<std::string> fault_in_text(const Json& schema, const std::string& text,
                                           const std::string& name) const;

  const Patterns& patterns_;
};

std::optional<std::string> Walk::fault_in_object(const Json& schema, const Json& value,
                                                 const std::string& name) const {
  const std::string prefix = name.empty() ? "" : name + ".";
  const Json properties = schema.value("properties", Json::object());
  for (const Json& required : schema.value("required", Json::array())) {
    const std::string& key = required.get_ref<const std::string&>();
    if (!value.contains(key)) {
      return fmt::format("{}{} is required and must be {}, got nothing", prefix, key,
                         wanted(properties.value(key, Json::object())));
    }
  }
  for (const auto& [key, property] : properties.items()) {
    if (!value.contains(key)) continue;
    if (auto found = fault(property, value[key], prefix + key)) return found;
  }
  return std::nullopt;
}

std::optional<std::string> Walk::fault_in_text(const Json& schema, const std::string& text,
                                               const std::string& name) const {
  if (text.find('\0') != std::string::npos) {
    return fmt::format("{} must not contain NUL characters", name);
  }
  const std::size_t length = code_point_count(text);
  if (!within(schema, "minLength", "maxLength", static_cast<double>(length))) {
    return fmt::format("{} must be {}, got {} characters", name, wanted(schema), length);
  }
  if (!schema.contains("pattern")) return std::nullopt;
  const auto pattern = patterns_.find(schema["pattern"].get_ref<const std::string&>());
  if (pattern->second.find(text, 0, text.size())) return std::nullopt;
  return fmt::format("{} must be {}, got {}", name, wanted(schema), shown(Json(text)));
}

std::optional<std::string> Walk::fault(const Json& schema, const Json& value,
                                       const std::string& name) const {
  const std::string type = schema.value("type", "");
  bool good = true;
  if (type == "object") {
    if (value.is_object()) return fault_in_object(schema, value, name);
    good = false;
  } else if (type == "array") {
    good = value.is_array() &&
           within(schema, "minItems", "maxItems", static_cast<double>(value.size()));
    if (good && schema.contains("items")) {
      for (std::size_t i = 0; i < value.size(); ++i) {
        if (auto found = fault(schema["items"], value[i], fmt::format("{}[{}]", name, i))) {
          return found;
        }
      }
    }
  } else if (type == "string") {
    good = value.is_string();
    if (good) {
      if (auto found = fault_in_text(schema, value.get_ref<const std::string&>(), name)) {
        return found;
      }
    }
  } else if (type == "number" || type == "integer") {
    const double number = value.is_number() ? value.get<double>() : 0;
    good = value.is_number() && within(schema, "minimum", "maximum", number) &&
           (!schema.contains("exclusiveMinimum") ||
            number > schema["exclusiveMinimum"].get<double>()) &&
           (!is_whole(schema) || number == std::floor(number));
  } else if (type == "boolean") {
    good = value.is_boolean();
  }
  if (good && schema.contains("enum")) {
    good = std::any_of(schema["enum"].begin(), schema["enum"].end(),
                       [&](const Json& choice) { return choice == value; });
  }
  if (good) return std::nullopt;
  return fmt::format("{} must be {}, got {}", name.empty() ? "arguments" : name, wanted(schema),
                     shown(value));
}

}  // namespace

struct InputSchema::Impl {
  Json schema;
  Patterns patterns;
  std::vector<std::string> names;       // the arguments that it knows
  std::vector<std::string> text_lists;  // arguments of which a lone text is a list

  std::string misspelt(const Json& arguments) const;
  Result<void> compile_patterns(const Json& part);
};

// Compiles each pattern of `part` of the schema.
Result<void> InputSchema::Impl::compile_patterns(const Json& part) {
  if (part.contains("pattern") && part["pattern"].is_string()) {
    const std::string& text = part["pattern"].get_ref<const std::string&>();
    CODEXMEM_ASSIGN(LinePattern pattern, LinePattern::make(text, {}));
    patterns.emplace(text, std::move(pattern));
  }
  if (part.contains("items")) CODEXMEM_TRY(compile_patterns(part["items"]));
  if (!part.contains("properties")) return {};
  for (const auto& [name, property] : part["properties"].items()) {
    CODEXMEM_TRY(compile_patterns(property));
  }
  return {};
}

// `unknown argument "pathh": did you mean "path"?` for the first argument that looks like it.
std::string InputSchema::Impl::misspelt(const Json& arguments) const {
  std::vector<std::string> unused;
  for (const std::string& name : names) {
    if (!arguments.contains(name)) unused.push_back(name);
  }
  for (const auto& [key, value] : arguments.items()) {
    if (key.size() > kMaxShownBytes) continue;
    if (std::find(names.begin(), names.end(), key) != names.end()) continue;
    if (const auto near = nearest(key, unused)) {
      return fmt::format("unknown argument \"{}\": did you mean \"{}\"?", key, *near);
    }
  }
  return "";
}

InputSchema::InputSchema(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
InputSchema::~InputSchema() = default;
InputSchema::InputSchema(InputSchema&&) noexcept = default;
InputSchema& InputSchema::operator=(InputSchema&&) noexcept = default;

Result<InputSchema> InputSchema::make(std::string_view schema, std::string_view whole_numbers,
                                      std::string_view text_lists) {
  try {
    auto impl = std::make_unique<Impl>();
    impl->schema = Json::parse(schema);
    if (impl->schema.value("type", "") != "object") {
      return Error{ErrorCode::kInvalidArgument, "an input schema is of type object"};
    }
    for (const std::string_view name : split(whole_numbers, ',')) {
      if (name.empty()) continue;
      impl->schema.at("properties").at(std::string(name))["multipleOf"] = 1;
    }
    for (const std::string_view name : split(text_lists, ',')) {
      if (!name.empty()) impl->text_lists.emplace_back(name);
    }
    if (impl->schema.contains("properties")) {
      for (const auto& [name, property] : impl->schema["properties"].items()) {
        impl->names.push_back(name);
      }
    }
    CODEXMEM_TRY(impl->compile_patterns(impl->schema));
    return InputSchema(std::move(impl));
  } catch (const std::exception& error) {
    return Error{ErrorCode::kInvalidArgument, std::string("input schema: ") + error.what()};
  }
}

JsonValue InputSchema::read(const JsonValue& arguments) const {
  const auto properties = impl_->schema.find("properties");
  if (!arguments.is_object() || properties == impl_->schema.end()) return arguments;
  Json read = *static_cast<const Json*>(arguments.node());
  bool is_changed = false;
  for (auto& [name, value] : read.get_ref<Json::object_t&>()) {
    if (!value.is_string()) continue;
    const auto property = properties->find(name);
    if (property == properties->end()) continue;
    const std::string type = property->value("type", "");
    const bool is_list = std::find(impl_->text_lists.begin(), impl_->text_lists.end(), name) !=
                         impl_->text_lists.end();
    if (is_list) {
      value = Json::array({value});
      is_changed = true;
    } else if (type == "number" || type == "integer" || type == "boolean") {
      const Json meant =
          Json::parse(value.get_ref<const std::string&>(), nullptr, /*allow_exceptions=*/false);
      if (type == "boolean" ? !meant.is_boolean() : !meant.is_number()) continue;
      value = meant;
      is_changed = true;
    }
  }
  if (!is_changed) return arguments;
  const auto parsed = JsonValue::parse(dump_json(read));
  return parsed.ok() ? *parsed : arguments;
}

std::string InputSchema::note_on_unknown(const JsonValue& arguments) const {
  const Json& value = *static_cast<const Json*>(arguments.node());
  if (!value.is_object()) return "";
  if (std::string near = impl_->misspelt(value); !near.empty()) return near;
  constexpr std::size_t kMaxNamed = 5;
  std::vector<std::string> unknown;
  for (const auto& [key, ignored] : value.items()) {
    if (std::find(impl_->names.begin(), impl_->names.end(), key) != impl_->names.end()) continue;
    if (unknown.size() < kMaxNamed) unknown.push_back(shown(Json(key)));
  }
  if (unknown.empty()) return "";
  return fmt::format("unknown argument{} {}: known are {}", unknown.size() > 1 ? "s" : "",
                     join(unknown, ", "), join(impl_->names, ", "));
}

std::optional<std::string> InputSchema::find_fault(const JsonValue& arguments) const {
  try {
    const Json& value = *static_cast<const Json*>(arguments.node());
    const std::optional<std::string> found = Walk(impl_->patterns).fault(impl_->schema, value, "");
    if (!found) return std::nullopt;
    const std::string near = value.is_object() ? impl_->misspelt(value) : "";
    return near.empty() ? *found : fmt::format("{} ({})", *found, near);
  } catch (const std::exception& error) {
    return std::string("arguments cannot be validated: ") + error.what();
  }
}

}  // namespace codexmem::ask
