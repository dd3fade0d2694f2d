// app/completion.h - what may follow on a command line, for bash, zsh and fish.
//
// The shells ask the program itself, with the words typed so far: the command table and what the
// commands declare answer. So nothing of it is written down in a shell's language.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace codexmem::app {

struct Candidate {
  std::string word;     // the whole word, also of --option=value and of lists with commas
  std::string summary;  // one line; may be empty
};

struct Completion {
  std::vector<Candidate> candidates;
  /// The shell's own files or folders may stand there too.
  bool files = false;
  bool folders = false;
};

/// What may stand in place of the last of `words`, which is the one being typed (perhaps empty);
/// the program's name is not among them. Symbols come from the index around the current folder, if
/// it has one.
Completion complete(std::span<const std::string> words);

/// What the script of `shell` ("bash", "zsh", "fish") is; empty for another.
std::string_view completion_script(std::string_view shell);

}  // namespace codexmem::app
