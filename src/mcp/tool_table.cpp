#include "mcp/tool_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "text/json.h"
#include "text/json_object.h"
#include "base/ascii.h"
#include "base/log.h"
#include "base/text.h"
#include "ask/input_schema.h"
#include "ask/context.h"

namespace codexmem::mcp {

namespace {

bool is_good_name(std::string_view name) {
  return !name.empty() && name.size() <= 64 &&
         name.find_first_not_of(
             "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") ==
             std::string_view::npos;
}

constexpr char kFormat[] = "format";

// Valid JSON without white space between its parts. (Schemas are written by hand, on many lines.)
JsonText on_one_line(std::string_view json) {
  JsonText line;
  bool is_quoted = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    if (!is_quoted && is_space(json[i])) continue;
    line.text += json[i];
    if (json[i] == '"') is_quoted = !is_quoted;
    if (is_quoted && json[i] == '\\' && i + 1 < json.size()) line.text += json[++i];
  }
  return line;
}

std::string make_listing(const Tool& tool, bool has_output = true) {
  has_output = has_output && !tool.output_schema.empty();
  return json_object(
      "name", tool.name, "title", tool.title, "description", tool.description, "inputSchema",
      on_one_line(tool.input_schema), "outputSchema",
      json_if(has_output, on_one_line(has_output ? tool.output_schema : "{}")), "annotations",
      json_object("readOnlyHint", tool.read_only, "destructiveHint", tool.destructive,
                  "idempotentHint", tool.idempotent, "openWorldHint", false));
}

struct ToolRow {
  const Tool* tool = nullptr;
  ask::InputSchema schema;
  std::string listing;
  std::string refusal = {};  // what it fails with; empty: it runs
};

Result<ToolRow> make_row(const Tool& tool) {
  if (!is_good_name(tool.name)) {
    return Error{
        ErrorCode::kInvalidArgument,
        fmt::format("tool name \"{}\" is not of the form [A-Za-z0-9_]{{1,64}}", tool.name)};
  }
  auto schema = ask::InputSchema::make(tool.input_schema, tool.whole_numbers);
  if (!schema.ok()) return std::move(schema).error().with_context(tool.name);
  try {
    return ToolRow{&tool, std::move(schema).value(), make_listing(tool)};
  } catch (const std::exception& error) {
    return Error{ErrorCode::kInvalidArgument, fmt::format("{}: {}", tool.name, error.what())};
  }
}

}  // namespace

ToolResult to_result(ask::Failure failure) {
  return {true, std::move(failure.text), std::move(failure.structured)};
}

ToolResult make_failure(std::string_view type, std::string_view message) {
  return to_result(ask::named_failure(type, message));
}

ToolResult to_result(const ask::Outcome& outcome) {
  ask::Written written = outcome.to_json();
  ToolResult result{!outcome.ok(), std::move(written.text), std::move(written.structured)};
  result.siblings = std::move(written.siblings);
  result.note = std::move(written.note);
  return result;
}

namespace {

JsonValue without_format(const JsonValue& arguments) {
  Json kept = Json::parse(arguments.dump());
  kept.erase(kFormat);
  return JsonValue::parse(dump_json(kept)).value();
}

ToolResult answer_as_text(const ask::Question& question, const JsonValue& arguments,
                          const CallContext& context, ToolTable::TextForm form) {
  const JsonValue format = arguments.member(kFormat);
  const bool is_own = ask::has_param(question, kFormat);
  const bool is_ours = !is_own && !format.is_absent();
  const ask::Outcome outcome =
      ask::ask(question, is_ours ? without_format(arguments) : arguments, context);
  if (format.string() == "json") return to_result(outcome);
  const bool asks_its_own = is_own && !format.is_absent();
  if (outcome.ok() && !asks_its_own) {
    if (auto text = form(question, *outcome.answer)) {
      ToolResult result;
      result.text = *std::move(text);
      result.note = outcome.notes();
      return result;
    }
  }
  ToolResult result = to_result(outcome);
  result.structured.clear();
  return result;
}

}  // namespace

ToolResult make_failure(const Tool& tool, const Error& error) {
  return to_result(ask::failure_of(tool, error));
}

struct ToolTable::Impl {
  std::vector<ToolRow> rows;
  TextForm text_form = nullptr;

  const ToolRow* find(std::string_view name) const {
    const auto row = std::find_if(rows.begin(), rows.end(),
                                  [&](const ToolRow& each) { return each.tool->name == name; });
    return row != rows.end() ? &*row : nullptr;
  }
};

ToolTable::ToolTable(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ToolTable::~ToolTable() = default;
ToolTable::ToolTable(ToolTable&&) noexcept = default;
ToolTable& ToolTable::operator=(ToolTable&&) noexcept = default;

Result<ToolTable> ToolTable::make(std::span<const Tool> tools, std::string_view selection,
                                  std::string_view refusal) {
  std::vector<std::string> known = {"all"};
  for (const Tool& tool : tools) {
    known.emplace_back(tool.name);
    for (const std::string_view profile : split(tool.groups, ',')) known.emplace_back(profile);
  }
  std::vector<std::string_view> wanted;
  for (const std::string_view part : split(selection, ',')) {
    const std::string_view name = trim(part);
    if (name.empty()) continue;
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      const auto near = nearest(name, known);
      return Error{ErrorCode::kInvalidArgument,
                   fmt::format("no tool or profile is called \"{}\"{}", name,
                               near ? fmt::format("; did you mean \"{}\"?", *near) : "")};
    }
    wanted.push_back(name);
  }
  const auto selects = [&](std::string_view name) {
    return std::find(wanted.begin(), wanted.end(), name) != wanted.end();
  };
  auto impl = std::make_unique<Impl>();
  for (const Tool& tool : tools) {
    const bool is_wanted =
        (wanted.empty() && refusal.empty()) || selects("all") || selects(tool.name) ||
        std::any_of(wanted.begin(), wanted.end(),
                    [&](std::string_view name) { return ask::is_in_group(tool.groups, name); });
    if (!is_wanted && refusal.empty()) continue;
    if (impl->find(tool.name)) {
      return Error{ErrorCode::kInvalidArgument,
                   fmt::format("two tools are called \"{}\"", tool.name)};
    }
    CODEXMEM_ASSIGN(ToolRow row, make_row(tool));
    if (!is_wanted) row.refusal = refusal;
    impl->rows.push_back(std::move(row));
  }
  return ToolTable(std::move(impl));
}

void ToolTable::answer_in_text(TextForm form) {
  impl_->text_form = form;
  for (ToolRow& row : impl_->rows) {
    const bool is_guide = row.tool->question != nullptr && row.tool->question->is_guide;
    row.listing = is_guide ? "" : make_listing(*row.tool, /*has_output=*/false);
  }
}

bool ToolTable::answers_in_text() const { return impl_->text_form != nullptr; }

std::size_t ToolTable::size() const { return impl_->rows.size(); }

const Tool* ToolTable::find(std::string_view name) const {
  const ToolRow* const row = impl_->find(name);
  return row ? row->tool : nullptr;
}

std::vector<std::string> ToolTable::names() const {
  std::vector<std::string> names;
  for (const ToolRow& row : impl_->rows) names.emplace_back(row.tool->name);
  return names;
}

std::string_view ToolTable::listing(std::size_t index) const { return impl_->rows[index].listing; }

std::optional<ToolResult> ToolTable::refuse(const Tool& tool, const JsonValue& arguments) const {
  if (!arguments.is_object()) {
    return make_failure(
        tool, {ErrorCode::kInvalidArgument,
               fmt::format("arguments must be an object, got {}", arguments.type_name())});
  }
  const ToolRow* const row = impl_->find(tool.name);
  CODEXMEM_CHECK(row != nullptr);
  if (tool.checks_arguments) return std::nullopt;
  if (const auto fault = row->schema.find_fault(arguments)) {
    return make_failure(tool, {ErrorCode::kInvalidArgument, *fault});
  }
  return std::nullopt;
}

ToolResult ToolTable::call(const Tool& tool, const JsonValue& arguments,
                           const CallContext& context) const {
  const ToolRow* const row = impl_->find(tool.name);
  try {
    if (tool.question != nullptr && row->refusal.empty()) {
      return impl_->text_form == nullptr
                 ? to_result(ask::ask(*tool.question, arguments, context))
                 : answer_as_text(*tool.question, arguments, context, impl_->text_form);
    }
    const JsonValue given = row->schema.read(
        arguments.is_absent() || arguments.is_null() ? JsonValue::parse("{}").value() : arguments);
    if (const std::string& why = row->refusal; !why.empty()) {
      return make_failure(tool, {ErrorCode::kIo, why});
    }
    if (auto refused = refuse(tool, given)) return *std::move(refused);
    return tool.answer(given, context);
  } catch (const std::exception& error) {
    log_error("{}: {}", tool.name, error.what());
    return make_failure(tool, {ErrorCode::kIo, fmt::format("internal error: {}", error.what())});
  } catch (...) {
    log_error("{}: unknown exception", tool.name);
    return make_failure(tool, {ErrorCode::kIo, "internal error"});
  }
}

}  // namespace codexmem::mcp
