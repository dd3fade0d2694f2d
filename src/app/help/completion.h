// app/help/completion.h - completion of a command line, for bash, zsh and fish.
//
// The shells run the program with the words typed so far; the command table and the declarations of
// the commands provide the answer. So no list of commands is written in a shell's language.
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
  /// The shell's own files or folders are candidates too.
  bool files = false;
  bool folders = false;
};

/// Candidates for the last of `words`, which is being typed and may be empty; `words` does not
/// include the program's name. Symbols come from the index around the current folder, if it has
/// one.
Completion complete(std::span<const std::string> words);

/// The completion script of `shell` ("bash", "zsh", "fish"); empty for another shell.
std::string_view completion_script(std::string_view shell);

}  // namespace codexmem::app
