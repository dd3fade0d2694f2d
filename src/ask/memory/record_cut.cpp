// Everything except the texts is the frame. When it exceeds half of the room, it is cut first, the
// largest member before the others; then as many code points of the texts as fit are looked for by
// halving, since only writing them shows how many bytes they take.
//
// Tested by ask/memory_answers_test.cpp.
#include "ask/memory/record.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "text/json.h"
#include "base/text.h"

namespace codexmem::ask {
namespace {

// What a record says at length.
constexpr std::array<std::string_view, 11> kCutTexts = {
    "body",    "text",      "narrative",  "prompt_text", "request",  "investigated",
    "learned", "completed", "next_steps", "notes",       "rationale"};
// Members that identify a record.
constexpr std::array<std::string_view, 10> kNamingMembers = {
    "id",         "project",          "type",       "entry_type",  "status",
    "created_at", "created_at_epoch", "code_state", "body_length", "superseded_by"};
// What clients need not find when it is empty.
constexpr std::array<std::string_view, 15> kMayGo = {
    "memory_session_id", "subtitle",         "facts",         "concepts",
    "files_read",        "files_modified",   "files_edited",  "facts_list",
    "concepts_list",     "files_read_list",  "prompt_number", "files_modified_list",
    "files_edited_list", "discovery_tokens", "code"};
constexpr std::size_t kShortTitleBytes = 100;

// The bytes of `text` before the code point `points`.
std::size_t byte_of(std::string_view text, std::size_t points) {
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    const bool begins = (static_cast<unsigned char>(text[at]) & 0xC0) != 0x80;
    if (begins && points-- == 0) break;
  }
  return at;
}

std::size_t json_size(const Json& value) { return dump_json(value).size(); }

bool is_empty(const Json& value) {
  return value.is_null() || ((value.is_array() || value.is_object()) && value.empty()) ||
         value == "[]" || value == 0;
}

Json emptied(const Json& value) {
  if (value.is_object()) return Json::object();
  if (value.is_array()) return Json::array();
  const bool is_list = value.is_string() && value.get_ref<const std::string&>().starts_with('[');
  return is_list ? Json("[]") : Json(nullptr);
}

// Takes members out of `frame` until it has `max_bytes`, as far as it can.
void shrink(Json& frame, std::size_t max_bytes) {
  if (json_size(frame) > max_bytes && frame.contains("title") && frame["title"].is_string()) {
    const std::string title = frame["title"];
    if (title.size() > kShortTitleBytes) {
      frame["title"] = std::string(utf8_prefix(title, kShortTitleBytes)) + "…";
    }
  }
  for (const std::string_view name : kMayGo) {
    if (json_size(frame) <= max_bytes) return;
    const auto member = frame.find(std::string(name));
    if (member != frame.end() && is_empty(*member)) frame.erase(member);
  }
  while (json_size(frame) > max_bytes) {
    std::string largest;
    std::size_t bytes = 0;
    for (const auto& [name, value] : frame.items()) {
      if (name == "title" || name == "left_out" || is_one_of(name, kNamingMembers) ||
          is_empty(value)) {
        continue;
      }
      if (const std::size_t size = json_size(value); size > bytes) {
        largest = name;
        bytes = size;
      }
    }
    if (largest.empty()) break;
    frame[largest] = emptied(frame[largest]);
    frame["left_out"].push_back(largest);
    if (is_one_of(largest, kMayGo)) frame.erase(largest);
  }
}

}  // namespace

std::string cut_record(std::string record, std::size_t offset, std::size_t max_bytes) {
  if (offset == 0 && record.size() <= max_bytes) return record;
  Json whole = Json::parse(record, nullptr, /*allow_exceptions=*/false);
  if (!whole.is_object()) return record;
  std::size_t length = 0;
  std::vector<std::pair<std::string, std::string>> texts;
  for (auto& [name, value] : whole.items()) {
    if (!is_one_of(name, kCutTexts) || !value.is_string()) continue;
    const std::string& text = value.get_ref<const std::string&>();
    length = std::max(length, code_point_count(text));
    // More code points than bytes there are not.
    const std::size_t begin = byte_of(text, offset);
    const std::size_t end = begin + byte_of(std::string_view(text).substr(begin), max_bytes);
    texts.emplace_back(name, text.substr(begin, end - begin));
    value = "";
  }
  whole["body_length"] = length;
  if (offset > 0) whole["body_offset"] = offset;
  Json shown = whole;
  const auto put_texts = [&](std::size_t points) {
    for (const auto& [name, text] : texts) shown[name] = text.substr(0, byte_of(text, points));
    const std::size_t next = offset + points;
    if (next >= length) return json_size(shown);
    shown["truncated"] = true;
    shown["next_body_offset"] = next;
    const std::size_t size = json_size(shown);
    shown.erase("truncated");
    shown.erase("next_body_offset");
    return size;
  };
  const std::size_t rest = length - std::min(length, offset);
  if (put_texts(rest) <= max_bytes && rest <= max_bytes) return dump_json(shown);

  shrink(whole, max_bytes / 2);
  shown = whole;
  std::size_t fits = 0, too_many = std::min(rest, max_bytes) + 1;
  while (too_many - fits > 1) {
    const std::size_t middle = fits + (too_many - fits) / 2;
    (put_texts(middle) <= max_bytes ? fits : too_many) = middle;
  }
  fits = std::max<std::size_t>(fits, std::min<std::size_t>(rest, 1));  // it must go on
  put_texts(fits);
  if (offset + fits < length) shown["next_body_offset"] = offset + fits;
  if (offset + fits < length || shown.contains("left_out")) shown["truncated"] = true;
  return dump_json(shown);
}

}  // namespace codexmem::ask
