// What a prompt holds already saves a model its first calls: the definition, the uses, the hits. A
// subject is a file when one is indexed by that path, else a symbol. A missing subject is reported
// in the prompt's failure, with what is near, before a model sets to work on it.
//
// Tested by mcp/prompts_test.cpp.
#include "mcp/prompts.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "text/json_object.h"
#include "base/text.h"
#include "mcp/product_resources.h"
#include "ask/context.h"
#include "mcp/tools.h"
#include "ask/budget.h"
#include "ask/questions.h"
#include "ask/code/code_answer.h"
#include "ask/fresh.h"

namespace codexmem::mcp {

namespace {

constexpr std::size_t kMaxReadmeBytes = 8192;

std::string argument(const JsonValue& arguments, std::string_view name) {
  return std::string(trim(arguments.member(name).string().value_or("")));
}

Result<void> check_given(std::string_view name, const std::string& value) {
  if (!value.empty()) return {};
  return Error{ErrorCode::kInvalidArgument, fmt::format("{} must not be empty", name)};
}

PromptMessage embedded(const ResourceContent& content) {
  return {"user", json_object("type", "resource", "resource",
                              json_object("uri", content.uri, "mimeType", content.mime_type, "text",
                                          content.text))};
}

// What a question is answered with, as the text of a message; its failure is the prompt's.
Result<PromptMessage> answered(std::string_view question, const JsonText& arguments,
                               const CallContext& context) {
  CODEXMEM_ASSIGN(const JsonValue given, JsonValue::parse(arguments.text));
  const ask::Outcome outcome = ask::ask(ask::get_question(question), given, context);
  if (context.stop.stop_requested()) return Error{ErrorCode::kCancelled, "cancelled"};
  const ask::Written written = outcome.to_json();
  if (!outcome.ok()) return Error{ErrorCode::kInvalidArgument, written.text};
  return text_message(fmt::format("{} answers:\n\n{}", question,
                                  written.structured.empty() ? written.text : written.structured));
}

bool has_code(const CallContext& context) {
  return context.services != nullptr && context.services->code != nullptr;
}

// The path of the indexed file that `subject` names; empty: it is no file.
Result<std::string> find_file(const CallContext& context, const std::string& subject) {
  if (!has_code(context)) return Error{ErrorCode::kNotFound, "no repository is open here"};
  store::Workspace& workspace = context.services->code->workspace;
  const auto path = ask::repository_path(workspace, "subject", subject);
  if (!path.ok()) return std::string();
  CODEXMEM_ASSIGN(store::ReaderLease reader, workspace.reader());
  CODEXMEM_ASSIGN(const auto file, reader->find_file(*path));
  return file ? *path : std::string();
}

Result<PromptResult> explain(const JsonValue& arguments, const CallContext& context) {
  const std::string subject = argument(arguments, "subject");
  CODEXMEM_TRY(check_given("subject", subject));
  CODEXMEM_ASSIGN(const std::string path, find_file(context, subject));
  PromptResult result;
  result.description = fmt::format("Explain {}", subject);
  result.messages.push_back(text_message(fmt::format(
      "Explain {} to somebody who has to change it: what it is for, how it works step by step, "
      "what "
      "it relies on, who uses it and what they rely on, and what is surprising. Name places as "
      "path:line. What follows is from the index; for more use get_context and get_references, "
      "rather than reading whole files.",
      subject)));
  if (path.empty()) {
    CODEXMEM_ASSIGN(const ResourceContent symbol,
                    read_symbol_resource(context, subject, ask::kShortAnswerBytes));
    result.messages.push_back(embedded(symbol));
  } else {
    CODEXMEM_ASSIGN(PromptMessage around,
                    answered("get_context", json_object("file_path", path), context));
    result.messages.push_back(std::move(around));
  }
  return result;
}

Result<PromptResult> impact(const JsonValue& arguments, const CallContext& context) {
  const std::string subject = argument(arguments, "subject");
  const std::string change = argument(arguments, "change");
  CODEXMEM_TRY(check_given("subject", subject));
  CODEXMEM_ASSIGN(const std::string path, find_file(context, subject));
  PromptResult result;
  result.description = fmt::format("What a change of {} would break", subject);
  result.messages.push_back(text_message(fmt::format(
      "What would break if {} were changed{}? Go through every use below, say for each whether it "
      "still holds and why, then list the tests that cover it and what is not covered. Look at "
      "`coverage`: uses could hide in what it counts. Where the answer goes on, ask {} with "
      "offset; look at single uses with get_context. End with the steps of a safe change.",
      subject, change.empty() ? "" : " so: " + change,
      path.empty() ? "get_references" : "analyze_dependencies")));
  if (path.empty()) {
    CODEXMEM_ASSIGN(const ResourceContent symbol,
                    read_symbol_resource(context, subject, ask::kShortAnswerBytes / 2));
    result.messages.push_back(embedded(symbol));
    CODEXMEM_ASSIGN(PromptMessage uses,
                    answered("get_references",
                             json_object("symbol", subject, "max_tokens",
                                         ask::tokens_of_bytes(ask::kShortAnswerBytes)),
                             context));
    result.messages.push_back(std::move(uses));
  } else {
    CODEXMEM_ASSIGN(PromptMessage edges,
                    answered("analyze_dependencies",
                             json_object("file_path", path, "max_tokens",
                                         ask::tokens_of_bytes(ask::kShortAnswerBytes)),
                             context));
    result.messages.push_back(std::move(edges));
  }
  return result;
}

Result<PromptResult> find_code(const JsonValue& arguments, const CallContext& context) {
  const std::string what = argument(arguments, "what");
  CODEXMEM_TRY(check_given("what", what));
  if (!has_code(context)) return Error{ErrorCode::kNotFound, "no repository is open here"};
  PromptResult result;
  result.description = fmt::format("Find {}", utf8_prefix(what, 100));
  result.messages.push_back(text_message(fmt::format(
      "Find where this is done in the code: {}\n\nJudge the hits below by what their code does, "
      "not "
      "by their names; look closer with get_context, ask search_code again in other words or with "
      "/regex/ where they do not answer. Answer with the places as path:line, the most important "
      "first, each with one sentence, and say what you did not find.",
      what)));
  CODEXMEM_ASSIGN(PromptMessage hits,
                  answered("search_code", json_object("query", utf8_prefix(what, 1000)), context));
  result.messages.push_back(std::move(hits));
  return result;
}

Result<PromptResult> review_changes(const JsonValue& arguments, const CallContext&) {
  const std::string base = argument(arguments, "base");
  PromptResult result;
  result.description = base.empty() ? "Review what is not committed yet"
                                    : fmt::format("Review what changed since {}", base);
  result.messages.push_back(text_message(fmt::format(
      "Review the changes of this repository: {}.\n\n"
      "1. For each function, class or export that changed: get_references. Does every use still "
      "hold: arguments, results, errors, order?\n"
      "2. For each file that was added, moved or deleted: analyze_dependencies. Does every import "
      "still resolve?\n"
      "3. get_context of what changed: do its tests cover the change? Is the same done elsewhere "
      "already?\n"
      "4. Where a design changes, see what was decided before, if there is a tool for it.\n\n"
      "Tell only what matters, the gravest first, each as path:line, what goes wrong, for which "
      "input, and how to mend it. Say what you have checked and found good in one line.",
      base.empty() ? std::string("`git diff HEAD`, and new files by `git status`")
                   : fmt::format("`git diff {}...`, and what is not committed", base))));
  return result;
}

Result<PromptResult> onboard(const JsonValue& arguments, const CallContext& context) {
  const std::string area = argument(arguments, "area");
  if (!has_code(context)) return Error{ErrorCode::kNotFound, "no repository is open here"};
  PromptResult result;
  result.description = "A first tour of this repository";
  result.messages.push_back(text_message(fmt::format(
      "Give a newcomer a tour of {}: what it is for, its parts and how they depend on each other, "
      "where it begins to run, the five files to read first and why, how it is built and tested, "
      "and what to know before the first change. Find out with search_code (entry points, "
      "configuration, tests), analyze_dependencies on the files in the middle, and get_context "
      "rather than whole files. Name places as path:line. Where you are not sure, say so.",
      area.empty() ? std::string("this repository") : area)));
  const ProductResources resources;
  CODEXMEM_ASSIGN(const auto status, resources.read(kStatusUri, context));
  result.messages.push_back(embedded(status.front()));
  for (const char* name : {"README.md", "README.rst", "README"}) {
    auto readme = read_file_resource(context, name);
    if (!readme.ok()) continue;
    if (readme->text.size() > kMaxReadmeBytes) {
      readme->text = std::string(utf8_prefix(readme->text, kMaxReadmeBytes)) + "\n...\n";
    }
    result.messages.push_back(embedded(*readme));
    break;
  }
  return result;
}

Result<PromptResult> recall(const JsonValue& arguments, const CallContext& context) {
  const std::string topic = argument(arguments, "topic");
  CODEXMEM_TRY(check_given("topic", topic));
  PromptResult result;
  result.description = fmt::format("What is remembered of {}", utf8_prefix(topic, 100));
  result.messages.push_back(text_message(fmt::format(
      "What do we know from earlier sessions about this: {}\n\nRead in full what matters of the "
      "rows below with get_observations, all in one call, and what happened around it with "
      "timeline. Tell what was found, decided and tried, with dates and ids (#12), newest first; "
      "what is superseded or no longer true of the code, say so.",
      topic)));
  CODEXMEM_ASSIGN(PromptMessage rows, answered("search", json_object("query", topic), context));
  result.messages.push_back(std::move(rows));
  return result;
}

Result<PromptResult> remembering(const JsonValue& arguments, std::string_view of_decisions) {
  const std::string what = argument(arguments, "what");
  PromptResult result;
  result.description = "Keep what this session has taught";
  result.messages.push_back(text_message(fmt::format(
      "Save for later sessions {}.\n\nFor each thing that will matter again and that the code does "
      "not say by itself: save_memory, one fact or lesson each, with a title that a search would "
      "ask for, why it is so, and the files and symbols that it is about. {}Search first, so that "
      "nothing is kept twice. Keep no secrets. Then tell in one line each what was saved.",
      what.empty() ? std::string("what this session has taught") : "this: " + what, of_decisions)));
  return result;
}

Result<PromptResult> remember(const JsonValue& arguments, const CallContext&) {
  return remembering(arguments,
                     "What was decided between alternatives goes to record_decision, or "
                     "supersede_decision where it replaces another. ");
}

// Where no decision can be written, it is a memory.
Result<PromptResult> remember_by_saving(const JsonValue& arguments, const CallContext&) {
  return remembering(arguments, "");
}

Completion completion_of(graph::Completions found) {
  Completion completion;
  completion.total = found.total;
  completion.has_more = found.total > found.values.size();
  completion.values = std::move(found.values);
  return completion;
}

// Files and symbols: a path where it is typed like one, else symbols, then files.
Result<Completion> complete_subject(const CompletionQuestion& question,
                                    const CallContext& context) {
  if (question.argument != "subject" || !has_code(context)) return Completion();
  ask::CodeServices& code = *context.services->code;
  const std::string_view typed = question.value;
  const bool is_path = typed.find('/') != std::string_view::npos;
  if (typed.find("::") != std::string_view::npos) {
    CODEXMEM_ASSIGN(auto found, code.completer->symbols(code.workspace, typed, kMaxCompletions));
    return completion_of(std::move(found));
  }
  CODEXMEM_ASSIGN(auto files, code.completer->paths(code.workspace, typed, kMaxCompletions));
  if (is_path || typed.empty()) return completion_of(std::move(files));
  CODEXMEM_ASSIGN(auto all, code.completer->symbols(code.workspace, typed, kMaxCompletions));
  // Room for both: at least a quarter for the files.
  const std::size_t kept_files = std::min(
      files.values.size(), std::max(kMaxCompletions / 4, kMaxCompletions - all.values.size()));
  all.values.resize(std::min(all.values.size(), kMaxCompletions - kept_files));
  all.values.insert(all.values.end(), files.values.begin(),
                    files.values.begin() + static_cast<std::ptrdiff_t>(kept_files));
  all.total += files.total;
  return completion_of(std::move(all));
}

constexpr PromptArgument kSubject[] = {
    {"subject", "Symbol or file", "A name, Class.method, path::name, or the path of a file", true}};
constexpr PromptArgument kImpactArguments[] = {
    {"subject", "Symbol or file", "A name, Class.method, path::name, or the path of a file", true},
    {"change", "Change", "What is to be changed about it"}};
constexpr PromptArgument kWhat[] = {{"what", "What", "What the code does, in plain words", true}};
constexpr PromptArgument kBase[] = {
    {"base", "Base", "A branch or commit; without one, what is not committed yet"}};
constexpr PromptArgument kArea[] = {{"area", "Part", "A part of the repository; without one, all"}};
constexpr PromptArgument kTopic[] = {{"topic", "Topic", "What it is about", true}};
constexpr PromptArgument kRemembered[] = {
    {"what", "What", "What to keep; without it, what the session has taught"}};

struct PromptRow {
  std::string_view tools;  // that it names, with commas between
  Prompt prompt;
};

constexpr PromptRow kPrompts[] = {
    {"get_context,get_references",
     {.name = "explain",
      .title = "Explain code",
      .description = "What a symbol or file is for, how it works, and who uses it",
      .arguments = kSubject,
      .render = explain,
      .complete = complete_subject}},
    {"get_references,analyze_dependencies,get_context",
     {.name = "impact",
      .title = "Impact of a change",
      .description = "What would break if a symbol or file were changed",
      .arguments = kImpactArguments,
      .render = impact,
      .complete = complete_subject}},
    {"search_code,get_context",
     {.name = "find_code",
      .title = "Find code",
      .description = "Where something is done, in plain words",
      .arguments = kWhat,
      .render = find_code}},
    {"get_references,analyze_dependencies,get_context",
     {.name = "review_changes",
      .title = "Review changes",
      .description = "Review what changed, with every use of it",
      .arguments = kBase,
      .render = review_changes}},
    {"search_code,analyze_dependencies,get_context",
     {.name = "onboard",
      .title = "Tour of the repository",
      .description = "What it is for, its parts, and what to read first",
      .arguments = kArea,
      .render = onboard}},
    {"search,timeline,get_observations",
     {.name = "recall",
      .title = "Recall",
      .description = "What earlier sessions found, did and decided about a topic",
      .arguments = kTopic,
      .render = recall}},
    {"search,save_memory,record_decision,supersede_decision",
     {.name = "remember",
      .title = "Remember",
      .description = "Keep what later sessions will need",
      .arguments = kRemembered,
      .render = remember}},
    {"search,save_memory",
     {.name = "remember",
      .title = "Remember",
      .description = "Keep what later sessions will need",
      .arguments = kRemembered,
      .render = remember_by_saving}},
};

}  // namespace

std::vector<Prompt> prompts_for(const ToolTable& offered) {
  std::vector<Prompt> prompts;
  for (const PromptRow& row : kPrompts) {
    const bool is_new = std::none_of(prompts.begin(), prompts.end(), [&](const Prompt& prompt) {
      return prompt.name == row.prompt.name;
    });
    if (is_new && can_use(offered, row.tools)) prompts.push_back(row.prompt);
  }
  return prompts;
}

}  // namespace codexmem::mcp
