// memory/entries/shared_text.h - a memory or a decision as a file that a team keeps in git.
//
// Markdown with front matter, the same bytes for the same content wherever it is written:
//
//     ---
//     codexmem: 1
//     kind: memory
//     id: "3f9a0c5512ab77e0"
//     type: "gotcha"
//     created: "2026-11-28T11:30:00.123Z"
//     ---
//
//     # Uploads time out behind the proxy
//
//     The proxy closes a request after 60 s ...
//
// Also read are records of architecture decisions (ADR), as adr-tools and MADR write them. Pure;
// thread-safe. Design: docs/team.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "memory/decisions/decision_records.h"
#include "memory/entries/records.h"

namespace codexmem::memory {

inline constexpr std::size_t kMaxSharedFileBytes = std::size_t{256} << 10;
inline constexpr int kSharedFormat = 1;

/// What a shared file says.
struct SharedText {
  bool is_decision = false;
  std::string id;    // of a decision as decisions have it, with .md; else 16 hexadecimal digits
  std::string type;  // of a memory
  std::string title;
  std::string text;  // of a decision its rationale
  std::int64_t created_at_ms = 0;
  std::vector<std::string> concepts;        // of a memory
  std::vector<std::string> files, symbols;  // that it cites
  std::vector<std::string> supersedes;      // ids
  // Of a decision.
  std::string target;
  DecisionStatus status = DecisionStatus::kActive;
  DecisionSource source = DecisionSource::kHuman;
  std::vector<std::string> consequences;
};

/// The shared part of `entry`, with the id made of its content. `supersedes`, `files` and
/// `symbols` are left empty.
SharedText shared_text_of(const Entry& entry);
SharedText shared_text_of(const Decision& decision);

/// The bytes of the file.
std::string shared_markdown(const SharedText& shared);

/// The name of the file, without its folder: of a memory its title and its id.
std::string shared_file_name(const SharedText& shared);

/// Errors: kInvalidArgument, with the fault of the file.
Result<SharedText> read_shared_text(std::string_view bytes);

/// Errors: kBlocked when a rule finds a secret in a field, with details as privacy::Inspection.
Result<void> inspect_shared(const SharedText& shared);

/// True if `path` is called as a record of an architecture decision is: 0007-use-sqlite.md.
bool is_adr_name(std::string_view path);

/// An ADR. Its target is its title, its id is made from `path` and its date. Errors:
/// kInvalidArgument when it has no title or no known status.
Result<SharedText> read_adr(std::string_view bytes, std::string_view path);

}  // namespace codexmem::memory
