// ask/question.h - a question: one row, from which tools/list, the shell's options and the
// reading and checks of its arguments follow.
//
// Adding a question: a params struct, an answer struct with to_json(), a function run() and a row
// in a file of ask/code or ask/memory, and its name in kQuestions[] of ask/questions.cpp.
// For the shell, a function that prints the answer and a row in kCommands[] of app/commands.cpp.
// Design: docs/how-it-works.md, "MCP".
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "ask/answer.h"
#include "ask/arguments.h"
#include "ask/context.h"
#include "ask/param.h"
#include "base/result.h"
#include "text/json_value.h"

namespace codexmem::ask {

struct Question {
  std::string_view name;   // [A-Za-z0-9_]{1,64}; hosts put a prefix before it: up to 40 is safe
  std::string_view title;  // for people
  std::string_view description;  // for models: what it answers and when to ask it
  std::string_view groups;       // by which CODEXMEM_TOOLS may name it, with commas between; empty:
                                 // it is no tool, only the shell asks it

  bool read_only = true;     // changes nothing
  bool destructive = false;  // may lose something that was there
  bool idempotent = true;    // asked again with the same arguments, it changes nothing more
  bool is_united = false;    // in a workspace it is about all repositories, else about home alone

  bool is_guide = false;  // says what the server's instructions say: where answers are text it is
                          // answered, not listed

  std::span<const Param> params = {};

  /// A JSON Schema of type object, which admits the contract's failures too: clients validate
  /// those as well. Empty: the answer is only a text.
  std::string_view output_schema = {};

  /// Answered without a repository too, where there is a fleet (fleet/fleet.h).
  bool may_ask_fleet = false;

  /// run() checks the arguments, because they are not the protocol's alone: the schema is there to
  /// be read.
  bool checks_arguments = false;

  /// Of the code tools' contract: the failure's type when there is no better one.
  std::string_view failure_type = {};

  /// How its contract words a failure; null: as the code tools' contract.
  Failure (*fail)(const Error& error) = nullptr;

  /// Answers; `arguments` are valid. Safe to run from many threads.
  Result<std::unique_ptr<Answer>> (*run)(const Question& question, const Context& context,
                                         const JsonValue& arguments) = nullptr;
};

/// Reads the arguments of `question` into its params struct, by Param::into, those that are not
/// given from their defaults; `whole_lists` as in Context. Errors: kInvalidArgument.
Result<void> read_arguments(const Question& question, const ToolArguments& given, bool whole_lists,
                            void* params);

/// Question::run of a question with the params struct `Params` and a function run() that takes it.
/// Params may have complete(context, given), which derives further members.
template <typename Params>
Result<std::unique_ptr<Answer>> run_question(const Question& question, const Context& context,
                                             const JsonValue& arguments) {
  Params params;
  const ToolArguments given = ToolArguments::of(arguments);
  CODEXMEM_TRY(read_arguments(question, given, context.whole_lists, &params));
  if constexpr (requires { params.complete(context, given); }) params.complete(context, given);
  return boxed(run(context, params));
}

/// Whether `question` has the parameter `name`.
bool has_param(const Question& question, std::string_view name);

/// Whether `group` is one of the comma list `groups`.
bool is_in_group(std::string_view groups, std::string_view group);

/// The JSON Schema of the arguments of `question`, which they are checked by.
std::string input_schema(const Question& question);

/// What models are shown of it: every byte costs each of their sessions, so neither parameters nor
/// bounds that they can do without. Its valid arguments are valid by input_schema(), except for
/// such bounds.
std::string listed_schema(const Question& question);

/// The names of the params that must be whole numbers, and of the params of which one text is a
/// list, with commas between.
std::string whole_params(const Question& question);
std::string text_list_params(const Question& question);

/// Asks `question`, which is one of questions(): reads and checks `arguments` (absent is an empty
/// object), runs it, and turns whatever goes wrong into a failure. Never throws.
Outcome ask(const Question& question, const JsonValue& arguments, const Context& context);

/// How the code tools' contract words what a question fails with: kInvalidArgument is a
/// ValidationError, kNotFound a FileNotFoundError, trouble with the store (kIo, kCorrupt, kBusy) a
/// DatabaseError, everything else `failure_type`. What failed while the index was brought up to
/// date first is an IndexingError whatever its code.
Failure code_failure(const Error& error, std::string_view failure_type);

/// What `question` fails with by `error`, from before it ran.
Failure failure_of(const Question& question, const Error& error);

}  // namespace codexmem::ask
