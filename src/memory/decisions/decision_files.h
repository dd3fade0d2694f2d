// memory/decisions/decision_files.h - a decision as a file of markdown with YAML before it.
//
// The store is the truth; files are for reading, for git, and for other programs. They are named by
// their ids. Pure; thread-safe. Design: docs/how-it-works.md, "Decisions".
#pragma once

#include <string>
#include <string_view>

#include "memory/decisions/decision_records.h"

namespace codexmem::memory {

/// The bytes of the file of `decision`; secrets that a newer rule knows are redacted.
std::string decision_markdown(const Decision& decision);

/// `text` as a double-quoted scalar of YAML 1.2, on one line. `text` must be well-formed UTF-8.
std::string yaml_string(std::string_view text);

}  // namespace codexmem::memory
