// mcp/request_id.h - the id of a message that is not JSON, or too long to be kept.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "mcp/jsonrpc.h"

namespace codexmem::mcp {

/// Reads a message piece by piece, in constant memory, for the id that its answer needs. Whatever
/// else is wrong with the message, a client that gets its id back does not wait for ever.
class RequestIdReader {
 public:
  void feed(std::string_view text);

  /// The id as it was written, with well-formed UTF-8. Null when the message has no member "id" of
  /// its own, more than one, or one that is neither a string nor a number.
  RequestId id() const;

 private:
  void take(char c);
  void end_member();

  bool in_string_ = false, escaped_ = false;
  bool is_lost_ = false;      // strings and structure can no longer be distinguished
  std::size_t depth_ = 0;     // open objects and arrays
  bool is_value_ = false;     // of a member of the message: behind its colon
  std::string name_, value_;  // of that member, as written; cut where they are too long for an id
  std::size_t ids_ = 0;
  std::string id_;
};

/// The id of `message`, by a RequestIdReader.
RequestId find_request_id(std::string_view message);

}  // namespace codexmem::mcp
