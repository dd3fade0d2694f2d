// app/commands/staged_command.h - codexmem memory staged: what was written on branches that are not
// merged, and making it everybody's.
#pragma once

#include <string>
#include <vector>

#include "app/command.h"
#include "app/memory_question.h"

namespace codexmem::app {

class StagedCommand : public Command {
 public:
  void declare(Arguments& arguments) override;
  ExitCode run(Console& console) override;

 private:
  Result<ExitCode> release(memory::Memory& memory, Console& console) const;
  Result<ExitCode> show(memory::Memory& memory, Console& console) const;

  MemoryQuestion question_;
  std::vector<std::string> released_;  // ids
};

}  // namespace codexmem::app
