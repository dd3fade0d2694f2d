// privacy/private_text.h - removes private parts from a text: what its writer marked
// private, and what hosts and this program itself put into prompts. Pure and thread-safe.
//
// Design: docs/security.md.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace codexmem::privacy {

/// `text` without the elements private, claude-mem-context, codexmem-context, system-reminder,
/// system_instruction, system-instruction, persisted-output, task-notification,
/// local-command-stdout and local-command-caveat, and what they hold.
///
/// Names are matched in either case; a tag may have attributes, whose quoted values may hold '>'.
/// Its brackets may be written as in JSON (\u003c) or HTML (&lt;), too. An element that is not
/// closed, or whose tag is not, takes all up to the end. Elements nest;
/// each name is counted for itself, so that overlapping ones hide all that either covers. A closing
/// tag without an opening one is removed. The rest holds no tag, not even one that was put
/// together by what was taken out of it (<pri<private>x</private>vate>); where that goes on for
/// eight rounds all from the next tag on is taken out. Never fails, linear in the text.
std::string strip_private(std::string_view text);

/// The same for texts that follow one another, such as the items of a list: an element that opens
/// in one goes on in the next, until it is closed or the texts end. As many as there were.
std::vector<std::string> strip_private(const std::vector<std::string>& texts);

/// The JSON text `json` with its strings stripped, keys too.
///
/// They are read as one text, in the order in which they stand, so an element goes on from string
/// to string until it is closed, or to the end of `json`. In between numbers become null, and keys
/// are kept that the public part has as well ("type", "text"). All else stays byte for byte. What
/// is not JSON is stripped as text.
std::string strip_private_json(std::string_view json);

/// False when strip_private_json() would leave `json` as it is, as one fast pass over it shows.
bool may_have_private(std::string_view json);

}  // namespace codexmem::privacy
