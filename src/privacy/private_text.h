// privacy/private_text.h - takes out of a text what is not to be kept: what its writer marked
// private, and what hosts and this program itself put into prompts. Pure and thread-safe.
//
// Design: docs/privacy.md.
#pragma once

#include <string>
#include <string_view>

namespace codexmem::privacy {

/// `text` without the elements private, claude-mem-context, codexmem-context, system-reminder,
/// system_instruction, system-instruction and persisted-output, and what they hold.
///
/// Names are matched in either case; a tag may have attributes, whose quoted values may hold '>'.
/// An element that is not closed, or whose tag is not, takes all up to the end. Elements nest;
/// each name is counted for itself, so that overlapping ones hide all that either covers. A closing
/// tag without an opening one is removed. What is left holds no tag, not even one that was put
/// together by what was taken out of it (<pri<private>x</private>vate>); where that goes on for
/// eight rounds all from the next tag on is taken out. Never fails, linear in the text.
std::string strip_private(std::string_view text);

/// The JSON text `json` with each of its strings stripped, those that are keys too.
///
/// An element that opens in one string does not reach into the next. All else stays byte for byte.
/// What is no JSON is stripped as text.
std::string strip_private_json(std::string_view json);

}  // namespace codexmem::privacy
