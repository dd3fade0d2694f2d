// app/question.h - a code tool asked from the shell.
//
// The shell's questions and the server's are one: the same tool table checks the arguments and
// makes the answer; a command only puts its options into the tool's arguments.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/command.h"
#include "app/render.h"

namespace codexmem::app {

/// What the options of questions may be: names of languages, their extensions, types of symbols.
std::vector<std::string> known_languages();
std::vector<std::string> known_extensions();
std::vector<std::string> known_types();

/// The options that all questions have.
struct QuestionOptions {
  std::string directory;    // --repo; empty: the current one
  bool json = false;        // print the tool's JSON as it is
  bool no_refresh = false;  // answer from the index as it is

  void declare(Arguments& arguments);
};

/// Asks `tool` with `arguments` (the text of a JSON object) and prints what it answers.
///
/// The index of the repository is brought up to date first, and made if there is none, unless
/// no_refresh. The members of `arguments` named in `paths` (with commas between) are paths as they
/// were typed; they are turned into paths from the root. Returns kNothingFound for an answer that
/// holds nothing.
ExitCode ask(const QuestionOptions& options, std::string_view tool, std::string_view arguments,
             std::string_view paths,
             Rendered (*render)(std::string_view answer, const Console& console), Console& console);

}  // namespace codexmem::app
