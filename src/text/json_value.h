// text/json_value.h - untrusted JSON, parsed with limits and read without the library's types.
//
// A JsonValue is an immutable value of a parsed document and keeps the document alive; copying it
// copies a pointer. Reading an absent member returns the absent value, and so does reading further
// from there, so `params.member("_meta").member("progressToken")` needs no checks in between. Safe
// to read from many threads. Answers are not built with this class but in .cpp files, with
// text/json.h. Design: docs/how-it-works.md, "MCP".
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

/// Limits for a document from outside. A document that exceeds one is refused.
struct JsonLimits {
  std::size_t max_depth = 64;          // nesting of arrays and objects
  std::size_t max_values = 1'000'000;  // total number of values: limits the memory of a parsed line
};

class JsonValue {
 public:
  /// The absent value.
  JsonValue() = default;

  /// Parses all of `text` as one JSON document.
  ///
  /// Members keep their order; in strings, ill-formed bytes and lone surrogates become U+FFFD
  /// (repair_json). Cost: linear for any text. Errors: kInvalidArgument with the byte where it is
  /// not JSON, for a number beyond the range of a double, or for an exceeded limit; kUnsupported
  /// when an object has a member twice (programs disagree on which one counts), naming it.
  static Result<JsonValue> parse(std::string_view text, const JsonLimits& limits = {});

  /// Like parse(), but accepts an object with a duplicate member; `duplicate` names the first such
  /// member. The first occurrence is the one that is read.
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

  /// The member `name`; absent if missing or if this is not an object.
  JsonValue member(std::string_view name) const;

  /// The names of an object's members, in order; empty for anything else.
  std::vector<std::string> member_names() const;

  /// The number of elements or members; 0 for anything else.
  std::size_t size() const;

  /// The element at `index`; absent if missing or if this is not an array.
  JsonValue element(std::size_t index) const;

  std::optional<std::string> string() const;
  std::optional<bool> boolean() const;
  std::optional<double> number() const;

  /// The number if it is whole and fits in int64: 5 and 5.0, not 5.5.
  std::optional<std::int64_t> integer() const;

  /// This value as JSON on one line; "null" when absent.
  std::string dump() const;

  /// dump() of the member `id`, `requestId` or `progressToken` of a message: a number is written
  /// exactly as it was read, even if a double cannot hold it; so is a text with a lone surrogate,
  /// because its sender must recognise it.
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
