// ask/arguments.h - the arguments of a question, read and checked.
//
// They come from models and from query strings, so other forms are accepted where they are clear: a
// text with commas for a list, "#12" for 12, "5" for a number, 2026-01-02 for a time. Unknown
// arguments are ignored; null is the same as none. Every error is kInvalidArgument and names the
// argument, what it must be and what it is. Immutable; safe to read from many threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "memory/entries/records.h"
#include "text/json_value.h"

namespace codexmem::ask {

/// "12", "S12", "P12"; a decision has its own name instead.
std::string id_text(memory::DocumentKey key);

/// The document of 12, "12", "#12", "S12", "#S12" or "P12", in either case of letters.
std::optional<memory::DocumentKey> read_id(std::string_view text);

/// kInvalidArgument for a text: "`argument` must `must`, got "`given`"".
Error refuse_argument(std::string_view argument, std::string_view must, std::string_view given);

class ToolArguments {
 public:
  /// Reads the text of a JSON object. Errors: kInvalidArgument for anything else.
  static Result<ToolArguments> parse(std::string_view json);

  /// The members of `object`; nothing for any other value.
  static ToolArguments of(const JsonValue& object);

  /// Only `name`, with the JSON text `value`.
  static ToolArguments of(std::string_view name, std::string_view value);

  ~ToolArguments();
  ToolArguments(ToolArguments&&) noexcept;

  bool has(std::string_view name) const;

  /// A text; empty when it is not given.
  Result<std::string> text(std::string_view name) const;

  /// A text that holds more than white space, trimmed of it, with at least `least` code points.
  Result<std::string> required_text(std::string_view name, std::size_t least = 1) const;

  /// One of `choices` (with commas between), or empty when it is not given.
  Result<std::string> choice(std::string_view name, std::string_view choices) const;

  /// Texts: a list of them, or one text with commas between; trimmed, without empty ones.
  Result<std::vector<std::string>> texts(std::string_view name) const;

  /// A list of texts, unchanged; a lone text is refused.
  Result<std::vector<std::string>> text_list(std::string_view name) const;

  /// A whole number of at least `least`; a larger one than `most` counts as `most`.
  Result<std::size_t> clamped(std::string_view name, std::size_t otherwise, std::size_t least,
                              std::size_t most) const;

  /// A whole number from `least` to `most`.
  Result<std::size_t> whole(std::string_view name, std::size_t otherwise, std::size_t least,
                            std::size_t most) const;

  Result<double> number(std::string_view name, double otherwise) const;

  /// A number above 0.
  Result<double> positive(std::string_view name, double otherwise) const;

  Result<bool> boolean(std::string_view name, bool otherwise) const;

  /// Milliseconds since 1970: an epoch of seconds or milliseconds, or ISO 8601, of the machine's
  /// time zone without an offset; `is_end` takes a bare date for its last moment.
  Result<std::optional<std::int64_t>> time(std::string_view name, bool is_end = false) const;

  /// The text of the JSON object `name`; empty when it is not given.
  Result<std::string> object(std::string_view name) const;

  /// A record's id, or a moment.
  using Anchor = std::variant<memory::DocumentKey, std::int64_t>;
  Result<std::optional<Anchor>> anchor(std::string_view name) const;

  /// A list of ids as texts ("12" for 12), as they stand.
  Result<std::vector<std::string>> ids(std::string_view name) const;

  /// A list of whole numbers, in the words of the observation tools.
  Result<std::vector<std::int64_t>> integers(std::string_view name) const;

 private:
  struct Impl;
  explicit ToolArguments(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace codexmem::ask
