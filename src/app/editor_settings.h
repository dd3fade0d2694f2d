// app/editor_settings.h - codexmem's entry in an editor's .vscode/mcp.json.
//
// The entry is put into the text, so comments, order and layout of what is there stay as they are.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace codexmem::app {

/// The entry `"codexmem": {...}` of `servers`, for people to add by hand.
std::string editor_entry();

/// `before`, the text of .vscode/mcp.json (empty: there is none), with the entry in `servers`.
///
/// The same text when `servers` has a codexmem already, whatever it says: it may be the user's own.
/// Comments and trailing commas are kept. Errors: kUnsupported when the text cannot be changed
/// safely: it is no JSON object even with these allowed (the line is named), is nested more than 64
/// levels deep, or `servers` is no object.
Result<std::string> with_editor_entry(std::string_view before);

}  // namespace codexmem::app
