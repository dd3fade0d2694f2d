#include "app/param_options.h"

#include <fmt/core.h>

#include <filesystem>
#include <iostream>
#include <iterator>
#include <utility>

#include "ask/arguments.h"
#include "ask/questions.h"
#include "base/file.h"
#include "base/text.h"
#include "base/symbol_type.h"
#include "memory/clock.h"
#include "memory/times.h"
#include "parse/rules/languages.h"
#include "text/json.h"

namespace codexmem::app {
namespace {

using ask::Param;
using ask::ParamType;
using ask::Takes;

bool is_word(const Param& param) { return !param.option.starts_with('-'); }

bool is_on_by_default(const Param& param) { return param.default_json == "true"; }

bool is_list(const Param& param) {
  switch (param.type) {
    case ParamType::kTexts:
    case ParamType::kTextOrList:
    case ParamType::kTextOrTexts:
      return true;
    default:
      return param.takes == Takes::kWords;
  }
}

bool is_number(const Param& param) {
  return param.type == ParamType::kNumber || param.type == ParamType::kWhole ||
         param.type == ParamType::kInteger;
}

// "--limit" of "-l,--limit".
std::string long_option(const Param& param) {
  const std::size_t at = param.option.find("--");
  return std::string(at == std::string_view::npos ? param.option : param.option.substr(at));
}

constexpr std::pair<std::string_view, std::string_view> kCommandOf[] = {
    {"repository_overview", "overview"}, {"search_code", "search"},
    {"find_symbol", "symbol"},           {"get_references", "refs"},
    {"analyze_dependencies", "deps"},    {"get_context", "context"},
    {"analyze_change", "impact"},        {"trace_calls", "trace"},
    {"unused_code", "unused"},           {"symbol_history", "history"},
    {"plan_rename", "rename"},           {"plan_change", "change"},
    {"list_routes", "routes"},
};

// The option of the argument `name` of `question`; empty if it has none.
std::string option_of(const ask::Question& question, std::string_view name) {
  for (const Param& param : question.params) {
    if (param.name == name) return long_option(param);
  }
  return {};
}

// What a shell calls the tool or argument `name`; empty when it is neither.
std::string shell_word_of(std::string_view name, const ask::Question* first) {
  for (const auto& [tool, command] : kCommandOf) {
    if (tool == name) return fmt::format("`codexmem {}`", command);
  }
  std::string option = first != nullptr ? option_of(*first, name) : "";
  for (const ask::Question* question : ask::questions()) {
    if (option.empty()) option = option_of(*question, name);
  }
  return option;
}

std::vector<std::string> known_languages() {
  std::vector<std::string> names;
  for (const parse::Language& language : parse::languages()) names.emplace_back(language.name);
  return names;
}

std::vector<std::string> known_extensions() {
  std::vector<std::string> all;
  for (const parse::Language& language : parse::languages()) {
    all.insert(all.end(), language.extensions.begin(), language.extensions.end());
  }
  return all;
}

std::vector<std::string> known_types() {
  std::vector<std::string> names;
  for (int type = 0; type <= static_cast<int>(SymbolType::kProperty); ++type) {
    names.emplace_back(symbol_type_name(static_cast<SymbolType>(type)));
  }
  return names;
}

void describe_values(const Param& param, Values& values) {
  if (!param.choices.empty()) {
    std::vector<std::string> all;
    for (const std::string_view choice : split(param.choices, ',')) all.emplace_back(choice);
    return values.are(std::move(all));
  }
  switch (param.takes) {
    case Takes::kFile:
    case Takes::kHere:
    case Takes::kTextFile:
      return values.are_files();
    case Takes::kFolder:
      return values.are_folders();
    case Takes::kPlace:
      return values.are_files_or_symbols();
    case Takes::kSymbol:
      return values.are_symbols();
    case Takes::kLanguage:
      return values.are(known_languages());
    case Takes::kExtension:
      return values.are(known_extensions());
    case Takes::kKind:
      return values.are(known_types());
    default:
      return;
  }
}

// A time as the question takes it: in UTC. Other text is passed on, and the question refuses it.
std::string read_typed_time(const std::string& typed, bool is_end) {
  const auto ms = memory::read_local_time(typed, memory::system_clock()(), is_end);
  return ms ? memory::iso_time(*ms) : typed;
}

std::string read_here(const std::string& typed) {
  std::error_code ignored;
  const auto path = std::filesystem::absolute(typed, ignored);
  return std::filesystem::exists(path, ignored) ? path.string() : typed;
}

Result<Json> read_text(const Param& param, const std::string& typed) {
  switch (param.takes) {
    case Takes::kInput: {
      CODEXMEM_ASSIGN(std::string text, text_or_input(typed));
      return Json(std::move(text));
    }
    case Takes::kTextFile: {
      CODEXMEM_ASSIGN(std::string text, typed == "-" ? text_or_input(typed)
                                                     : read_file(std::filesystem::path(typed)));
      return Json(std::move(text));
    }
    case Takes::kAnchor:
      return Json(ask::read_id(typed) ? typed : read_typed_time(typed, false));
    case Takes::kTime:
    case Takes::kEndTime:
      if (!memory::read_local_time(typed, 0)) {
        return Error{
            ErrorCode::kInvalidArgument,
            fmt::format("{} must be {}; got \"{}\"", long_option(param), kTimeHelp, typed)};
      }
      return Json(read_typed_time(typed, param.takes == Takes::kEndTime));
    default:
      break;
  }
  if (param.type != ParamType::kObject) return Json(typed);
  Json object = Json::parse(typed, nullptr, /*allow_exceptions=*/false);
  if (object.is_object()) return object;
  return Error{ErrorCode::kInvalidArgument, long_option(param) + " must be a JSON object"};
}

Json read_list(const Param& param, std::vector<std::string> typed) {
  if (param.takes == Takes::kWords) return Json(join(typed, " "));
  if (param.takes == Takes::kIds) return Json(split_ids(typed));
  if (param.takes == Takes::kHere) {
    for (std::string& each : typed) each = read_here(each);
  }
  return Json(typed);
}

}  // namespace

void ParamOptions::declare(Arguments& arguments, bool takes_words) {
  for (const Param& param : question_.params) {
    if (param.option.empty() || (is_word(param) && !takes_words)) continue;
    Typed& typed = typed_[param.name];
    const std::string names(param.option), help(param.help);
    if (param.type == ParamType::kFlag) {
      typed.flag = is_on_by_default(param);
      arguments.flag(names, typed.flag, help);
    } else if (is_number(param)) {
      arguments.number(names, typed.number, help);
    } else if (is_list(param)) {
      describe_values(param, arguments.texts(names, typed.texts, help, param.required,
                                             /*has_commas=*/param.takes == Takes::kSentence));
    } else if (param.required) {
      describe_values(param, arguments.text(names, typed.required_text, help, true));
    } else {
      describe_values(param, arguments.text(names, typed.text, help));
    }
  }
}

bool ParamOptions::has(std::string_view name) const {
  if (put_.contains(std::string(name))) return true;
  const auto found = typed_.find(name);
  if (found == typed_.end()) return false;
  const Typed& typed = found->second;
  return typed.text || typed.number || !typed.texts.empty() || typed.flag ||
         !typed.required_text.empty();
}

Result<JsonValue> ParamOptions::read(const PathReader& read_path) const {
  Json arguments = Json::object();
  for (const Param& param : question_.params) {
    const auto found = typed_.find(param.name);
    if (found == typed_.end()) continue;
    const Typed& typed = found->second;
    const std::string name(param.name);
    if (typed.flag != is_on_by_default(param)) arguments[name] = typed.flag;
    if (typed.number) arguments[name] = *typed.number;
    if (!typed.texts.empty()) arguments[name] = read_list(param, typed.texts);
    if (is_list(param) || is_number(param) || param.type == ParamType::kFlag) continue;
    if (!param.required && !typed.text) continue;
    const std::string& text = param.required ? typed.required_text : *typed.text;
    if ((param.takes == Takes::kFile || param.takes == Takes::kPlace) && read_path) {
      arguments[name] = read_path(text);
    } else {
      CODEXMEM_ASSIGN(arguments[name], read_text(param, text));
    }
  }
  for (const auto& [name, value] : put_) arguments[name] = Json::parse(value);
  return JsonValue::parse(dump_json(arguments));
}

std::string ParamOptions::in_options(const std::string& message) const {
  for (const Param& param : question_.params) {
    if (param.option.empty() || !message.starts_with(std::string(param.name) + " ")) continue;
    return long_option(param) + in_shell_words(message.substr(param.name.size()), &question_);
  }
  return in_shell_words(message, &question_);
}

std::string in_shell_words(std::string_view text, const ask::Question* question) {
  const std::vector<std::string_view> parts = split(text, '`');
  if (parts.size() % 2 == 0) return std::string(text);
  std::string out(parts.front());
  for (std::size_t i = 1; i + 1 < parts.size(); i += 2) {
    const std::string word = shell_word_of(parts[i], question);
    out += word.empty() ? fmt::format("`{}`", parts[i]) : word;
    out += parts[i + 1];
  }
  return out;
}

std::vector<std::string> split_ids(const std::vector<std::string>& words) {
  std::vector<std::string> ids;
  for (const std::string& word : words) {
    for (const std::string_view id : split(word, ',')) {
      if (!trim(id).empty()) ids.emplace_back(trim(id));
    }
  }
  return ids;
}

Result<std::string> text_or_input(const std::string& given) {
  if (given != "-") return given;
  std::string text{std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()};
  if (std::cin.bad()) return Error{ErrorCode::kIo, "standard input cannot be read"};
  return text;
}

}  // namespace codexmem::app
