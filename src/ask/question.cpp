#include "ask/question.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <filesystem>
#include <map>
#include <utility>

#include "ask/code/code_answer.h"
#include "ask/code/meant_places.h"
#include "ask/fresh.h"
#include "ask/input_schema.h"
#include "ask/meant.h"
#include "ask/questions.h"
#include "ask/revision.h"
#include "ask/united.h"
#include "text/json.h"
#include "base/log.h"
#include "base/text.h"

namespace codexmem::ask {

namespace {

Json of_type(const char* type) {
  Json json;
  json["type"] = type;
  return json;
}

Json list_of(const char* type) {
  Json json = of_type("array");
  json["items"] = of_type(type);
  return json;
}

Json type_json(ParamType type) {
  switch (type) {
    case ParamType::kText:
    case ParamType::kTextOrNumber:
      return of_type("string");
    case ParamType::kFlag:
      return of_type("boolean");
    case ParamType::kNumber:
    case ParamType::kWhole:
      return of_type("number");
    case ParamType::kInteger:
      return of_type("integer");
    case ParamType::kTexts:
    case ParamType::kTextOrList:
    case ParamType::kTextOrTexts:
      return list_of("string");
    case ParamType::kNumbers:
      return list_of("number");
    case ParamType::kObject:
      break;
  }
  return of_type("object");
}

Json bound_json(ParamType type, double bound) {
  return type == ParamType::kNumber ? Json(bound) : Json(std::llround(bound));
}

enum class Shown { kAll, kListed };

Json param_json(const Param& param, Shown shown) {
  // A list that may be a text with commas is listed as one: that is shorter.
  const bool is_text = shown == Shown::kListed && param.type == ParamType::kTextOrTexts;
  Json json = type_json(is_text ? ParamType::kText : param.type);
  const bool has_bounds = shown == Shown::kAll || param.lists_bounds;
  const std::string kind = json.value("type", "");
  const char* const of_what = kind == "string" ? "Length" : kind == "array" ? "Items" : "imum";
  if (param.least && has_bounds) {
    const std::string name = param.above_least ? "exclusiveMinimum" : std::string("min") + of_what;
    json[name] = bound_json(param.above_least ? ParamType::kWhole : param.type, *param.least);
  }
  if (param.most && has_bounds) {
    json[std::string("max") + of_what] = bound_json(param.type, *param.most);
  }
  if (!param.pattern.empty()) json["pattern"] = param.pattern;
  if (!param.choices.empty()) {
    for (const std::string_view choice : split(param.choices, ',')) json["enum"].push_back(choice);
  }
  if (!param.default_json.empty()) json["default"] = Json::parse(param.default_json);
  if (!param.description.empty()) json["description"] = param.description;
  return json;
}

std::string schema_json(const Question& question, Shown shown) {
  Json schema = of_type("object");
  Json required = Json::array();
  for (const Param& param : question.params) {
    if (shown == Shown::kListed && !param.listed) continue;
    schema["properties"][std::string(param.name)] = param_json(param, shown);
    if (param.required) required.push_back(param.name);
  }
  if (!required.empty()) schema["required"] = std::move(required);
  return dump_json(schema);
}

// With commas between.
std::string names_of_type(const Question& question, ParamType type) {
  std::vector<std::string> names;
  for (const Param& param : question.params) {
    if (param.type == type) names.emplace_back(param.name);
  }
  return join(names, ",");
}

const InputSchema& schema_of(const Question& question) {
  static const std::map<const Question*, InputSchema> kSchemas = [] {
    std::map<const Question*, InputSchema> all;
    for (const Question* each : questions()) {
      auto schema =
          InputSchema::make(input_schema(*each), whole_params(*each), text_list_params(*each));
      CODEXMEM_CHECK(schema.ok());
      all.emplace(each, std::move(schema).value());
    }
    return all;
  }();
  return kSchemas.at(&question);
}

// What the text argument `name` says, if the question takes it; else empty.
std::string argument_of(const Question& question, std::string_view name, const JsonValue& given) {
  return has_param(question, name) ? given.member(name).string().value_or("") : "";
}

// Puts the repository that the question is limited to into `context`.
Result<void> limit_to_repository(const std::string& name, Context& context) {
  if (name.empty()) return {};
  const UnitedCode* const united = context.has_code() ? context.code().united : nullptr;
  if (united == nullptr) {
    return Error{ErrorCode::kInvalidArgument,
                 "repository names one of a workspace, and this question is about one repository "
                 "only"};
  }
  if (united->find(name) == nullptr) return united->get_one(name).error();
  context.repository = name;
  return {};
}

// Asks one repository of the workspace of `context`: `services` are its own then. Says in `only` so
// where the question named none.
Result<void> ask_one(const Question& question, Context& context, Services& services,
                     OnlyRepository& only) {
  const UnitedCode& united = *context.code().united;
  const UnitedRepository* one = &united.home();
  if (has_param(question, kRepository)) {
    CODEXMEM_ASSIGN(one, united.get_one(context.repository));
    if (context.repository.empty()) only = {one->name, united.list_names(one->name)};
  }
  services = *context.services;
  services.code = one->code;
  context.services = &services;
  context.repository.clear();
  return {};
}

// What the answer says of the repositories.
std::vector<AnsweredRepository> list_answered(const Context& context, const Staleness& staleness) {
  const UnitedCode* const united = context.has_code() ? context.code().united : nullptr;
  if (united == nullptr) return {};
  return united->list_answered(staleness);
}

// What Param::when_too_long says of a text that is longer than it may be; may be empty.
std::string hint_for(const Question& question, const JsonValue& arguments) {
  for (const Param& param : question.params) {
    if (param.when_too_long.empty()) continue;
    const std::string text = argument_of(question, param.name, arguments);
    if (static_cast<double>(code_point_count(text)) > *param.most)
      return "; " + std::string(param.when_too_long);
  }
  return {};
}

// Asks again with the files and symbols that the arguments mean, when the first answer was in vain;
// says in `note` what was read otherwise.
void ask_as_meant(const Question& question, const InputSchema& schema, const Context& context,
                  const JsonValue& given, Result<std::unique_ptr<Answer>>& answer,
                  std::string& note) {
  const bool may_be_named_wrong = answer.ok()
                                      ? (*answer)->is_in_vain()
                                      : answer.error().code() == ErrorCode::kNotFound ||
                                            answer.error().code() == ErrorCode::kInvalidArgument;
  if (!may_be_named_wrong || !context.has_code() || is_in_group(question.groups, "memory")) return;
  if (!answer.ok() && is_of_indexing(answer.error())) return;
  auto meant = find_meant_places(question, context, given);
  if (!meant.ok()) return;
  if (meant->arguments) {
    auto again = question.run(question, context, schema.read(*meant->arguments));
    if (!again.ok() && answer.ok()) return;
    answer = std::move(again);
  }
  add_sentence(note, meant->note);
}

std::optional<Error> find_obstacle(const Question& question, const InputSchema& schema,
                                   const JsonValue& arguments, const Context& context) {
  if (!arguments.is_object()) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("arguments must be an object, got {}", arguments.type_name())};
  }
  if (!question.checks_arguments) {
    if (const auto fault = schema.find_fault(arguments)) {
      return Error{ErrorCode::kInvalidArgument, *fault + hint_for(question, arguments)};
    }
  }
  if (is_in_group(question.groups, "code") && context.services != nullptr && !context.has_code() &&
      !(question.may_ask_fleet && context.services->fleet != nullptr)) {
    return Error{ErrorCode::kNotFound, context.services->missing_code};
  }
  return std::nullopt;
}

}  // namespace

Result<void> read_arguments(const Question& question, const ToolArguments& given, bool whole_lists,
                            void* params) {
  for (const Param& param : question.params) {
    if (param.into == nullptr) continue;
    const bool is_whole = whole_lists && !param.shell_default.empty();
    const std::string_view usual = is_whole ? param.shell_default : param.default_json;
    if (given.has(param.name) || param.required) {
      CODEXMEM_TRY(param.into(given, param, params));
    } else if (!usual.empty()) {
      CODEXMEM_TRY(param.into(ToolArguments::of(param.name, usual), param, params));
    }
  }
  return {};
}

bool has_param(const Question& question, std::string_view name) {
  return std::ranges::any_of(question.params,
                             [&](const Param& param) { return param.name == name; });
}

bool is_in_group(std::string_view groups, std::string_view group) {
  const auto all = split(groups, ',');
  return std::find(all.begin(), all.end(), group) != all.end();
}

std::string input_schema(const Question& question) { return schema_json(question, Shown::kAll); }

std::string listed_schema(const Question& question) {
  return schema_json(question, Shown::kListed);
}

std::string whole_params(const Question& question) {
  return names_of_type(question, ParamType::kWhole);
}

std::string text_list_params(const Question& question) {
  return names_of_type(question, ParamType::kTextOrList);
}

Failure failure_of(const Question& question, const Error& error) {
  if (question.fail != nullptr) return question.fail(error);
  return named_failure(
      error.code() == ErrorCode::kInvalidArgument ? "ValidationError" : question.failure_type,
      error.message());
}

Failure code_failure(const Error& error, std::string_view failure_type) {
  if (is_of_indexing(error)) return named_failure("IndexingError", error.message());
  if (error.details() == kEmbeddingFailure) {
    return named_failure("EmbeddingError", error.message());
  }
  switch (error.code()) {
    case ErrorCode::kInvalidArgument: {
      Failure failure = named_failure("ValidationError", error.message());
      failure.blames_arguments = true;
      return failure;
    }
    case ErrorCode::kNotFound:
      return named_failure("FileNotFoundError", error.message());
    case ErrorCode::kIo:
    case ErrorCode::kCorrupt:
    case ErrorCode::kBusy:
      return named_failure("DatabaseError", error.message());
    default:
      return named_failure(failure_type, error.message());
  }
}

Outcome ask(const Question& question, const JsonValue& arguments, const Context& context) {
  const auto refuse = [&](const Error& error) {
    return Outcome{nullptr, failure_of(question, error)};
  };
  try {
    const InputSchema& schema = schema_of(question);
    const bool is_empty = arguments.is_absent() || arguments.is_null();
    Meant meant =
        read_meant(question, is_empty ? JsonValue::parse("{}").value() : arguments,
                   context.has_code() ? context.code().workspace.root() : std::filesystem::path());
    const JsonValue given = schema.read(meant.arguments);
    if (const auto obstacle = find_obstacle(question, schema, given, context)) {
      return refuse(*obstacle);
    }
    Outcome outcome;
    Context running = context;
    running.staleness = &outcome.staleness;
    std::shared_ptr<RevisionServices> at;
    Services one;  // that is asked, where it is one of several
    if (const auto limited =
            limit_to_repository(argument_of(question, kRepository, given), running);
        !limited.ok()) {
      return refuse(limited.error());
    }
    const std::string revision = argument_of(question, kAt, given);
    // A revision is one of a repository.
    const bool is_of_one = !question.is_united || !revision.empty();
    if (is_of_one && running.has_code() && running.code().united != nullptr) {
      const auto asked = ask_one(question, running, one, outcome.only);
      if (!asked.ok()) return refuse(asked.error());
    }
    if (!revision.empty()) {
      auto opened = open_revision(running, revision);
      if (!opened.ok()) return refuse(opened.error());
      at = *std::move(opened);
      running.services = &at->services;
    }
    auto answer = question.run(question, running, given);
    ask_as_meant(question, schema, running, given, answer, meant.note);
    if (answer.ok()) {
      outcome.note = std::move(meant.note);
      if (!question.params.empty()) add_sentence(outcome.note, schema.note_on_unknown(given));
      outcome.answer = *std::move(answer);
      outcome.repositories = list_answered(running, outcome.staleness);
      return outcome;
    }
    outcome.failure = question.fail != nullptr
                          ? question.fail(answer.error())
                          : code_failure(answer.error(), question.failure_type);
    if (!outcome.only.name.empty()) {
      add_to_message(outcome.failure, fmt::format(" (asked {})", outcome.only.text("repository")));
    }
    if (!meant.note.empty()) add_to_message(outcome.failure, ". " + meant.note);
    const std::string unknown = schema.note_on_unknown(given);
    if (outcome.failure.blames_arguments && !unknown.empty()) {
      add_to_message(outcome.failure, " (" + unknown + ")");
    }
    return outcome;
  } catch (const std::exception& error) {
    log_error("{}: {}", question.name, error.what());
    return refuse({ErrorCode::kIo, fmt::format("internal error: {}", error.what())});
  } catch (...) {
    log_error("{}: unknown exception", question.name);
    return refuse({ErrorCode::kIo, "internal error"});
  }
}

}  // namespace codexmem::ask
