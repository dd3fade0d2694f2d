// app/process.h - runs another program and reads what it prints.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace codexmem::app {

struct ProcessOutput {
  int exit_code = 0;  // 128 + the signal's number when one ended it
  std::string out;    // standard output
};

/// Runs `words[0]`, looked up in PATH, with the rest as its arguments, and waits for its end. Its
/// standard input is empty, its standard error is dropped; directory and environment are this
/// process's. Errors: kNotFound when there is no such program; kIo.
Result<ProcessOutput> run_process(const std::vector<std::string>& words);

}  // namespace codexmem::app
