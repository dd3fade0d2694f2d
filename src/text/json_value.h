// text/json_value.h - untrusted JSON, parsed within limits and read without its library's types.
//
// A JsonValue is one immutable value of a parsed document and keeps the document alive; copying one
// copies a pointer. Reading an absent member gives the absent value, and reading on from there too,
// so that `params.member("_meta").member("progressToken")` needs no checks on the way. Safe to read
// from many threads. Answers are not built from it: they are written in .cpp files, through
// text/json.h. Design: docs/design/mcp.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace codexmem {

/// Bounds on a document from outside. Past one the document is refused as a whole.
struct JsonLimits {
  std::size_t max_depth = 64;          // arrays and objects inside one another
  std::size_t max_values = 1'000'000;  // values in all: bounds what a parsed line may occupy
};

class JsonValue {
 public:
  /// The absent value.
  JsonValue() = default;

  /// Parses `text`, all of it, as one JSON document.
  ///
  /// Members keep their order; in strings ill-formed bytes and lone surrogates become U+FFFD
  /// (repair_json). Cost: linear, whatever the text. Errors: kInvalidArgument with the byte at
  /// which it is no JSON, a number beyond the range of a double, or a limit that is passed;
  /// kUnsupported when an object has a member twice (which of them would count is a guess), naming
  /// it.
  static Result<JsonValue> parse(std::string_view text, const JsonLimits& limits = {});

  /// Like parse(); an object that has a member twice is kept, and `duplicate` names the first such
  /// member. The member that comes first is the one that is seen.
  static Result<JsonValue> parse(std::string_view text, const JsonLimits& limits,
                                 std::optional<std::string>& duplicate);

  bool is_absent() const { return node_ == nullptr; }
  bool is_null() const;
  bool is_object() const;
  bool is_array() const;
  bool is_string() const;
  bool is_number() const;
  bool is_boolean() const;

  /// "absent", "null", "object", "array", "string", "number" or "boolean".
  std::string_view type_name() const;

  /// The member `name`; absent when there is none or this is no object.
  JsonValue member(std::string_view name) const;

  /// The names of an object's members, in their order; empty for anything else.
  std::vector<std::string> member_names() const;

  /// The number of elements or members; 0 for anything else.
  std::size_t size() const;

  /// The element at `index`; absent when there is none or this is no array.
  JsonValue element(std::size_t index) const;

  std::optional<std::string> string() const;
  std::optional<bool> boolean() const;
  std::optional<double> number() const;

  /// The number when it is a whole one within int64: 5 and 5.0, not 5.5.
  std::optional<std::int64_t> integer() const;

  /// This value on one line of JSON; "null" when absent.
  std::string dump() const;

  /// dump() of the member `id`, `requestId` or `progressToken` of a message: a number is written as
  /// it was read, to its last digit, also where a double cannot hold it; so is a text with a lone
  /// surrogate, by which its sender knows it again.
  std::string dump_id() const;

  /// The text/json.h value behind it, for .cpp files of this folder; null when absent.
  const void* node() const { return node_; }

 private:
  JsonValue(std::shared_ptr<const void> document, const void* node)
      : document_(std::move(document)), node_(node) {}

  std::shared_ptr<const void> document_;
  const void* node_ = nullptr;
};

/// `text` as a JSON string with its quotes; ill-formed UTF-8 becomes U+FFFD.
std::string json_quote(std::string_view text);

}  // namespace codexmem
