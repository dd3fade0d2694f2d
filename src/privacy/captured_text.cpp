// Private parts are taken out of the strings of a JSON value, read as one text, before anything is
// cut: a cut could take a closing tag away. Secrets of a JSON are looked for afterwards, in the
// whole message at once (observe/intake/intake.cpp, hook/hook.cpp): what a key says of its value
// counts, and a value found once is redacted wherever it is. Only around a cut is looked before, so
// that no secret is cut in two.
//
// The JSON is not parsed but walked from quote to quote, and only strings that are long, and values
// that may hold a tag, are looked into: a hook has some milliseconds for 15 MB.
//
// Tested by privacy/captured_text_test.cpp, observe/intake_test.cpp and tests/worker/privacy.py.
#include "privacy/captured_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "text/json.h"
#include "base/text.h"
#include "privacy/gate.h"
#include "privacy/json_strings.h"
#include "privacy/private_text.h"

namespace codexmem::privacy {
namespace {

// The bytes read beyond a cut, so that a secret that crosses it is seen whole.
constexpr std::size_t kCutMargin = std::size_t{8} << 10;
// Room for the mark, so that what was cut once is not cut again.
constexpr std::size_t kMarkRoom = 64;
constexpr std::size_t kShortestLimit = 1'024;

std::string_view utf8_suffix(std::string_view text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return text;
  text.remove_prefix(text.size() - max_bytes);
  while (!text.empty() && (static_cast<unsigned char>(text.front()) & 0xC0) == 0x80) {
    text.remove_prefix(1);
  }
  return text;
}

// The first `size` bytes of `text`. What comes before the last kCutMargin of them is left as it
// is: a secret that begins there is seen by its beginning, later.
std::string head_of(std::string_view text, std::size_t size) {
  std::size_t from = size > kCutMargin ? size - kCutMargin : 0;
  while (from > 0 && text[from - 1] != '\n' && text[from - 1] != ' ' &&
         size - from < 2 * kCutMargin) {
    --from;
  }
  const std::string_view rest = utf8_prefix(text.substr(from), size + kCutMargin - from);
  return std::string(text.substr(0, from)) + std::string(utf8_prefix(redacted(rest), size - from));
}

std::string tail_of(std::string_view text, std::size_t size) {
  const std::string seen = redacted(utf8_suffix(text, size + kCutMargin));
  return std::string(utf8_suffix(seen, size));
}

// The beginning and the end of a text that is too long: what a tool ran is at the beginning, what
// came of it last.
std::string cut_text(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return std::string(text);
  const std::size_t kept = limit - kMarkRoom, tail = kept / 4, head = kept - tail;
  return fmt::format("{}\n[... {} bytes left out ...]\n{}", head_of(text, head), text.size() - kept,
                     tail_of(text, tail));
}

// Past the closing quote of the string that opens at json[at].
std::size_t string_end(std::string_view json, std::size_t at) {
  for (std::size_t i = json.find('"', at + 1); i != std::string_view::npos;
       i = json.find('"', i + 1)) {
    std::size_t slashes = i;
    while (slashes > at + 1 && json[slashes - 1] == '\\') --slashes;
    if ((i - slashes) % 2 == 0) return i + 1;
  }
  return json.size();
}

// `json` with its strings cut to `limit`; all else stays byte for byte. Nothing when that is more
// than kMaxCapturedJson.
std::optional<std::string> cut_strings(std::string_view json, std::size_t limit) {
  std::string out;
  std::size_t copied = 0;
  for (std::size_t at = json.find('"');
       at < json.size() && out.size() + at - copied <= kMaxCapturedJson;) {
    const std::size_t end = string_end(json, at);
    if (end - at > limit) {
      const std::string value = json_string_value(json.substr(at, end - at));
      if (const std::string bounded = cut_text(value, limit); bounded != value) {
        out += json.substr(copied, at - copied);
        out += json_string_literal(bounded);
        copied = end;
      }
    }
    at = json.find('"', end);
  }
  if (out.size() + json.size() - copied > kMaxCapturedJson) return std::nullopt;
  out += json.substr(copied);
  return out;
}

// Quoted, JSON takes twice its room at most.
std::string as_text(std::string_view json) {
  return json_string_literal(
      cut_text(strip_private(repair_utf8(json)), kMaxCapturedJson / 2 - kShortestLimit));
}

// A member's value.
std::string bound_value(std::string_view value) {
  if (!value.starts_with('"')) return captured_json(value);
  const std::string text = json_string_value(value);
  if (const std::string_view inner = trim(text); inner.starts_with('{') || inner.starts_with('[')) {
    if (const std::string bounded = captured_json(inner); !bounded.starts_with('"')) {
      return json_string_literal(bounded);
    }
  }
  const std::string stripped = strip_private(text);
  if (trim(stripped).empty() && !trim(text).empty()) return R"("<private></private>")";
  return json_string_literal(cut_text(stripped, kMaxCapturedText));
}

}  // namespace

std::string captured_json(std::string_view json) {
  const std::string stripped = strip_private_json(json);
  for (std::size_t limit = kMaxCapturedText; limit >= kShortestLimit; limit /= 4) {
    if (auto bounded = cut_strings(stripped, limit)) {
      if (Json::accept(*bounded)) return *std::move(bounded);
      break;
    }
  }
  return as_text(stripped);
}

std::string captured_members(std::string_view object) {
  std::string out;
  std::size_t copied = 0, value = 0, depth = 0;
  for (std::size_t i = 0; i < object.size(); ++i) {
    const char c = object[i];
    if (c == '"') {
      i = string_end(object, i) - 1;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if (c == ':' && depth == 1) {
      value = i + 1;
    } else if (c == '}' || c == ']' || c == ',') {
      const std::string_view member = object.substr(value, depth == 1 ? i - value : 0);
      if (member.size() > kMaxCapturedText || may_have_private(member)) {
        out += object.substr(copied, value - copied);
        out += bound_value(trim(member));
        copied = i;
      }
      if (c != ',' && depth > 0) --depth;
    }
  }
  out += object.substr(copied);
  return out;
}

std::string captured_text(std::string_view text) {
  return redacted(cut_text(cleaned(text), kMaxCapturedText));
}

std::string captured_name(std::string_view name) { return fold_whitespace(captured(name)); }

}  // namespace codexmem::privacy
