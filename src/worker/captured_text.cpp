// Private parts are taken out of the strings of the JSON, each by itself, before anything is cut:
// a cut could take a closing tag away. Secrets of a JSON are looked for afterwards, in the whole
// message at once (worker/intake.cpp): what a key says of its value counts, and a value found once
// is redacted wherever it stands. Only where a long string is cut it is looked through before, so
// that no secret is cut in two.
//
// Tested by worker/intake_test.cpp and tests/worker/privacy.py.
#include "worker/captured_text.h"

#include <fmt/core.h>

#include "base/json.h"
#include "base/text.h"
#include "privacy/gate.h"
#include "privacy/json_strings.h"
#include "privacy/private_text.h"

namespace codexmem::worker {
namespace {

// What is looked at beyond a cut, so that a secret that lies across it is seen whole.
constexpr std::size_t kCutMargin = std::size_t{8} << 10;

// JSON as text within a string hides a tag's brackets behind escapes.
std::string strip_string(std::string_view value) {
  std::string stripped = privacy::strip_private(value);
  const bool has_escaped_tag = stripped.find("\\u003c") != std::string::npos ||
                               stripped.find("\\u003C") != std::string::npos;
  return has_escaped_tag ? privacy::strip_private_json(stripped) : stripped;
}

std::string strip_json(std::string_view json) {
  if (auto stripped = privacy::map_json_strings(json, strip_string)) return *std::move(stripped);
  return privacy::json_string_literal(strip_string(repair_utf8(json)));
}

std::string_view utf8_suffix(std::string_view text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return text;
  text.remove_prefix(text.size() - max_bytes);
  while (!text.empty() && (static_cast<unsigned char>(text.front()) & 0xC0) == 0x80) {
    text.remove_prefix(1);
  }
  return text;
}

// The beginning and the end of a text that is too long: what a tool ran is told first, what came
// of it last.
std::string cut_text(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return std::string(text);
  const std::size_t tail = limit / 4, head = limit - tail;
  const std::string first = privacy::redacted(utf8_prefix(text, head + kCutMargin));
  const std::string last = privacy::redacted(utf8_suffix(text, tail + kCutMargin));
  return fmt::format("{}\n[... {} bytes left out ...]\n{}", utf8_prefix(first, head),
                     text.size() - limit, utf8_suffix(last, tail));
}

void cut_strings(Json& value, std::size_t limit) {
  if (value.is_string()) {
    if (const auto& text = value.get_ref<const std::string&>(); text.size() > limit) {
      value = cut_text(text, limit);
    }
  } else if (value.is_structured()) {
    for (Json& item : value) cut_strings(item, limit);
  }
}

// JSON within kMaxCapturedJson, its strings within kMaxCapturedText: where there are many long
// strings all are cut shorter; what has too many parts becomes a text.
std::string cut_json(std::string json) {
  if (json.size() <= kMaxCapturedText) return json;
  const Json whole = Json::parse(json, nullptr, /*allow_exceptions=*/false);
  for (std::size_t limit = kMaxCapturedText; limit >= 1'024; limit /= 4) {
    Json value = whole;
    cut_strings(value, limit);
    std::string cut = dump_json(value);
    if (cut.size() <= kMaxCapturedJson) return cut;
  }
  // Quoted, JSON takes twice its room at most.
  return privacy::json_string_literal(cut_text(json, kMaxCapturedJson / 2 - 1'024));
}

}  // namespace

std::string captured_json(std::string_view json) { return cut_json(strip_json(json)); }

std::string captured_text(std::string_view text) {
  return privacy::redacted(cut_text(privacy::cleaned(text), kMaxCapturedText));
}

std::string captured_name(std::string_view name) {
  return fold_whitespace(privacy::captured(name));
}

}  // namespace codexmem::worker
