// parse/code_tokens.h - what of a text is code: its tokens, without comments and white space.
#pragma once

#include <optional>
#include <stop_token>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "parse/languages.h"
#include "text/ranges.h"

namespace codexmem::parse {

/// Where the tokens of `text`, read as `language`, stand, in order. Two texts whose tokens have the
/// same bytes differ in comments and formatting alone. The end of each block is an empty range, so
/// that moving a statement out of a block that only its indentation tells is a difference.
///
/// Nothing for a language without grammar, and for what takes too long to parse. Errors:
/// kCancelled.
Result<std::optional<std::vector<ByteRange>>> code_tokens(const Language& language,
                                                          std::string_view text,
                                                          const std::stop_token& stop = {});

}  // namespace codexmem::parse
