// text/json_comments.h - JSON in settings files: with comments and trailing commas.
#pragma once

#include <string>
#include <string_view>

namespace codexmem {

/// `text` as plain JSON: comments, and commas before `]` or `}`, become spaces; a byte order mark
/// is dropped. Line breaks and strings are kept. Any other invalid JSON stays invalid.
std::string strip_json_comments(std::string_view text);

}  // namespace codexmem
