// app/exit_code.h - the exit codes of the program.
#pragma once

namespace codexmem::app {

/// The exit codes of every command.
enum class ExitCode : int {
  kFound = 0,         // done, or something was found
  kNothingFound = 1,  // the question was answered: there is nothing, or no such thing
  kError = 2,         // wrong usage, or a failure
};

}  // namespace codexmem::app
