#include "ask/param.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ask/budget.h"
#include "base/text.h"

namespace codexmem::ask {

namespace {

// A whole number within the bounds of `param`.
Result<std::size_t> read_whole(const ToolArguments& given, const Param& param) {
  if (param.clamp) return given.clamped(param.name, 0, param.clamp->least, param.clamp->most);
  return given.whole(param.name, 0, static_cast<std::size_t>(param.least.value_or(0)),
                     param.most ? static_cast<std::size_t>(*param.most) : INT64_MAX);
}

// Moves `read` into `to`.
template <typename Read, typename To>
Result<void> put(Result<Read> read, To& to) {
  if (!read.ok()) return std::move(read).error();
  to = static_cast<To>(*std::move(read));
  return {};
}

}  // namespace

Result<void> read_param(const ToolArguments& given, const Param& param, std::string& to) {
  if (param.type == ParamType::kObject) return put(given.object(param.name), to);
  if (!param.more_choices.empty()) {
    return put(given.choice(param.name, fmt::format("{},{}", param.choices, param.more_choices)),
               to);
  }
  if (!param.choices.empty()) return put(given.choice(param.name, param.choices), to);
  return put(given.text(param.name), to);
}

Result<void> read_param(const ToolArguments& given, const Param& param,
                        std::optional<std::string>& to) {
  return read_param(given, param, to.emplace());
}

Result<void> read_param(const ToolArguments& given, const Param& param, bool& to) {
  return put(given.boolean(param.name, to), to);
}

Result<void> read_param(const ToolArguments& given, const Param& param, std::optional<bool>& to) {
  return read_param(given, param, to.emplace());
}

Result<void> read_param(const ToolArguments& given, const Param& param, double& to) {
  return put(param.above_least ? given.positive(param.name, to) : given.number(param.name, to), to);
}

Result<void> read_param(const ToolArguments& given, const Param& param, std::size_t& to) {
  return put(read_whole(given, param), to);
}

Result<void> read_param(const ToolArguments& given, const Param& param, std::int64_t& to) {
  return put(read_whole(given, param), to);
}

Result<void> read_param(const ToolArguments& given, const Param& param, std::uint32_t& to) {
  CODEXMEM_ASSIGN(const std::size_t number, read_whole(given, param));
  to = static_cast<std::uint32_t>(std::min<std::size_t>(number, UINT32_MAX));
  return {};
}

Result<void> read_param(const ToolArguments& given, const Param& param,
                        std::optional<std::uint32_t>& to) {
  return read_param(given, param, to.emplace());
}

Result<void> read_param(const ToolArguments& given, const Param& param,
                        std::vector<std::string>& to) {
  return put(
      param.type == ParamType::kTextOrTexts ? given.texts(param.name) : given.text_list(param.name),
      to);
}

Result<void> read_param(const ToolArguments& given, const Param& param,
                        std::optional<std::int64_t>& to) {
  return put(given.time(param.name, param.takes == Takes::kEndTime), to);
}

Result<void> read_param(const ToolArguments& given, const Param& param,
                        std::optional<ToolArguments::Anchor>& to) {
  return to ? Result<void>() : put(given.anchor(param.name), to);
}

Result<void> read_trimmed(const ToolArguments& given, const Param& param, std::string& to) {
  CODEXMEM_ASSIGN(const std::string text, given.text(param.name));
  to = trim(text);
  return {};
}

Result<void> read_filled(const ToolArguments& given, const Param& param, std::string& to) {
  return put(given.required_text(param.name), to);
}

Result<void> read_one(const ToolArguments& given, const Param& param,
                      std::vector<std::string>& to) {
  std::string text;
  CODEXMEM_TRY(read_trimmed(given, param, text));
  if (!text.empty()) to = {std::move(text)};
  return {};
}

Result<void> read_bytes(const ToolArguments& given, const Param& param, std::size_t& to) {
  // The schema has checked parameters with a default for the shell, and that default is unbounded.
  const double most = param.shell_default.empty() ? param.most.value_or(1e15) : 1e15;
  CODEXMEM_ASSIGN(const std::size_t tokens,
                  given.whole(param.name, 0, static_cast<std::size_t>(param.least.value_or(0)),
                              static_cast<std::size_t>(most)));
  to = bytes_of_tokens(tokens);
  return {};
}

}  // namespace codexmem::ask
