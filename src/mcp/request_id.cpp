// Brackets are counted outside of strings, and members of the outermost object are read. That is
// right up to the first fault, and mostly right behind it: most faults (a bad escape, a number
// that is too large, a level too many) leave brackets and quotes as they are. After a quote that
// should have been escaped, strings and the text between them change places. Then no member is
// called "id", since the quotes around a name that is part of a text are escaped; a backslash
// outside of a string says that this has happened, and ends the reading.
//
// Tested by mcp/request_id_test.cpp.
#include "mcp/request_id.h"

#include <utility>

#include "text/parse_json.h"
#include "base/text.h"

namespace codexmem::mcp {
namespace {

// Of a name or an id: no client sends longer ones, and skipped text must not be kept.
constexpr std::size_t kMaxBytes = 4'096;

bool is_id_name(std::string_view literal) {
  if (literal == "\"id\"") return true;
  return literal.find('\\') != std::string_view::npos &&
         Json::parse(literal, nullptr, false) == "id";
}

}  // namespace

void RequestIdReader::feed(std::string_view text) {
  for (const char c : text) {
    if (is_lost_) return;
    take(c);
  }
}

void RequestIdReader::end_member() {
  if (is_value_ && is_id_name(trim(name_))) {
    ++ids_;
    id_ = trim(value_);
  }
  name_.clear();
  value_.clear();
  is_value_ = false;
}

void RequestIdReader::take(char c) {
  if (depth_ == 0) {
    const bool is_space = c == ' ' || c == '\t' || c == '\r' || c == '\n';
    is_lost_ = c != '{' && !is_space;
    depth_ = c == '{' ? 1 : 0;
    return;
  }
  std::string& text = is_value_ ? value_ : name_;
  const auto keep = [&] {
    if (depth_ == 1 && text.size() <= kMaxBytes) text += c;
  };
  if (in_string_) {
    keep();
    if (escaped_) {
      escaped_ = false;
    } else if (c == '\\') {
      escaped_ = true;
    } else if (c == '"') {
      in_string_ = false;
    }
    return;
  }
  switch (c) {
    case '\\':
      is_lost_ = true;
      break;
    case '{':
    case '[':
      keep();
      ++depth_;
      break;
    case '}':
    case ']':
      if (depth_ == 1) end_member();
      is_lost_ = --depth_ == 0;
      break;
    case ':':
      if (depth_ == 1) is_value_ = true;
      break;
    case ',':
      if (depth_ == 1) end_member();
      break;
    default:
      in_string_ = c == '"';
      keep();
  }
}

RequestId RequestIdReader::id() const {
  if (ids_ != 1 || id_.size() > kMaxBytes) return {};
  std::string id = repair_utf8(id_);
  const Json value = parse_json(id);
  if (!value.is_number() && !value.is_string()) return {};
  return {std::move(id)};
}

RequestId find_request_id(std::string_view message) {
  RequestIdReader reader;
  reader.feed(message);
  return reader.id();
}

}  // namespace codexmem::mcp
