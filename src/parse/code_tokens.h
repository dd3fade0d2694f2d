// parse/code_tokens.h - what of a text is code: its tokens, without comments and white space.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "parse/languages.h"
#include "text/ranges.h"

namespace codexmem::parse {

struct CodeToken {
  ByteRange range;
  // Of the first token of a statement: blocks around it that only indentation tells.
  std::uint32_t depth = 0;
};

/// The tokens of `text`, read as `language`, in order. Two texts whose tokens have the same bytes
/// and depths differ in comments and formatting only. Comments that tools read (//go:build, #
/// type:) are tokens.
///
/// Nothing for a language without grammar, and for what takes too long to parse. Errors:
/// kCancelled.
Result<std::optional<std::vector<CodeToken>>> code_tokens(const Language& language,
                                                          std::string_view text,
                                                          const std::stop_token& stop = {});

}  // namespace codexmem::parse
