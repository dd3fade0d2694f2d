// Tested by tests/mcp/wrong_calls_test.py.
#include "ask/meant.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/path.h"
#include "base/text.h"
#include "text/json.h"

namespace codexmem::ask {

namespace {

// "filePath", "file-path" and "file_path" are one name.
std::string plain_name(std::string_view name) {
  std::string plain = to_lower_ascii(name);
  std::erase_if(plain, [](char c) { return c == '_' || c == '-' || c == ' '; });
  return plain;
}

bool is_list(const Param& param) {
  return param.type == ParamType::kTexts || param.type == ParamType::kTextOrList ||
         param.type == ParamType::kTextOrTexts;
}

const Param* find_param(const Question& question, std::string_view name) {
  const auto found = std::ranges::find(question.params, name, &Param::name);
  return found != question.params.end() ? &*found : nullptr;
}

// The parameter for which `name` is another name; only those that `taken` does not have.
const Param* find_by_other_name(const Question& question, std::string_view name,
                                const Json& taken) {
  const std::string plain = plain_name(name);
  for (const Param& param : question.params) {
    if (!taken.contains(param.name) && plain_name(param.name) == plain) return &param;
  }
  for (const Param& param : question.params) {
    if (taken.contains(param.name)) continue;
    for (const std::string_view also : split(param.also, ',')) {
      if (!also.empty() && plain_name(also) == plain) return &param;
    }
  }
  return nullptr;
}

// Whether `value` is how models leave an argument out.
bool is_left_out(const Param* param, const Json& value) {
  if (value.is_null()) return true;
  if (param == nullptr || (param->required && param->takes != Takes::kPlace)) return false;
  return value.is_string() && trim(value.get_ref<const std::string&>()).empty();
}

// A text as the list that it means: JSON, or parts with commas between.
Json list_of_text(const Param& param, const std::string& text) {
  if (trim(text).starts_with('[')) {
    Json list = Json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (list.is_array()) return list;
  }
  if (param.type != ParamType::kTexts) return text;  // one text is taken
  Json list = Json::array();
  if (param.takes == Takes::kSentence) return Json::array({text});
  for (const std::string_view part : split(text, ',')) {
    if (!trim(part).empty()) list.push_back(trim(part));
  }
  return list;
}

// The choice of `param` that `text` means; `text` itself when it means none.
std::string meant_choice(const Param& param, const std::string& text, std::string& note) {
  const std::string lower = to_lower_ascii(trim(text));
  const auto choices = split(param.choices, ',');
  for (const std::string_view choice : choices) {
    const bool is_plural =
        lower == std::string(choice) + "s" || lower == std::string(choice) + "es";
    if (lower == choice || is_plural) return std::string(choice);
  }
  for (const std::string_view word : split(param.words, ',')) {
    const std::size_t equals = word.find('=');
    if (lower.empty() || word.substr(0, equals) != lower) continue;
    const std::string choice(word.substr(equals + 1));
    note += fmt::format("{}{} \"{}\" was read as \"{}\".", note.empty() ? "" : " ", param.name,
                        text, choice);
    return choice;
  }
  return text;
}

// A qualified name of at most `most` bytes: one that is too long is as well known by its last
// parts.
std::string fitting_name(const std::string& text, std::size_t most) {
  std::string_view name = text;
  if (name.find('/') != std::string_view::npos) return text;  // a place
  while (name.size() > most) {
    const std::size_t sign = name.find_first_of(".:#\\");
    if (sign == std::string_view::npos) return text;
    name.remove_prefix(sign + 1);
  }
  return name.empty() ? text : std::string(name);
}

// Reads `value` as `param` has it.
Json as_meant(const Param& param, Json value, const std::filesystem::path& root,
              std::string& note) {
  if (is_list(param)) {
    if (value.is_number() && param.takes == Takes::kIds) value = Json::array({value});
    if (value.is_string()) value = list_of_text(param, value.get<std::string>());
  } else if (param.type == ParamType::kNumbers) {
    if (value.is_number()) value = Json::array({value});
  } else if (param.type == ParamType::kObject) {
    if (value.is_string()) {
      Json object =
          Json::parse(value.get_ref<const std::string&>(), nullptr, /*allow_exceptions=*/false);
      if (object.is_object()) value = std::move(object);
    }
  } else if (value.is_array() && value.size() == 1 && !value[0].is_structured()) {
    value = Json(value[0]);
  }
  const auto read_text = [&](Json& each) {
    if (!each.is_string()) return;
    std::string text = each.get<std::string>();
    const auto is_among = [&](std::string_view choices) {
      return is_one_of(text, split(choices, ','));
    };
    if (!param.choices.empty() && !is_among(param.choices) && !is_among(param.more_choices)) {
      text = meant_choice(param, text, note);
    } else if (param.is_lower_case || (param.takes == Takes::kKind && param.choices.empty())) {
      text = to_lower_ascii(text);
    } else if (param.takes == Takes::kSymbol && param.most) {
      text = fitting_name(text, static_cast<std::size_t>(*param.most));
    } else if (param.takes == Takes::kFile && param.type == ParamType::kTextOrTexts) {
      // Parts of paths, which need not exist.
      text = plain_path(text);
      if (!root.empty() && text.starts_with('/')) text = path_below(root, text).value_or(text);
    }
    each = std::move(text);
  };
  if (value.is_array()) {
    for (Json& each : value) read_text(each);
  } else {
    read_text(value);
  }
  return value;
}

// A symbol alone is a place.
void read_place(const Question& question, Json& arguments) {
  for (const Param& param : question.params) {
    if (param.takes != Takes::kPlace || arguments.contains(param.name)) continue;
    for (const Param& other : question.params) {
      if (other.takes != Takes::kSymbol || !arguments.contains(other.name)) continue;
      arguments[std::string(param.name)] = arguments[std::string(other.name)];
      arguments.erase(std::string(other.name));
      return;
    }
  }
}

}  // namespace

std::string_view unquoted(std::string_view text) {
  constexpr std::string_view kQuotes = "`'\"";
  text = trim(text);
  while (text.size() > 1 && text.front() == text.back() &&
         kQuotes.find(text.front()) != std::string_view::npos) {
    text = trim(text.substr(1, text.size() - 2));
  }
  return text;
}

std::string plain_path(std::string_view written) {
  constexpr std::string_view kDigits = "0123456789-";
  std::string_view text = unquoted(written);
  if (const std::size_t hash = text.rfind("#L"); hash != std::string_view::npos && hash > 0) {
    text = text.substr(0, hash);
  }
  for (std::size_t colon = text.rfind(':');
       colon != std::string_view::npos && colon > 0 && colon + 1 < text.size() &&
       text.find_first_not_of(kDigits, colon + 1) == std::string_view::npos;
       colon = text.rfind(':')) {
    text = text.substr(0, colon);
  }
  if (const auto path = path_of_uri(text)) return path->generic_string();
  if (text.size() > 1 && text.front() == '@') text.remove_prefix(1);
  std::string path(text);
  std::ranges::replace(path, '\\', '/');
  while (path.starts_with("./")) path.erase(0, 2);
  return path;
}

Meant read_meant(const Question& question, const JsonValue& given,
                 const std::filesystem::path& root) {
  Meant meant{given};
  if (!given.is_object() || question.params.empty()) return meant;
  const Json& object = *static_cast<const Json*>(given.node());
  Json known = Json::object(), unknown = Json::object();
  for (const auto& [name, value] : object.items()) {
    const Param* const param = find_param(question, name);
    if (is_left_out(param, value)) continue;
    (param != nullptr ? known : unknown)[name] = value;
  }
  for (const auto& [name, value] : unknown.items()) {
    const Param* const param = find_by_other_name(question, name, known);
    if (is_left_out(param, value)) continue;
    known[param != nullptr ? std::string(param->name) : name] = value;
  }
  read_place(question, known);
  for (const Param& param : question.params) {
    if (!known.contains(param.name)) continue;
    Json& value = known[std::string(param.name)];
    value = as_meant(param, value, root, meant.note);
  }
  if (known == object) return meant;
  if (auto read = JsonValue::parse(dump_json(known)); read.ok()) meant.arguments = *std::move(read);
  return meant;
}

}  // namespace codexmem::ask
