// app/memory_question.h - a memory or decision tool asked from the shell.
//
// As for the code tools (app/question.h), the shell and the server run one table of tools. A
// command puts its options into the tool's arguments; what is said of code is looked up in the
// index of the repository around, if it has one.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "app/command.h"
#include "serve/memory_setup.h"
#include "app/render.h"
#include "memory/memory.h"

namespace codexmem::app {

/// The options that all of them have.
struct MemoryQuestion {
  bool json = false;
  std::string role;  // --role, of decisions

  void declare(Arguments& arguments);
};

/// The memory of the user, for commands that need more than a tool gives. `setup` owns it.
Result<memory::Memory*> open_memory(const MemoryQuestion& question, serve::MemorySetup* setup,
                                    Console& console);

/// Opens the memory and has `act`, Result<ExitCode>(memory::Memory&), print what it finds; prints
/// its error.
template <typename Act>
ExitCode with_memory(const MemoryQuestion& question, Console& console, const Act& act) {
  serve::MemorySetup setup;
  const auto opened = open_memory(question, &setup, console);
  if (!opened.ok()) return fail(console, opened.error());
  Result<ExitCode> done = act(**opened);
  return done.ok() ? *done : fail(console, done.error());
}

/// Asks `tool` with `arguments` (the text of a JSON object) and prints what it answers.
ExitCode ask_memory(const MemoryQuestion& question, std::string_view tool,
                    std::string_view arguments,
                    Rendered (*render)(std::string_view answer, const Console& console),
                    Console& console);

/// The whole of standard input for "-", else `given`.
Result<std::string> text_or_input(const std::string& given);

/// Prints a failure as the tools word it, and returns its exit code.
ExitCode fail_as_tool(const MemoryQuestion& question, const std::string& text,
                      const std::string& structured, Console& console);

}  // namespace codexmem::app
