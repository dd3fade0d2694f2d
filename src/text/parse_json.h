// text/parse_json.h - parses untrusted JSON within limits, and reads members that may be missing or
// have another type. Include it in .cpp files only.
#pragma once

#include <string>
#include <string_view>

#include "text/json.h"
#include "text/json_text.h"

namespace codexmem {

/// Parses `text`, with ill-formed UTF-8 and halves of surrogate pairs as U+FFFD. The result is
/// discarded (is_discarded()) if it is not JSON, or is nested deeper than kMaxJsonDepth, because
/// code that copies, compares and writes values is recursive.
inline Json parse_json(std::string_view text) {
  // The library takes a zero byte after a value for the end of the text.
  const bool has_zero = text.find('\0') != std::string_view::npos;
  if (has_zero || is_too_deep(text)) return Json(Json::value_t::discarded);
  Json value = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (value.is_discarded()) value = Json::parse(repair_json(text), nullptr, false);
  return value;
}

/// The member `name` of an object; null if missing.
inline const Json* find_member(const Json& object, std::string_view name) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(name);
  return found == object.end() ? nullptr : &*found;
}

/// The text of a member; empty if missing.
inline std::string text_member(const Json& object, std::string_view name) {
  const Json* value = find_member(object, name);
  return value != nullptr && value->is_string() ? value->get<std::string>() : std::string();
}

}  // namespace codexmem
