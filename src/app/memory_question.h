// app/memory_question.h - a question about memory or decisions, asked from the shell.
//
// The options are made from the question's params, and the answer's struct is printed. Code that
// the answer cites is looked up in the index of the repository around, if it has one.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "app/command.h"
#include "app/look.h"
#include "app/param_options.h"
#include "app/render/render.h"
#include "ask/question.h"
#include "memory/memory.h"
#include "serve/memory_setup.h"

namespace codexmem::app {

/// The options that all of them have.
struct MemoryQuestion {
  Look look;
  bool json = false;
  std::string role;  // --role, of decisions

  void declare(Arguments& arguments);
};

/// The memory of the user, for commands that need more than a question. `setup` owns it.
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
  return done.ok() ? *done : fail_to_find(console, done.error());
}

/// `render`, which takes one type of answer, for a question that has no other.
template <typename T, Rendered (*render)(const T&, const Console&)>
Rendered render_as(const ask::Answer& answer, const Console& console) {
  return render(static_cast<const T&>(answer), console);
}

/// The command that asks a question.
class MemoryQuestionCommand : public Command {
 public:
  MemoryQuestionCommand(const ask::Question& question, Render render)
      : question_(question), options_(question), render_(render) {}

  void declare(Arguments& arguments) override;
  ExitCode run(Console& console) override;

 protected:
  /// Declares what the question's params do not have.
  virtual void declare_more(Arguments&) {}
  /// Gives options() what was not typed.
  virtual Result<void> complete() { return {}; }

  /// Makes lines of the answer; `memory` is the one that gave it.
  virtual Rendered rendered(const ask::Answer& answer, memory::LazyMemory&,
                            const Console& console) const {
    return render_(answer, console);
  }

  /// What to do about `failure`, for the line after it; empty: it says so itself.
  virtual std::string advice(const ask::Failure&) const { return {}; }

  ParamOptions& options() { return options_; }
  MemoryQuestion& shell() { return shell_; }

 private:
  const ask::Question& question_;
  ParamOptions options_;
  Render render_;
  MemoryQuestion shell_;
};

}  // namespace codexmem::app
