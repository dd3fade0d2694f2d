#include "text/json_object.h"

#include "text/json.h"

namespace codexmem {

namespace internal {

void write_quoted(std::string& to, std::string_view value) {
  // Most names and texts need no escape, and are checked faster than they are copied.
  for (const char each : value) {
    const auto byte = static_cast<unsigned char>(each);
    if (byte < 0x20 || byte >= 0x7F || each == '"' || each == '\\') {
      to += dump_json(Json(value));
      return;
    }
  }
  to += '"';
  to += value;
  to += '"';
}

void write_number(std::string& to, double value) { to += dump_json(Json(value)); }

}  // namespace internal

JsonText json_joined(JsonText object, const JsonText& more) {
  if (more.text.size() <= 2) return object;
  if (object.text.size() <= 2) return more;
  object.text.back() = ',';
  object.text.append(more.text, 1);
  return object;
}

JsonText json_or_null(std::string_view text) {
  return text.empty() ? json_value(nullptr) : json_value(text);
}

}  // namespace codexmem
