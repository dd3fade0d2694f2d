// observe/work/last_words.h - what an assistant's last message says was done, and the next steps.
//
// Pure; linear in the text. Design: docs/how-it-works.md, "Observations".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace codexmem::observe {

inline constexpr std::size_t kMaxNextStepsBytes = 1'500;
inline constexpr std::size_t kMaxNotesBytes = 1'500;

struct LastWords {
  std::string notes;       // what comes before the next steps
  std::string next_steps;  // without its heading; empty: none
};

/// The next steps are under a heading such as "Next steps" or "Remaining:", else the last
/// paragraph's sentences from one that says so ("Next, ...", "Still to do: ...", "You should ...",
/// "... has no tests yet"), else a question at the end.
LastWords read_last_words(std::string_view message);

}  // namespace codexmem::observe
