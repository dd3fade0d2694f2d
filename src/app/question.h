// app/question.h - a question about code, asked from the shell.
//
// The shell and the server ask the same questions (ask/question.h): the options of a command are
// made of the question's row, and the answer is printed from its struct.
#pragma once

#include <memory>
#include <string_view>

#include "app/command.h"
#include "app/render.h"

namespace codexmem::app {

/// The command that asks the question called `question` and prints its answer by `render`.
///
/// The index of the repository is brought up to date first, and made if there is none, unless
/// --no-refresh is given. Paths are taken from the current folder. The exit code is kNothingFound
/// for an answer that holds nothing.
std::unique_ptr<Command> make_question_command(std::string_view question, Render render);

/// The command `context`, which takes a file or a symbol.
std::unique_ptr<Command> make_context_command();

/// The command `refs`, which prints a part of a long answer.
std::unique_ptr<Command> make_references_command();

}  // namespace codexmem::app
