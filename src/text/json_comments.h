// text/json_comments.h - JSON as settings files have it: with comments and trailing commas.
#pragma once

#include <string>
#include <string_view>

namespace codexmem {

/// `text` as plain JSON: comments become spaces, a comma before `]` or `}` too, a byte order mark
/// is dropped. Lines stay lines. Strings are left as they are. Anything else that is no JSON stays
/// no JSON.
std::string strip_json_comments(std::string_view text);

}  // namespace codexmem
