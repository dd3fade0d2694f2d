// app/param_options.h - a question's params as the options of a command: declared, read, and named
// in messages. Not thread-safe.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/arguments.h"
#include "ask/question.h"
#include "base/result.h"
#include "text/json_value.h"

namespace codexmem::app {

/// `text` with commands and options in the place of tools and arguments in backticks: `codexmem
/// refs` of `get_references`, --strings of `strings`. An argument of `question` is preferred.
std::string in_shell_words(std::string_view text, const ask::Question* question = nullptr);

/// The options that the params of a question have, and what was typed for them.
class ParamOptions {
 public:
  using PathReader = std::function<std::string(const std::string&)>;

  explicit ParamOptions(const ask::Question& question) : question_(question) {}

  /// Declares them in the order of the params; without words when `takes_words` is false.
  void declare(Arguments& arguments, bool takes_words = true);

  /// Whether something was typed for the param `name`, or put in its place.
  bool has(std::string_view name) const;

  /// What was typed for the required param `name`.
  const std::string& word(std::string_view name) const { return typed_.at(name).required_text; }

  /// What was typed for the param `name`, if the question has it; else nothing.
  std::string text(std::string_view name) const {
    const auto typed = typed_.find(name);
    return typed == typed_.end() ? "" : typed->second.text.value_or("");
  }

  /// The texts that were typed for the param `name`, a list, if the question has it.
  std::vector<std::string> texts(std::string_view name) const {
    const auto typed = typed_.find(name);
    return typed == typed_.end() ? std::vector<std::string>() : typed->second.texts;
  }

  /// As if nothing had been typed for the param `name`, which takes a text.
  void drop(std::string_view name) {
    if (const auto typed = typed_.find(name); typed != typed_.end()) typed->second.text.reset();
  }

  /// Gives the question the argument `name`, whatever was typed; `value` is JSON.
  void put(std::string_view name, std::string value) { put_[std::string(name)] = std::move(value); }

  /// The arguments of the question. `read_path` makes of a typed path (Takes::kFile) the one that
  /// the question takes. Errors: kInvalidArgument, naming the option; kIo when standard
  /// input cannot be read.
  Result<JsonValue> read(const PathReader& read_path = {}) const;

  /// `message` with the option in the place of the argument that it begins with, and
  /// in_shell_words().
  std::string in_options(const std::string& message) const;

 private:
  struct Typed {
    std::optional<std::string> text;
    std::string required_text;
    std::optional<double> number;
    std::vector<std::string> texts;
    bool flag = false;
  };

  const ask::Question& question_;
  std::map<std::string_view, Typed> typed_;  // by name; addresses of values are stable
  std::map<std::string, std::string> put_;
};

/// What a time may be, for people.
inline constexpr char kTimeHelp[] =
    "a date or a time (local), today, yesterday, monday, 12h, 7d, 2w, or an epoch";

/// Ids with spaces or commas between.
std::vector<std::string> split_ids(const std::vector<std::string>& words);

/// The whole of standard input for "-", else `given`.
Result<std::string> text_or_input(const std::string& given);

}  // namespace codexmem::app
