// ask/arguments.h - reading a question's arguments, and the sizes of answers.
//
// Stateless; safe to use from many threads.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "ask/context.h"
#include "base/result.h"
#include "text/json_value.h"

namespace codexmem::ask {

/// A token is taken for four bytes, the usual rule of thumb for source code and English.
inline constexpr std::size_t kBytesPerToken = 4;

/// The size of an answer unless max_tokens says otherwise: 8 KB.
inline constexpr std::size_t kShortAnswerBytes = 8192;

/// The same of a list that is wanted whole: 25,000 tokens.
inline constexpr std::size_t kLongAnswerBytes = 25'000 * kBytesPerToken;

/// The whole number argument `name`, or `otherwise` when it is not given. The schema has checked
/// bounds.
std::size_t whole_argument(const JsonValue& arguments, std::string_view name,
                           std::size_t otherwise);

/// The texts of the list argument `name`, which may also be given as one text; empty when it is not
/// given.
std::vector<std::string> texts_argument(const JsonValue& arguments, std::string_view name);

/// The bytes that an answer may have: those of max_tokens, or `otherwise`.
std::size_t answer_bytes(const JsonValue& arguments, std::size_t otherwise);

/// The same of a list: as many as it needs where Context::whole_lists says so.
std::size_t list_bytes(const Context& context, const JsonValue& arguments);

/// kInvalidArgument for a text: "`argument` must `must`, got "`given`"".
Error refuse_argument(std::string_view argument, std::string_view must, std::string_view given);

/// How many of `items` (JSON texts in an array, in order) fit into `max_bytes`, commas included; at
/// least one when there is any.
std::size_t count_fitting(const std::vector<std::string>& items, std::size_t max_bytes);
/// Those of `count` items that fit, likewise; `write` makes the text of each, and is not asked for
/// those behind.
std::vector<std::string> write_fitting(std::size_t count, std::size_t max_bytes,
                                       const std::function<std::string(std::size_t)>& write);

/// The bytes that a list's items may have in an answer of `max_bytes` that has `siblings` (the text
/// of an object) beside it, and says how it goes on.
std::size_t room_for_items(std::size_t max_bytes, std::string_view siblings);

/// How many items follow those of an answer, and where they go on.
struct Rest {
  std::size_t omitted = 0;
  std::size_t next_offset = 0;

  /// What follows the items before `end` of `total`.
  static Rest after(std::size_t end, std::size_t total) {
    return end < total ? Rest{total - end, end} : Rest{};
  }

  /// Puts `omitted` and `nextOffset` into `answer`, when there are any. (A template for the sake of
  /// headers without the JSON library.)
  template <typename Object>
  void put_into(Object& answer) const {
    if (omitted == 0) return;
    answer["omitted"] = omitted;
    answer["nextOffset"] = next_offset;
  }
};

}  // namespace codexmem::ask
