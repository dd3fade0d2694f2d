// parse/text/code_tokens.h - the code in a text: its tokens, without comments and white space.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "parse/rules/languages.h"
#include "text/ranges.h"

namespace codexmem::parse {

struct CodeToken {
  ByteRange range;
  // For the first token of a statement: the number of enclosing blocks marked only by indentation.
  std::uint32_t depth = 0;
};

/// The tokens of `text`, read as `language`, in order. Two texts whose tokens have the same bytes
/// and depths differ only in comments and formatting. Comments that tools read (//go:build, #
/// type:) are tokens.
///
/// Nothing for a language without a grammar, and when parsing takes too long. Errors: kCancelled.
Result<std::optional<std::vector<CodeToken>>> code_tokens(const Language& language,
                                                          std::string_view text,
                                                          const std::stop_token& stop = {});

/// True for a word that the grammar of `language` knows as one: `class`, and `data` of Kotlin.
bool is_keyword(const Language& language, std::string_view word);

}  // namespace codexmem::parse
