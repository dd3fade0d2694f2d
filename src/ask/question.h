// ask/question.h - what a question is: one row, of which tools/list, the shell's options and the
// checks of its arguments are made.
//
// Adding a question: its params and answer structs with from_json() and to_json(), a function run()
// and a row in a file of ask/code or ask/memory, and its name in kQuestions[] of ask/questions.cpp.
// For the shell, a function that prints the answer and a row in kCommands[] of app/commands.cpp.
// Design: docs/design/mcp.md, "Questions".
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "ask/answer.h"
#include "ask/context.h"
#include "base/result.h"
#include "text/json_value.h"

namespace codexmem::ask {

/// The JSON type of a parameter. Texts that mean a number or a truth value are taken for one.
enum class ParamType {
  kText,
  kFlag,
  kNumber,
  kWhole,         // the schema says "number", as the contract does; 5.0 is taken and 2.5 refused
  kInteger,       // the schema says "integer"
  kTexts,         // a list of texts
  kTextOrList,    // the schema says a list; one text is taken for a list of one
  kTextOrTexts,   // the schema says a list; one text may have commas between
  kTextOrNumber,  // the schema says a text; a number is taken: a time, an id
  kNumbers,       // a list of numbers
  kObject,
};

/// What a parameter means to the shell: what its completions offer, and how what is typed is read.
enum class Takes {
  kText,
  kFile,
  kPlace,  // a file or a symbol, or path::symbol
  kFolder,
  kSymbol,
  kLanguage,
  kExtension,
  kKind,
  kSentence,  // which may hold commas
  kWords,     // all words of the command line, as one text
  kInput,     // a text, or standard input for -
  kTime,      // a local time: a date, yesterday, 7d, ...
  kEndTime,   // the same, a day up to its end
  kAnchor,    // an id of a record, or as kTime
  kIds,       // ids of records, with commas or spaces between
  kHere,      // a file or folder as it is called from the current folder
};

struct Param {
  std::string_view name;
  ParamType type = ParamType::kText;
  std::string_view description = {};  // for models
  bool required = false;
  bool listed = true;  // false: it is taken, and models are not shown it
  // Bounds of a number, of a text's length in code points, of a list's length.
  std::optional<double> least = {}, most = {};
  bool above_least = false;            // of a number: more than `least`
  bool lists_bounds = true;            // false: they hold, and models are not shown them
  std::string_view pattern = {};       // a regular expression
  std::string_view choices = {};       // the only values, with commas between
  std::string_view default_json = {};  // what holds when it is not given; empty: nothing

  // At the shell:
  std::string_view option = {};  // "-l,--limit"; a word without dashes is a word; empty: no option
  std::string_view help = {};
  Takes takes = Takes::kText;
};

/// The bounds of max_tokens.
inline constexpr int kMinAnswerTokens = 200;
inline constexpr int kMaxAnswerTokens = 25'000;

/// How large an answer may be, which every question whose answer is cut takes.
constexpr Param max_tokens_param(std::string_view default_json) {
  return {.name = "max_tokens",
          .type = ParamType::kWhole,
          .least = kMinAnswerTokens,
          .most = kMaxAnswerTokens,
          .lists_bounds = false,
          .default_json = default_json};
}

/// A git revision whose files are asked about; ask() puts its store in the place of the work
/// tree's.
inline constexpr std::string_view kAt = "at";
constexpr Param revision_param() {
  return {.name = kAt,
          .listed = false,
          .option = "--at",
          .help = "Ask about a git revision; nothing is checked out"};
}

/// The only repository of a workspace that is asked about; ask() puts it into the context.
inline constexpr std::string_view kRepository = "repository";
constexpr Param repository_param() {
  return {.name = kRepository,
          .listed = false,
          .option = "--repository",
          .help = "Only results of this repository of the workspace"};
}
/// The same of a question that is about one of them.
constexpr Param one_repository_param() {
  Param param = repository_param();
  param.help = "The repository of the workspace that is asked about";
  return param;
}

/// `param`, not shown to models.
constexpr Param unlisted(Param param) {
  param.listed = false;
  return param;
}

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

  /// How its contract words a failure; null: as that of the code tools does.
  Failure (*fail)(const Error& error) = nullptr;

  /// Answers; `arguments` are valid. Safe to run from many threads.
  Result<std::unique_ptr<Answer>> (*run)(const Context& context,
                                         const JsonValue& arguments) = nullptr;
};

/// Question::run of a question with the params struct `Params`, which has from_json(), and a
/// function run() that takes it.
template <typename Params>
Result<std::unique_ptr<Answer>> run_question(const Context& context, const JsonValue& arguments) {
  return boxed(run(context, Params::from_json(context, arguments)));
}

/// Whether `question` has the parameter `name`.
bool has_param(const Question& question, std::string_view name);

/// Whether `group` is one of the comma list `groups`.
bool is_in_group(std::string_view groups, std::string_view group);

/// The JSON Schema of the arguments of `question`, which they are checked by.
std::string input_schema(const Question& question);

/// What models are shown of it: every byte costs each of their sessions, so neither parameters nor
/// bounds that they can do without. What it admits is valid by input_schema() but for such bounds.
std::string listed_schema(const Question& question);

/// The names of the params that must be whole numbers, and of those of which one text is a list,
/// with commas between.
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
