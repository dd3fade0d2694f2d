// observe/last_words.h - what an assistant's last message says was done, and what is next.
//
// Pure; linear in the text. Design: docs/design/worker.md, "Providers".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace codexmem::observe {

inline constexpr std::size_t kMaxNextStepsBytes = 1'500;
inline constexpr std::size_t kMaxNotesBytes = 1'500;

struct LastWords {
  std::string notes;       // what stands before it speaks of what is next
  std::string next_steps;  // without its heading; empty: none are told
};

/// Next is what stands under a heading such as "Next steps" or "Remaining:", else the last
/// paragraph's sentences from one that says so ("Next, ...", "Still to do: ...", "You should ...",
/// "... has no tests yet"), else a question at the end.
LastWords read_last_words(std::string_view message);

}  // namespace codexmem::observe
