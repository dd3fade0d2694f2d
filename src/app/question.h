// app/question.h - a question about code, asked from the shell.
//
// The shell and the server ask the same questions (ask/question.h): the options of a command are
// made of the question's row, and the answer is printed from its struct.
#pragma once

#include <filesystem>
#include <memory>
#include <stop_token>
#include <string_view>

#include "app/command.h"
#include "base/result.h"
#include "serve/embedding_provider.h"
#include "store/code/workspace.h"

namespace codexmem::app {

/// The index of the repository around `start`, brought up to date, and made if it is a git
/// repository without an index; with `no_refresh`, unchanged. Errors: kNotFound in a folder that is
/// neither indexed nor a git repository; errors of the index run.
Result<std::unique_ptr<store::Workspace>> open_fresh_index(bool no_refresh,
                                                           const serve::EmbeddingProvider& provider,
                                                           const std::filesystem::path& start,
                                                           std::stop_token stop, Console& console);

/// The command that asks the question called `question` and prints its answer (find_render).
///
/// The index of the repository is brought up to date first, and made if it does not exist, unless
/// --no-refresh is given. Paths are relative to the current folder. The exit code is kNothingFound
/// for an empty answer.
std::unique_ptr<Command> make_question_command(std::string_view question);

/// The command that asks search_code of the organisation's index.
std::unique_ptr<Command> make_fleet_search_command();

/// The command `context`, which takes a file or a symbol.
std::unique_ptr<Command> make_context_command();

/// The command `refs`, which prints a part of a long answer.
std::unique_ptr<Command> make_references_command();

}  // namespace codexmem::app
